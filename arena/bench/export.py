"""Exporting recorded decisions, from replay files to Parquet, on one core."""

import asyncio
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from arena.bench import Result, say
from arena.export import FORMATS, TABLES, MatchFilter, export, replacing
from arena.export.sources import FileSource
from arena.export.tensors import Read, shape_of, write_parquet
from arena.match.model import MatchSpec
from arena.match.play import play
from arena.replays import encode, from_match
from arena.seats.in_process import InProcessSeat
from bots import house
from core_ext import VARIANTS

REPEATS = 5
_REPLAYS = 20
"""Files of each variant; they are read again and again."""
_ROWS = 200_000
_MANY_ROWS = 10_000_000


def measure() -> list[Result]:
    """Rows/s of the processor's time, and the most memory that a process has which writes ten million rows.

    They are decisions of all variants, and tensors of one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say("matches to be exported")
        for variant in VARIANTS:
            for number in range(_REPLAYS):
                (folder / f"{variant}-{number}.hreplay").write_bytes(_replay(variant, number))
        results = []
        for variant in VARIANTS:
            say(f"exporting {variant}")
            rates = []
            for _ in range(REPEATS):
                began = time.process_time()
                rows = write(folder, f"{variant}-*", _ROWS)
                rates.append(rows / (time.process_time() - began))
            results.append(Result(f"export.decisions.{variant}", median(rates), "rows/s"))
        for what, result in (("decisions", "export.memory"), ("tensors", "export.memory.tensors")):
            say(f"exporting ten million {what}")
            command = [sys.executable, "-m", "arena.bench.export", name, what]
            output = subprocess.run(command, check=True, capture_output=True, text=True)
            results.append(Result(result, float(output.stdout), "MiB"))
    return results


def write(folder: Path, pattern: str, least: int) -> int:
    """Export the decisions of these replays, over and over until there are so many rows; return how many."""
    paths = sorted(folder.glob(f"{pattern}.hreplay"))
    table = TABLES["decisions"]
    each = asyncio.run(export([FileSource(paths)], MatchFilter(), lambda match: match.record.decisions)).rows
    source = FileSource(paths * (-(-least // each)))
    with replacing(folder / "decisions.parquet") as file, closing(FORMATS["parquet"]()(file, table)) as writer:
        return asyncio.run(export([source], MatchFilter(), writer.add)).rows


def write_tensors(folder: Path, variant: str, least: int) -> int:
    """The same of the tensors of a variant."""
    paths = sorted(folder.glob(f"{variant}-*.hreplay"))

    def read(files: list[Path]) -> Read:
        return lambda use: export([FileSource(files)], MatchFilter(), use)

    each = asyncio.run(shape_of(read(paths))).decisions
    whole = read(paths * (-(-least // each)))
    shape = asyncio.run(shape_of(whole))
    asyncio.run(write_parquet(folder / "tensors.parquet", shape, whole))
    return shape.decisions


def _replay(variant: str, number: int) -> bytes:
    seats = 2 if variant in ("koikoi", "koikoi45", "kyogi") else 3
    spec = MatchSpec(f"match-{number}", variant, number.to_bytes(32, "big"), ("greedy", "random", "random")[:seats], {})
    match = asyncio.run(play(spec, [InProcessSeat(house(name)) for name in spec.names]))
    return encode(from_match(spec, match))


if __name__ == "__main__":
    folder, what = Path(sys.argv[1]), sys.argv[2]
    rows = write(folder, "*", _MANY_ROWS) if what == "decisions" else write_tensors(folder, VARIANTS[0], _MANY_ROWS)
    assert rows >= _MANY_ROWS
    # Of this program alone: what getrusage tells begins with the memory of the one that started it.
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")))
