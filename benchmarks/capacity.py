"""What a match of a league costs the store and its node: commands, exchanges, bytes, processor time.

`python -m benchmarks.capacity [--bots N] [--rounds N] [--boards N]` plays a league of house bots of each variant, on
an embedded store, and prints a table. The costs of a match are those of a whole league, with its rounds' steps in it.
"""

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

import psutil
import uvloop

from arena.bench.house_leagues import begin, house_league
from arena.metrics import meters
from arena.node.node import running_node
from arena.store import Store
from core_ext import VARIANTS


class Cost(NamedTuple):
    """What a match costs. Times are in milliseconds of a processor, sizes in bytes."""

    matches: int
    commands: float
    exchanges: float
    memory: float
    log: float
    store_ms: float
    node_ms: float


async def _cost(variant: str, bots: int, rounds: int, boards: int) -> Cost:
    with tempfile.TemporaryDirectory(prefix="capacity-") as folder:
        async with await Store.open(Path(folder)) as store:
            assert store.embedded is not None
            more = f'variant = "{variant}"\nrounds = {rounds}\nboards = {boards}'
            await begin(store, house_league(bots, more), Path(folder))
            server, node = psutil.Process(store.embedded.pid), psutil.Process()
            before = await _now(store, server, node, Path(folder))
            async with running_node(store, Path(folder)) as running:
                while (league := (await store.leagues.list()).items[0]).state != "finished":
                    await running.progress(timeout=0.2)
            used_after = await _now(store, server, node, Path(folder))
    played = league.played
    return Cost(played, *((later - earlier) / played for earlier, later in zip(before, used_after, strict=True)))


async def _now(
    store: Store, server: psutil.Process, node: psutil.Process, folder: Path
) -> tuple[float, float, float, float, float, float]:
    state = await store.survey.server()
    log = sum(file.stat().st_size for file in (folder / "appendonlydir").iterdir())
    return (
        meters.store_commands.values[()],
        sum(meters.store_exchanges.of().counts),
        state.memory,
        log,
        1000 * sum(server.cpu_times()[:2]),
        1000 * sum(node.cpu_times()[:2]),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--boards", type=int, default=4)
    args = parser.parse_args()
    print("| variant | matches | commands | exchanges | bytes in memory | bytes of log | store, ms | node, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for variant in VARIANTS:
        cost = uvloop.run(_cost(variant, args.bots, args.rounds, args.boards))
        shown = (f"{value:,.1f}" if value < 100 else f"{value:,.0f}" for value in cost[1:])
        print(f"| {variant} | {cost.matches} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
