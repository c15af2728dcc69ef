"""All data of a league in a folder that can be published as it is."""

import json
import os
import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any

from arena.export.columns import TABLES
from arena.export.played import PlayedMatch
from arena.export.writers import Writer, part_of

CHECKSUMS = "SHA256SUMS"
_SCHEMA_FORMAT = 1


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder that gets the target's name where the body ends well, and is deleted where it does not.

    Raises FileExistsError where something has the name already, OSError.
    """
    if target.exists() or target.is_symlink():
        raise FileExistsError(17, "there is something already", str(target))
    part = part_of(target)
    part.mkdir()
    try:
        yield part
        for path in [*part.iterdir(), part]:
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


async def publish(
    folder: Path,
    document: Mapping[str, Any],
    format_: str,
    writer_of: type[Writer],
    read: Callable[[Callable[[PlayedMatch], int]], Awaitable[object]],
) -> dict[str, int]:
    """Write everything about a league into a folder that is there; return the number of rows of each table.

    `document` is the league with its tables, and `read` calls what it is given for each of its matches. Raises what
    `read` raises, OSError.
    """
    rows = dict.fromkeys(TABLES, 0)
    with ExitStack() as open_files:
        writers = {}
        for name, table in TABLES.items():
            file = open_files.enter_context((folder / f"{name}.{format_}").open("xb"))
            writers[name] = open_files.enter_context(closing(writer_of(file, table)))

        def add(match: PlayedMatch) -> int:
            for name, writer in writers.items():
                rows[name] += writer.add(match)
            return 1

        await read(add)
    _describe(folder, document, format_, rows)
    return rows


def _describe(folder: Path, document: Mapping[str, Any], format_: str, rows: Mapping[str, int]) -> None:
    """Write what stands beside the tables; the checksums last."""
    (folder / "tables.json").write_text(_json(document), encoding="utf-8")
    (folder / "schema.json").write_text(_json(_schema(format_, rows)), encoding="utf-8")
    (folder / "README.md").write_text(_readme(document, format_, rows), encoding="utf-8")
    lines = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as data:
            lines.append(f"{file_digest(data, 'sha256').hexdigest()}  {path.name}\n")
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _schema(format_: str, rows: Mapping[str, int]) -> dict[str, Any]:
    return {
        "format": _SCHEMA_FORMAT,
        "tables": {
            name: {
                "file": f"{name}.{format_}",
                "row": table.row,
                "rows": rows[name],
                "columns": [
                    {"name": column, "kind": described.kind.value, "about": described.about}
                    for column, described in table.columns.items()
                ],
            }
            for name, table in TABLES.items()
        },
    }


_READERS = {
    "parquet": ("read_parquet", ""),
    "csv": ("read_csv", ""),
    "jsonl": ("read_json", ", lines=True"),
}


def _readme(document: Mapping[str, Any], format_: str, rows: Mapping[str, int]) -> str:
    reader, more = _READERS[format_]
    variants = ", ".join(division["variant"] for division in document["divisions"])
    files = "\n".join(
        f"| `{name}.{format_}` | {rows[name]:,} | a row a {table.row} |" for name, table in TABLES.items()
    )
    columns = "\n\n".join(
        f"## {name}\n\n| column | kind | |\n| --- | --- | --- |\n"
        + "\n".join(f"| `{key}` | {column.kind.value} | {column.about} |" for key, column in table.columns.items())
        for name, table in TABLES.items()
    )
    return f"""# The league {document["league"]}

Every match of a finished league of hanafuda bots ({variants}): {document["matches"]:,} matches.

| file | rows | |
| --- | --- | --- |
{files}
| `tables.json` | | the league's tables |
| `schema.json` | | the columns below, for programs |
| `{CHECKSUMS}` | | `sha256sum -c {CHECKSUMS}` shows that nothing was changed |

```py
import pandas

matches = pandas.{reader}("matches.{format_}"{more})
```

Cards are numbers: 4 m + k is card k of month m, both from 0. Seats are numbered from 0, and lists by seat are in that
order. In `decisions`, `zones` and `counters` hold what the seat that decides may see, and nothing else. The cards of a
match follow from its `seed`; before the league the arena published the SHA-256 of its secret, from which all seeds
follow: `{document["commitment"]}`. The secret is `{document["secret"]}`.

{columns}
"""
