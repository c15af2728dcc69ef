"""docs/architecture.md names packages, files and functions that there are, and every package."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_file_and_package_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:arena|core_ext|bots|proto|tests)(?:/[\w./-]+)?)/?`", TEXT))
    assert len(named) > 40
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_every_package_has_its_row() -> None:
    rows = set(re.findall(r"^\| `arena/(\w+)` \|", TEXT, re.MULTILINE))
    packages = {path.parent.name for path in (ROOT / "arena").glob("*/__init__.py")}
    assert rows == packages | ({"wire"} - packages)


def test_each_thing_happens_in_the_function_that_the_table_names() -> None:
    rows = re.findall(r"^\| [^|`]+ \| `(arena/[\w./]+)` \| (`.+`) \|$", TEXT, re.MULTILINE)
    assert len(rows) > 20
    missing = {
        f"{file}: {name}"
        for file, names in rows
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(rf"(?m)^ *(?:def|cpdef|async def|class|cdef class) {name}\b", (ROOT / file).read_text("utf-8"))
    }
    assert missing == set()
