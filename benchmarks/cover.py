"""What the cover of secret questions costs, and what it hides: `python -m benchmarks.cover [MATCHES]`.

The first lines are the seconds of a league of so many matches of koi-koi (by default 48) between caged bots that answer
at once, without a cover and with the default one.

The others are what a caged bot can measure, in milliseconds: how long after its last answer in the first month, which
ended that, it is asked for its first card in the second; where its opponent was asked about a dealt hand in between,
and where nobody was. The machine is idle but for these matches, or all of the node's processors are taken by bots that
think. Each line gives the median and the middle nine tenths of both, and how often the longer wait of two is that in
which the opponent was asked: 0.5 is a guess, 1.0 certainty.
"""

import asyncio
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import uvloop

from arena.bench.cage import PYTHON_BOT, python, submitted
from arena.bench.house_leagues import begin, finished
from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.match.model import MatchSpec, TimeControl
from arena.match.play import play
from arena.node.node import running_node
from arena.node.process import tune_process
from arena.store import Store
from arena.stream.hub import Hub
from core_ext import State

COVER_MS = 300
PAIRS = 8
MATCHES_EACH = 5
THINKS_MS = 30
LONG = TimeControl(per_decision_ms=60_000, bank_ms=0)
MEASURES = """\
import sys
import time

from arena.sdk import Bot, run


class Measures(Bot):
    last = 0.0

    def choose(self, decision):
        print(decision.match.id, decision.number, time.monotonic() - self.last, file=sys.stderr, flush=True)
        self.last = time.monotonic()
        return decision.legal[0]


run(Measures())
"""


class Scene(NamedTuple):
    """A match whose second month begins with a secret question to the seat that does not deal, or with none."""

    seed: bytes
    dealer: int
    number: int
    """Which of the dealer's decisions is its first card in the second month."""


def scenes(*, asked: bool) -> Iterator[Scene]:
    """Matches in which nobody else is asked in secret, if all play the first legal action."""
    for number in itertools.count():
        seed = number.to_bytes(32, "big")
        state = State.new("koikoi", {"months": 2}, seed)
        counts, last, secret = [0, 0], -1, list[tuple[int, int]]()
        while not state.is_over:
            seat, observation = state.current_player, state.spectate()
            counts[seat] += 1
            if state.observation(seat).phase != observation.phase:
                secret.append((observation.month, seat))
            elif observation.month == 2:
                break
            else:
                last = seat
            state.apply(state.legal_actions()[0])
        expected = [(2, 1 - state.dealer)] if asked else []
        if not state.is_over and last == state.dealer and secret == expected:
            yield Scene(seed, state.dealer, counts[state.dealer])


async def waits(bots: Sequence[CagedBot], log: Path, scenes: Sequence[Scene], cover_ms: int) -> list[float]:
    """Milliseconds that the dealer of each match waited; the first bot writes its own to the log."""
    for index, scene in enumerate(scenes):
        seats = [bot.seat() for bot in (bots if scene.dealer == 0 else bots[::-1])]
        names = tuple(bot.name for bot in (bots if scene.dealer == 0 else bots[::-1]))
        spec = MatchSpec(f"m{index}", "koikoi", scene.seed, names, {"months": 2}, time=LONG, cover_ms=cover_ms)
        await play(spec, seats)
    lines = map(str.split, (await asyncio.to_thread(log.read_text)).splitlines())
    took = {(match, int(number)): 1000 * float(seconds) for match, number, seconds in lines}
    return [took[f"m{index}", scene.number] for index, scene in enumerate(scenes)]


@asynccontextmanager
async def others_thinking(cages: Cages, folder: Path, pairs: int) -> AsyncIterator[None]:
    """Matches of bots that compute over each decision."""
    path = folder / "thinks.py"
    thinks = f"until = time.process_time() + {THINKS_MS / 1000}\n        while time.process_time() < until:\n"
    choose = f"        {thinks}            pass\n        return"
    path.write_text(PYTHON_BOT.replace("        return", choose).replace("from arena", "import time\n\nfrom arena", 1))
    hub, program = Hub(), python(path)

    async def play_on(number: int) -> None:
        async with caged(cages, hub, program, "one") as first, caged(cages, hub, program, "two") as second:
            for board in itertools.count():
                seed = (number * 1_000_000 + board).to_bytes(32, "big")
                await play(MatchSpec("m", "koikoi", seed, (first.name, second.name)), [first.seat(), second.seat()])

    tasks = [asyncio.create_task(play_on(number)) for number in range(pairs)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def compare(cover_ms: int, *, loaded: bool) -> tuple[list[float], list[float]]:
    """Waits where the opponent was asked, and where nobody was."""
    cages = Cages()
    try:
        with tempfile.TemporaryDirectory(prefix="cover-") as name:
            folder = Path(name)
            path = folder / "measures.py"
            path.write_text(MEASURES)
            program, hub = python(path), Hub()
            asked, nobody = (
                list(itertools.islice(scenes(asked=asked), PAIRS * MATCHES_EACH)) for asked in (True, False)
            )
            # In turn, and each as often first, so that whatever else the machine does is the same for both.
            kinds = [(False, True), (True, False)] * (PAIRS * MATCHES_EACH // 2)
            scenes_left = {True: iter(asked), False: iter(nobody)}
            order = [(kind, next(scenes_left[kind])) for pair in kinds for kind in pair]
            async with AsyncExitStack() as stack:
                await stack.enter_async_context(others_thinking(cages, folder, PAIRS if loaded else 0))

                async def table(number: int) -> list[float]:
                    log = folder / f"{number}.log"
                    async with (
                        caged(cages, hub, program, "dealer", log=log) as dealer,
                        caged(cages, hub, program, "opponent", log=folder / "opponents.log") as opponent,
                    ):
                        each = 2 * MATCHES_EACH
                        scenes = [scene for _, scene in order[number * each : (number + 1) * each]]
                        return await waits([dealer, opponent], log, scenes, cover_ms)

                took = [
                    wait
                    for waits_of_table in await asyncio.gather(*map(table, range(PAIRS)))
                    for wait in waits_of_table
                ]
    finally:
        cages.close()
    by_kind = [(kind, wait) for (kind, _), wait in zip(order, took, strict=True)]
    return [wait for kind, wait in by_kind if kind], [wait for kind, wait in by_kind if not kind]


async def league_seconds(matches: int, cover_ms: int) -> float:
    """How long a node takes for a league of caged bots, from its start."""
    with tempfile.TemporaryDirectory(prefix="cover-") as name:
        folder = Path(name)
        async with await Store.open(folder / "data") as store, running_node(store, folder / "data") as node:
            entries = await submitted(store, folder, 4)
            keys = f'name = "bench"\nrounds = 1\nboards = {matches // 4}\ncover_ms = {cover_ms}\n'
            await begin(store, f"{keys}entries = [{entries}]\n", folder)
            began = time.perf_counter()
            await finished(store, node)
            return time.perf_counter() - began


def separated(asked: Sequence[float], nobody: Sequence[float]) -> float:
    """How often the longer wait of two is that in which somebody was asked; a tie counts half."""
    pairs = [(with_cover > without) + (with_cover == without) / 2 for with_cover in asked for without in nobody]
    return statistics.fmean(pairs)


def described(waits: Sequence[float]) -> str:
    """The median and the middle nine tenths."""
    ranked = sorted(waits)
    tail = len(ranked) // 20
    return f"{statistics.median(ranked):.1f} ({ranked[tail]:.1f} to {ranked[-1 - tail]:.1f})"


def main(matches: int) -> None:
    """Measure, and print a line for each setting."""
    tune_process()
    for cover_ms in (0, COVER_MS):
        seconds = uvloop.run(league_seconds(matches, cover_ms))
        print(f"cover {cover_ms} ms: {matches} matches in {seconds:.1f} s", flush=True)
    for cover_ms, loaded in itertools.product((0, COVER_MS), (False, True)):
        asked, nobody = uvloop.run(compare(cover_ms, loaded=loaded))
        where = "all processors taken" if loaded else "idle"
        print(
            f"cover {cover_ms} ms, {where}: asked {described(asked)}, nobody {described(nobody)}; "
            f"told apart {separated(asked, nobody):.2f} of {len(asked)} and {len(nobody)}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 48)
