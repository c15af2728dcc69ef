"""What a bot can tell its twin in the next match of a board: `python -m benchmarks.twins [TIMES]`.

A bot that would tell one bit does what it can in its match, and its twin guesses: by the numbers that the kernel gives
to pipes, and by when its own match begins. The twin is even told how the kernel's counter stood before, which in truth
it cannot know. First the numbers are not moved, and no pause follows a match; then they are as in a node. The best cut
is found on half of the times, and the guesses are counted on the others. Half of them are right where nothing is told.
"""

import asyncio
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.moving import Mover
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.match.model import MatchSpec
from arena.node import boards
from arena.scratch import scratch_folder

TIMES = 400
BOT_SOURCE = """\
import json, os, socket, sys
place = os.fstat(0).st_ino
for _ in range(int(sys.argv[1])):
    socket.socketpair()
sys.stderr.write(json.dumps(place))
"""
MAX_PIPES = 14
"""Of the calls that a caged program has, that it makes to tell something; each takes two numbers."""
PERIOD_S, MATCH_S = 4.0, 0.2
"""By the time at which its match ends, in so many seconds, a bot that thinks as long as it likes tells its bit."""
Bits = list[tuple[int, float]]


async def numbers(cages: Cages, folder: Path, times: int, mover: Mover | None) -> Bits:
    """What bits were told, and how far the twin found the kernel's counter from where it was."""
    file = folder / "bot.py"
    file.write_text(BOT_SOURCE)

    async def play(pipes: int) -> int:
        command = ("/usr/bin/python", f"{BOT}/bot.py", str(pipes))
        process = await cages.start(Program(command, runtime("python"), file))
        process.go()
        ended = await process.ended
        await process.close()
        return int(json.loads(ended.last_output))

    answers = []
    for _ in range(times):
        bit = random.getrandbits(1)
        before = await play(MAX_PIPES * bit)
        if mover is not None:
            await mover.moved()
        answers.append((bit, float(await play(0) - before)))
    return answers


async def beginnings(times: int) -> Bits:
    """What bits were told, and when in the period the twin's match began, of boards that are played at once."""
    freed = asyncio.Event()

    def free() -> None:
        freed.set()
        freed.clear()

    caged_boards = boards.CagedBoards(free)

    async def board(number: int) -> tuple[int, float]:
        bit = random.getrandbits(1)
        spec = MatchSpec("m", "koikoi", number.to_bytes(32, "big"), ("one", "two"))
        with caged_boards.played(spec):
            await asyncio.sleep(random.uniform(0, PERIOD_S) + MATCH_S)
            await asyncio.sleep((bit * PERIOD_S / 2 - time.monotonic()) % PERIOD_S)
        while caged_boards.keep(spec):
            await freed.wait()
        return bit, time.monotonic() % PERIOD_S

    answers = await asyncio.gather(*(board(number) for number in range(times)))
    await caged_boards.close()
    return answers


def right(answers: Sequence[tuple[int, float]]) -> float:
    """The share of right guesses, by the cut that was best on the other half."""
    learnt, tried = answers[: len(answers) // 2], answers[len(answers) // 2 :]

    def guesses(cut: tuple[float, float], of: Sequence[tuple[int, float]]) -> float:
        return statistics.mean(bit == (cut[0] <= value < cut[1]) for bit, value in of)

    places = sorted({value for _, value in learnt})
    steps = [*places[:: max(1, len(places) // 40)], places[-1] + 1]
    cuts = [(low, high) for low in steps for high in steps if low < high]
    best = max(cuts, key=lambda cut: abs(guesses(cut, learnt) - 0.5))
    share = guesses(best, tried)
    return share if guesses(best, learnt) >= 0.5 else 1 - share


def line(name: str, answers: Sequence[tuple[int, float]]) -> str:
    """A line of the result."""
    share, count = right(answers), len(answers) - len(answers) // 2
    error = 1.96 * math.sqrt(0.25 / count)
    chance = f"{50 - 100 * error:.1f} to {50 + 100 * error:.1f} % by chance"
    return f"{name}: {100 * share:.1f} % of {count} guesses right, {chance}"


async def measure(times: int) -> None:
    """Print what was told."""
    cages, mover = Cages(), Mover()
    with scratch_folder() as folder:
        print(line("numbers, not moved", await numbers(cages, folder, times, None)), flush=True)
        print(line("numbers", await numbers(cages, folder, times, mover)), flush=True)
    cages.close()
    pauses = boards.MIN_PAUSE_S, boards.PAUSE
    boards.MIN_PAUSE_S, boards.PAUSE = 0.0, 0.0
    print(line("beginnings, without a pause", await beginnings(times)), flush=True)
    boards.MIN_PAUSE_S, boards.PAUSE = pauses
    print(line("beginnings", await beginnings(4 * times)), flush=True)


if __name__ == "__main__":
    asyncio.run(measure(*map(int, sys.argv[1:]) or (TIMES,)))
