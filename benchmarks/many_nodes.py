"""A large league on many nodes: `python -m benchmarks.many_nodes [BOTS …] [--nodes 100] [--rounds 2]`.

Scheduler, store and steps are the real ones. Nothing is played: a match waits for as long as its node would take for
it, and is committed with a result and a replay of the usual size. All nodes are in this process, each with its own
connection to the store's server. Times are of the processor, of this process and the server's together. In the step,
the pairing itself is shown apart; what idle nodes ask the store meanwhile is in all of them.
"""

import argparse
import asyncio
import contextlib
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import psutil
import uvloop

from arena.bench.house_leagues import create, house_league
from arena.league import rounds
from arena.match.model import End, MatchResult
from arena.node.job_loop import MATCHES_AT_ONCE, JobLoop
from arena.organizer import steps
from arena.organizer.matches import MatchJob
from arena.store import Job, MatchWork, StepWork, Store

SIZES = (100, 1_000, 10_000)
MATCH_S = 0.010
"""What a node's processor takes for a match of koi-koi between house bots: docs/capacity.md."""
_REPLAY_BYTES = 700
_LOOK_S = 0.2
_LEASE_MS = 120_000
"""All nodes share one event loop here, which renews no lease while it is busy with others."""
_MEBIBYTE = 1 << 20


class Costs(NamedTuple):
    """What a league of so many bots costs in all: seconds of the processor, and MiB of the server's memory."""

    bots: int
    matches: int
    entering: float
    pairing: float
    steps: float
    """Without the pairing."""
    playing: float
    """Claiming and committing the matches."""
    table: float
    memory: float
    clock: float
    """Seconds from the start to the table."""

    def per_bot(self) -> "Costs":
        """The same for each bot, in ms and KiB."""
        spent = {name: 1000 * getattr(self, name) / self.bots for name in self._fields[2:7]}
        return self._replace(**spent, memory=1024 * self.memory / self.bots)


class LightNode(JobLoop):
    """A node that only waits where others play. `clock` says how many seconds of the processor were used so far."""

    clock: Callable[[], float]
    steps_s = 0.0
    """Seconds of the processor that its steps took."""

    async def _work(self, job: Job, *, handed: bool) -> None:
        began = self.clock()
        await super()._work(job, handed=handed)
        if isinstance(job.work, StepWork):
            self.steps_s += self.clock() - began

    async def _match(self, job: Job, work: MatchWork, *, handed: bool) -> bool:
        plan = msgspec.msgpack.decode(work.payload, type=MatchJob).plan
        assert plan is not None
        dice = random.Random(job.id)
        await asyncio.sleep(MATCHES_AT_ONCE * MATCH_S)  # which its processor shares among so many
        won = dice.randint(-60, 60)
        result = MatchResult(End.COMPLETED, -1, (won, -won), (1, 2), b"", (), (0, 0))
        await self.jobs.commit_match(job, steps.outcome_of(plan, result), dice.randbytes(_REPLAY_BYTES))
        return True


@contextlib.contextmanager
def _pairing_timed() -> Iterator[list[float]]:
    """Note how long each pairing takes, in seconds of the processor, while the body runs."""
    taken: list[float] = []
    before = rounds.method_of  # type: ignore[attr-defined]

    def method_of(division: Any) -> Any:
        method = before(division)

        def seat(event: Any) -> Any:
            began = time.thread_time()
            try:
                return method.seat(event)
            finally:
                taken.append(time.thread_time() - began)

        return SimpleNamespace(seat=seat)

    rounds.method_of = method_of  # type: ignore[attr-defined]
    try:
        yield taken
    finally:
        rounds.method_of = before  # type: ignore[attr-defined]


@contextlib.asynccontextmanager
async def _nodes(folder: Path, number: int, clock: Callable[[], float]) -> AsyncIterator[list[LightNode]]:
    """So many nodes work on the store while the body runs."""
    async with AsyncExitStack() as stack:
        provider: Any = SimpleNamespace(runtimes=None)
        nodes = []
        for _ in range(number):
            store = await stack.enter_async_context(await Store.open(folder, attach=True))
            nodes.append(node := LightNode(store, store.jobs(), provider))
            node.clock = clock
        working = [asyncio.create_task(node.run()) for node in nodes]
        try:
            yield nodes
        finally:
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)


async def _league(bots: int, nodes: int, number: int) -> Costs:
    with tempfile.TemporaryDirectory(prefix="many-nodes-") as folder, _pairing_timed() as pairings:
        async with await Store.open(Path(folder), lease_ms=_LEASE_MS) as store:
            assert store.embedded is not None
            server = psutil.Process(store.embedded.pid)

            def clock() -> float:
                return time.process_time() + sum(server.cpu_times()[:2])

            memory, began, moments = server.memory_info().rss, time.perf_counter(), [clock()]
            await create(store, house_league(bots, f"rounds = {number}\nboards = 1"), Path(folder))
            moments.append(clock())
            await steps.start(store, "bench")
            async with _nodes(Path(folder), nodes, clock) as light:
                while (league := await store.leagues.get("bench")).state != "finished":  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_S)
            moments.append(clock())
            table = await steps.table_of(store, league)
            moments.append(clock())
            assert len(table.divisions[0].standings) == bots
            used = (server.memory_info().rss - memory) / _MEBIBYTE
            seconds = time.perf_counter() - began
    stepping, pairing = sum(node.steps_s for node in light), sum(pairings)
    entering, running, counting = (later - earlier for earlier, later in pairwise(moments))
    rest = stepping - pairing
    return Costs(bots, league.played, entering, pairing, rest, running - stepping, counting, used, seconds)


def lines(found: Sequence[Costs]) -> Iterator[str]:
    """Yield the table: of each bot in ms and KiB, and the growth from the first size to the last."""
    yield "| bots | matches | entering | pairing | steps | matches' jobs | table | KiB in the store | by the clock, s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    each = [costs.per_bot() for costs in found]
    for costs in each:
        shown = " | ".join(f"{value:.3g}" for value in costs[2:])
        yield f"| {costs.bots:,} | {costs.matches:,} | {shown} |"
    if len(each) > 1:
        growth = " | ".join(f"{last / first:.2f}" for first, last in zip(each[0][2:-1], each[-1][2:-1], strict=True))
        yield f"| last over first | | {growth} | |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", type=int, nargs="*", default=SIZES)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    found = []
    for bots in given.bots:
        found.append(uvloop.run(_league(bots, given.nodes, given.rounds)))
        print(found[-1], flush=True)
    print(*lines(found), sep="\n")


if __name__ == "__main__":
    main()
