"""Whether leagues leave anything in a node's memory: `python -m benchmarks.node_growth [LEAGUES] [--variant koikoi]`.

A node plays small leagues of house bots one after another. Every so often, after a look for garbage: what the process
has of memory, what of it is in use by malloc and by Python, and how many objects Python follows.
"""

import argparse
import ctypes
import gc
import sys
import tempfile
from pathlib import Path

import psutil
import uvloop

from arena.bench.house_leagues import parsed
from arena.node.node import Node, running_node
from arena.node.process import configure_grpc
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.store import Store

LOOKS = 8
BOTS = 4
_MEBIBYTE = 1 << 20


class _Malloc(ctypes.Structure):
    """What mallinfo2(3) gives."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks")),
        *((name, ctypes.c_size_t) for name in ("uordblks", "fordblks", "keepcost")),
    ]


def line(leagues: int) -> str:
    """Return a row of the table."""
    gc.collect()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = _Malloc
    malloc = libc.mallinfo2()
    memory = psutil.Process().memory_info().rss / _MEBIBYTE
    in_use = (malloc.uordblks + malloc.hblkhd) / _MEBIBYTE
    return f"| {leagues} | {memory:.1f} | {in_use:.2f} | {sys.getallocatedblocks():,} | {len(gc.get_objects()):,} |"


async def play(store: Store, node: Node, name: str, variant: str) -> None:
    """Play a league from its file to its end."""
    entries = ", ".join(f'{{ name = "bot-{number}", bot = "house:random" }}' for number in range(BOTS))
    spec = parsed(f'name = "{name}"\nvariant = "{variant}"\nboards = 1\nrounds = 2\nentries = [{entries}]\n')
    await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await steps.start(store, name)
    while (await store.leagues.get(name)).state != "finished":
        await node.progress(timeout=1.0)


async def measure(leagues: int, variant: str) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(prefix="node-growth-") as made:
        folder = Path(made)
        async with await Store.open(folder) as store, running_node(store, folder) as node:
            print("| leagues | memory, MiB | in use by malloc, MiB | Python's blocks | objects |")
            print("| --- | --- | --- | --- | --- |")
            for number in range(1, leagues + 1):
                await play(store, node, f"league-{number}", variant)
                if number % max(1, leagues // LOOKS) == 0:
                    print(line(number), flush=True)


def main() -> None:
    """Play so many leagues."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=400)
    parser.add_argument("--variant", default="koikoi")
    args = parser.parse_args()
    uvloop.run(measure(args.leagues, args.variant))


if __name__ == "__main__":
    configure_grpc()
    main()
