"""What a single match leaves in the store's memory when it is over: `python -m benchmarks.match_bytes [MATCHES]`."""

import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

from arena import wire
from arena.bench import Result, lines
from arena.match.model import MatchSpec
from arena.node.node import Node, running_node
from arena.organizer.matches import queue_match
from arena.store import Store


def measure(matches: int = 500) -> list[Result]:
    """Bytes for each match of house bots that was played, by its months, and what is left when they are deleted."""
    return asyncio.run(_measure(matches))


async def _measure(matches: int) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        async with (
            await Store.open(Path(folder) / "data") as store,
            running_node(store, Path(folder)) as node,
        ):
            results = []
            for months in (1, 12):
                await _play(store, node, months, matches)
                await store.matches.delete_older(0.0, limit=matches)
                # The server has its scripts and buffers by now.
                before = await _used(store)
                await _play(store, node, months, matches)
                results.append(Result(f"store.match.{months}", (await _used(store) - before) / matches, "B"))
                await store.matches.delete_older(0.0, limit=matches)
                bytes_ = (await _used(store) - before) / matches
                results.append(Result(f"store.match.{months}.deleted", bytes_, "B"))
            return results


async def _play(store: Store, node: Node, months: int, matches: int) -> None:
    for match_id in [await _queue(store, months) for _ in range(matches)]:
        while (await store.matches.get(match_id)).result is None:
            await node.progress(1.0)


async def _queue(store: Store, months: int) -> str:
    seed = secrets.token_bytes(32)
    names = ("house:greedy", "house:random")
    spec = MatchSpec(secrets.token_hex(8), "koikoi", seed, names, options={"months": months})
    return (await queue_match(store, spec, wire.seed_commitment(seed), owner="bot:alice")).id


async def _used(store: Store) -> int:
    assert store.embedded is not None
    client = await store.embedded.connect(5.0)
    try:
        return int((await client.call("INFO", "memory"))["used_memory_dataset"])
    finally:
        await client.close()


if __name__ == "__main__":
    print(*lines(measure(*map(int, sys.argv[1:]))), sep="\n")
