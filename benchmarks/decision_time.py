"""Where the processor time of a decision goes: `python -m benchmarks.decision_time`.

Microseconds of processor time, not of the clock: of the node's process and of 64 caged bots' while these are asked at
once, in turn such as rest while they wait, such as are frozen, and such as are left to run; of a match alone, whose
seats answer at once in the same process; and of the process that serves 64 connected bots, beside a bare echo of the
same messages, in turn. Each is the least of several rounds: whatever else the machine does adds to it.
"""

import asyncio
import itertools
import resource
import tempfile
import time
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import uvloop

from arena import wire as messages
from arena.bench import Result, cage, lines, wire
from arena.launcher.cage.bot import CagedBot
from arena.launcher.cage.cages import Cages
from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from arena.node.process import tune_process
from arena.seats.ledger import Ledger
from core_ext import Event


def measure(asked: int = 64, rounds: int = 5, seconds: float = 0.8) -> list[Result]:
    """Measure for so many `rounds` of `seconds` each. Raises NoCageError where nothing can be caged."""
    caged = uvloop.run(_caged(asked, rounds, seconds))
    resting, frozen, free = (min(rows) for rows in zip(*caged, strict=True))
    served = uvloop.run(_served(asked, rounds, seconds))
    arena, echo = map(min, zip(*served, strict=True))
    medians = {
        "caged.node": resting.node,
        "caged.node.kernel": resting.kernel,
        "caged.node.looking": resting.node - free.node,
        "caged.bots": resting.bots,
        "caged.frozen.node": frozen.node,
        "caged.frozen.node.freezing": frozen.node - free.node,
        "caged.frozen.bots": frozen.bots,
        "match": min(uvloop.run(_alone(seconds)) for _ in range(rounds)),
        "connected.node": arena,
        "connected.echo": echo,
    }
    return [Result(f"decision_time.{name}", value, "us") for name, value in medians.items()]


class _Row(NamedTuple):
    """What a decision took of the node, of that the kernel's part, and of the bots."""

    node: float
    kernel: float
    bots: float


async def _caged(asked: int, rounds: int, seconds: float) -> list[list[_Row]]:
    """Rounds of rows: of bots that rest, of bots that are frozen, and of bots that are left to run."""
    tune_process()
    with tempfile.TemporaryDirectory(prefix="cage-") as folder:
        resting = cage.native(Path(folder))
        freezing = replace(resting, single_threaded=False)
        cages = Cages(processors=2 * asked)
        try:
            async with AsyncExitStack() as stack:
                kinds = [
                    (await stack.enter_async_context(cage.started(cages, program, 2 * asked)), frozen)
                    for program, frozen in ((resting, True), (freezing, True), (freezing, False))
                ]
                return [[await _played(bots, seconds, frozen=frozen) for bots, frozen in kinds] for _ in range(rounds)]
        finally:
            cages.close()


async def _played(bots: list[CagedBot], seconds: float, *, frozen: bool) -> _Row:
    async with cage.playing(bots, frozen=frozen) as count:
        await asyncio.sleep(seconds)
        before, node, kernel, used = count.decisions, _node_s(), _kernel_s(), _used_s(bots)
        await asyncio.sleep(seconds)
        per = 1e6 / (count.decisions - before)
        took = (_node_s() - node, _kernel_s() - kernel, _used_s(bots) - used)
        return _Row(*(per * part for part in took))


def _node_s() -> float:
    return time.process_time()


def _kernel_s() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_stime


def _used_s(bots: list[CagedBot]) -> float:
    files = (Path(f"/proc/{bot.process.first}/schedstat") for bot in bots)
    return sum(int(file.read_text().split()[0]) for file in files) / 1e9


class _AtOnce(Seat):
    """Is asked as a bot is, but for the way to it."""

    def __init__(self) -> None:
        super().__init__()
        self._ledger = Ledger()
        self._loop = asyncio.get_running_loop()

    def decide(self, question: Question) -> Awaitable[Answer]:
        messages.decision_response_bytes(question)
        reply = self._ledger.ask(question.number, question.limit_ms / 1000)
        self._loop.call_soon(self._ledger.answer, question.number, question.legal[0])
        return reply

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        self._ledger.timer.close()


async def _alone(seconds: float) -> float:
    """What a match takes by itself."""
    tune_process()
    decisions = 0
    began, until = time.process_time(), time.monotonic() + seconds
    for number in itertools.count():
        if time.monotonic() > until:
            break
        spec = MatchSpec("m", wire.VARIANT, number.to_bytes(32, "big"), ("one", "two"))
        decisions += len((await play(spec, [_AtOnce(), _AtOnce()])).choices)
    return (time.process_time() - began) * 1e6 / decisions


async def _served(streams: int, rounds: int, seconds: float) -> list[tuple[float, ...]]:
    """What a decision takes of the process that serves connected bots, and what an echo takes."""
    tune_process()
    sample = await wire.sample_messages()
    results = []
    for _ in range(rounds):
        took = []
        for kind in (wire.arena_server, wire.echo_server):
            with tempfile.TemporaryDirectory(prefix="wire-") as folder:
                async with kind(f"unix:{folder}/s", streams, sample) as count:
                    await asyncio.sleep(seconds / 2)
                    before, began = count(), time.process_time()
                    await asyncio.sleep(seconds)
                    took.append((time.process_time() - began) * 1e6 / (count() - before))
        results.append(tuple(took))
    return results


if __name__ == "__main__":
    print(*lines(measure()), sep="\n")
