"""A large league on many nodes: `python -m benchmarks.many_nodes [BOTS …] [--nodes 100] [--rounds 2]`.

Scheduler, store and steps are the real ones. Nothing is played: a match waits for as long as its node would take for
it, and is committed with a result and a replay of the usual size. All nodes are in this process, each with its own
connection to the store's server. Times are of the processor, of this process and the server's together. In the step,
the pairing itself is shown apart. While a step is under way the other nodes, which have nothing to do then, do not ask
the store for work: what that costs grows with nodes and time, not with bots, and is measured by itself before the
league begins.
"""

import argparse
import asyncio
import contextlib
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
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
from arena.node.process import tune_process
from arena.organizer import steps
from arena.organizer.matches import MatchJob
from arena.store import Job, JobQueue, MatchWork, StepWork, Store

SIZES = (100, 1_000, 10_000)
MATCH_S = 0.010
"""What a node's processor takes for a match of koi-koi between house bots: docs/capacity.md."""
_REPLAY_BYTES = 700
_LOOK_S = 0.2
_LOOK_S_PER_BOT = 40e-6
"""How often this looks whether the league is over: what is read names every bot."""
_IDLE_S = 5.0
"""For how long nodes are watched that have nothing to do."""
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
    idle: float
    """What an idle node asks for: the share of a processor, in thousandths."""
    idle_store: float
    """The part of it that is the server's."""

    def per_bot(self) -> "Costs":
        """The same for each bot, in ms and KiB."""
        spent = {name: 1000 * getattr(self, name) / self.bots for name in self._fields[2:7]}
        return self._replace(**spent, memory=1024 * self.memory / self.bots)


class HeldQueue:
    """A node's queue, of which it claims nothing while a step is under way at any node: there is nothing then."""

    def __init__(self, jobs: JobQueue, no_step: asyncio.Event) -> None:
        self._jobs, self._no_step = jobs, no_step

    async def claim(self, *limit: int, **conditions: Any) -> list[Job]:
        """Claim when no step is under way."""
        await self._no_step.wait()
        return await self._jobs.claim(*limit, **conditions)

    async def claim_ladders(self, *limit: int, **conditions: Any) -> list[Job]:
        """Claim jobs of ladders, of which there are none, in the same way."""
        await self._no_step.wait()
        return await self._jobs.claim_ladders(*limit, **conditions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jobs, name)


class LightNode(JobLoop):
    """A node that only waits where others play. `clock` says how many seconds of the processor were used so far."""

    clock: Callable[[], float]
    no_step: asyncio.Event
    steps_s = 0.0
    """Seconds of the processor that its steps took."""

    async def _work(self, job: Job, *, handed: bool) -> None:
        if not isinstance(job.work, StepWork):
            return await super()._work(job, handed=handed)
        self.no_step.clear()
        began = self.clock()
        try:
            return await super()._work(job, handed=handed)
        finally:
            self.steps_s += self.clock() - began
            self.no_step.set()

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
async def light_nodes(
    open_store: Callable[[], Awaitable[Store]], number: int, clock: Callable[[], float]
) -> AsyncIterator[list[LightNode]]:
    """So many nodes work on the store while the body runs."""
    async with AsyncExitStack() as stack:
        provider: Any = SimpleNamespace(runtimes=None)
        nodes = []
        no_step = asyncio.Event()
        no_step.set()
        for _ in range(number):
            store = await stack.enter_async_context(await open_store())
            queue: Any = HeldQueue(store.jobs(), no_step)
            nodes.append(node := LightNode(store, queue, provider))
            node.clock, node.no_step = clock, no_step
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

            def of_store() -> float:
                return sum(server.cpu_times()[:2])

            def clock() -> float:
                return time.process_time() + of_store()

            open_store = partial(Store.open, Path(folder), attach=True)
            async with light_nodes(open_store, nodes, clock):
                before = clock(), of_store()
                await asyncio.sleep(_IDLE_S)
                idle = [
                    1000 * (now - then) / _IDLE_S / nodes
                    for now, then in zip((clock(), of_store()), before, strict=True)
                ]
            memory, began, moments = server.memory_info().rss, time.perf_counter(), [clock()]
            await create(store, house_league(bots, f"rounds = {number}\nboards = 1"), Path(folder))
            moments.append(clock())
            await steps.start(store, "bench")
            async with light_nodes(open_store, nodes, clock) as light:
                while (league := await store.leagues.get("bench")).state != "finished":  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_S + _LOOK_S_PER_BOT * bots)
            moments.append(clock())
            table = await steps.table_of(store, league)
            moments.append(clock())
            assert len(table.divisions[0].standings) == bots
            used = (server.memory_info().rss - memory) / _MEBIBYTE
            seconds = time.perf_counter() - began
    stepping, pairing = sum(node.steps_s for node in light), sum(pairings)
    entering, running, counting = (later - earlier for earlier, later in pairwise(moments))
    stepping_alone = stepping - pairing
    return Costs(
        bots, league.played, entering, pairing, stepping_alone, running - stepping, counting, used, seconds, *idle
    )


def lines(costs_by_size: Sequence[Costs]) -> Iterator[str]:
    """Yield the table: of each bot in ms and KiB, and the growth from the first size to the last."""
    yield "| bots | matches | entering | pairing | steps | matches' jobs | table | all but pairing | KiB | clock, s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    each = [costs.per_bot() for costs in costs_by_size]
    rows = [[*run[2:7], sum(run[2:7]) - run.pairing, run.memory] for run in each]
    for costs, row in zip(each, rows, strict=True):
        shown = " | ".join(f"{value:.3g}" for value in row)
        yield f"| {costs.bots:,} | {costs.matches:,} | {shown} | {costs.clock:.0f} |"
    if len(rows) > 1:
        growth = " | ".join(f"{last / first:.2f}" for first, last in zip(rows[0], rows[-1], strict=True))
        yield f"| last over first | | {growth} | |"
    idle, of_store = (
        statistics.median(values) for values in zip(*((run.idle, run.idle_store) for run in costs_by_size), strict=True)
    )
    yield f"An idle node takes {idle:.2g} thousandths of a processor, the store for it {of_store:.2g} of them."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", type=int, nargs="*", default=SIZES)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    tune_process()
    costs = []
    for bots in args.bots:
        costs.append(uvloop.run(_league(bots, args.nodes, args.rounds)))
        print(costs[-1], flush=True)
    print(*lines(costs), sep="\n")


if __name__ == "__main__":
    main()
