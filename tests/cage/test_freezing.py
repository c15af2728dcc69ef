"""A caged bot runs only while it is asked, and pays only for that."""

import asyncio
import itertools
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psutil
import pytest
from bots_in_tests import CHOOSES, FIRST
from msgspec.structs import replace
from store_servers import until

from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.cgroups import FREEZE, hierarchies
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.match.clock import clock
from arena.match.model import End, MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.sdk import Action, Bot, Decision
from arena.seats.in_process import InProcessSeat
from arena.seats.processors import Processors
from arena.stream.hub import Hub
from bots import house

# Thinks on in a thread of its own and in a child of a child.
PONDERS = """\
import os, threading
from arena.sdk import Bot, run

def burn():
    while True:
        pass

if os.fork() == 0:
    if os.fork() == 0:
        burn()
    os._exit(0)
threading.Thread(target=burn, daemon=True).start()

class Ponders(Bot):
    def choose(self, decision):
        return decision.legal[0]

run(Ponders())
"""
# Forks children that end at once, all the time from its first decision on.
FORKS = """\
import os, time
from arena.sdk import Bot, run

def forks():
    while True:
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)

class Forks(Bot):
    begun = False

    def choose(self, decision):
        if not self.begun:
            self.begun = True
            for _ in range(4):
                if os.fork() == 0:
                    forks()
        time.sleep(0.01)  # the processor is its children's
        return decision.legal[0]

run(Forks())
"""
# Stops itself over its second decision.
STOPS = """\
import os, signal
from arena.sdk import Bot, run

class Stops(Bot):
    def choose(self, decision):
        if decision.number == 2:
            os.kill(0, signal.SIGSTOP)
        return decision.legal[0]

run(Stops())
"""
NUMBERS = itertools.count()


@pytest.fixture(params=["by a control group", "by signals"])
def either(cages: Cages, controlled: Callable[[str], None], request: pytest.FixtureRequest) -> Iterator[Cages]:
    """Cages by both ways of freezing."""
    controlled("freeze")
    controlled("memory")  # without it, a bot has one process alone
    bases = cages.cgroups._bases
    if request.param == "by signals":
        cages.cgroups._bases = {name: base for name, base in bases.items() if name != FREEZE}
    yield cages
    cages.cgroups._bases = bases


async def match_of(bot: CagedBot, match_id: str, time: TimeControl | None = None) -> MatchResult:
    spec = MatchSpec(
        match_id, "koikoi", bytes(32), ("caged", "random"), options={"months": 3}, time=time or TimeControl(60_000, 0)
    )
    return await play(spec, [bot.seat(), InProcessSeat(house("random"))])


def inside(bot: CagedBot) -> list[psutil.Process]:
    """The processes of a bot's cage."""
    first = psutil.Process(bot.process.first)
    return [first, *first.children(recursive=True)]


def used(processes: Iterable[psutil.Process]) -> list[float]:
    return [sum(process.cpu_times()[:2]) for process in processes]


async def works(bot: CagedBot, used_s: Callable[[], float]) -> None:
    """Plays until the bot has used more, which may be counted in hundredths of a second that are full."""
    before = used_s()
    while used_s() == before:
        assert (await match_of(bot, f"m{next(NUMBERS)}")).end is End.COMPLETED


async def test_a_bot_that_is_not_asked_uses_no_processor_whatever_it_forked(
    either: Cages, python_bot: Callable[[str], Program]
) -> None:
    hub = Hub()
    async with caged(either, hub, python_bot(PONDERS), "ponders") as ponders:
        processes = inside(ponders)
        assert len(processes) >= 2, "the child of its child is among them"
        await works(ponders, lambda: sum(used(processes)))
        before = await settled(processes)
        async with caged(either, hub, python_bot(FIRST), "quick") as quick:
            assert (await match_of(quick, "m1")).end is End.COMPLETED
        assert used(processes) == before
        await works(ponders, lambda: sum(used(processes)))


async def test_a_bot_that_forks_all_the_time_is_frozen_whole(
    either: Cages, python_bot: Callable[[str], Program]
) -> None:
    hub = Hub()
    async with caged(either, hub, python_bot(FORKS), "forks") as forks:
        await works(forks, forks.process.freezer.used_s)
        before = -1.0
        while before != (now := forks.process.freezer.used_s()):
            before = now
            await passes(0.1)
        await passes(0.2)
        assert forks.process.freezer.used_s() == before
        await works(forks, forks.process.freezer.used_s)


@pytest.mark.usefixtures("fork_servers")  # started afresh, it is its cage's first process, which it cannot stop
async def test_a_bot_that_stops_itself_runs_out_of_time_and_holds_up_no_other(
    either: Cages, python_bot: Callable[[str], Program]
) -> None:
    either.processors = Processors(1)
    hub = Hub()
    async with caged(either, hub, python_bot(STOPS), "stops") as stops:
        stopped = asyncio.create_task(match_of(stops, "m0", TimeControl(1_000, 0)))
        async with caged(either, hub, python_bot(FIRST), "quick") as quick:
            assert (await match_of(quick, "m1")).end is End.COMPLETED
        result = await stopped
    assert (result.end, result.offender) == (End.TIMEOUT, 0)


async def settled(processes: list[psutil.Process]) -> list[float]:
    """What they used when they had come to rest: a freeze takes effect when a process next leaves the kernel."""
    before: list[float] = []
    while before != (now := used(processes)):
        before = now
        await passes(0.1)
    return before


@pytest.mark.parametrize("share", [1.0, 0.01])
async def test_cages_have_ten_times_the_weight_of_another_process_and_one_of_them_its_share_of_that(
    cages: Cages, controlled: Callable[[str], None], python_bot: Callable[[str], Program], share: float
) -> None:
    controlled("cpu")
    [hierarchy] = [one for one in hierarchies() if "cpu" in one.controllers]
    file, own = ("cpu.shares", 1024) if hierarchy.version == 1 else ("cpu.weight", 100)
    limits = replace(cages.limits, share=share)
    async with caged(cages, Hub(), python_bot(FIRST), "quick", limits) as quick:
        mine = [path for path in hierarchy.folder.glob("*/cage-*") if str(quick.process.first) in procs(path)]
        assert [int((path.parent / file).read_text()) for path in mine] == [10 * own]
        assert [int((path / file).read_text()) for path in mine] == [int(own * share)]


async def test_a_bot_that_is_asked_does_not_let_others_compute_first_as_a_node_does(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    policy = os.sched_getscheduler(0)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        async with caged(cages, Hub(), python_bot(FIRST), "quick") as quick:
            assert os.sched_getscheduler(quick.process.first) == os.SCHED_OTHER
    finally:
        os.sched_setscheduler(0, policy, os.sched_param(0))


def procs(group: Path) -> list[str]:
    return (group / "cgroup.procs").read_text().split()


class Worker:
    """Somebody else who has work for a processor."""

    def __init__(self) -> None:
        self.has_place = asyncio.Event()

    def on_free(self) -> None:
        self.has_place.set()

    def used_s(self) -> float:
        return asyncio.get_running_loop().time()

    def sleep(self) -> None:
        raise AssertionError("it works")

    def wake(self) -> None:
        raise AssertionError("it works")


async def passes(seconds: float) -> None:
    """So much time, as the arena counts it."""
    with clock.held():
        await clock.sleep_until(clock.now() + seconds)


async def test_the_time_that_a_bot_waits_for_a_processor_is_not_its_own(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    cages.processors = Processors(1)
    limit_s = 2
    async with caged(cages, Hub(), python_bot(FIRST), "quick") as quick:
        worker = Worker()
        assert cages.processors.take(worker)
        playing = asyncio.create_task(match_of(quick, "m0", TimeControl(1000 * limit_s, 0)))
        await passes(1.5 * limit_s)
        cages.processors.release(worker)
        result = await playing
    assert result.end is End.COMPLETED, result.text


# Sleeps over its first decision until it is ended.
SLEEPS = CHOOSES.format(choose="signal.pause()")
# Sleeps over its first decision, then works, for so many seconds.
DOZES = """\
import sys, time
from arena.sdk import Bot, run

class Dozes(Bot):
    def choose(self, decision):
        if decision.number == 1:
            time.sleep(0.3)
            until = time.process_time() + 0.1
            while time.process_time() < until:
                pass
        return decision.legal[0]

run(Dozes())
"""


async def test_a_bot_that_has_heard_the_end_of_a_match_plays_the_next_one(
    either: Cages, python_bot: Callable[[str], Program]
) -> None:
    async with caged(either, Hub(), python_bot(FIRST), "twice") as bot:
        for match_id in ("m0", "m1"):
            assert (await match_of(bot, match_id)).end is End.COMPLETED


async def test_a_bot_that_sleeps_holds_up_no_other(either: Cages, python_bot: Callable[[str], Program]) -> None:
    either.processors = Processors(1)
    hub = Hub()
    async with caged(either, hub, python_bot(SLEEPS), "sleeps") as sleeps:
        long = asyncio.create_task(match_of(sleeps, "m0", TimeControl(3_600_000, 0)))
        async with caged(either, hub, python_bot(FIRST), "quick") as quick:
            result = await match_of(quick, "m1", TimeControl(60_000, 0))
        assert result.end is End.COMPLETED, result.text
        assert not long.done()
        assert sleeps.turn.asleep
        long.cancel()
        await asyncio.wait([long])
    assert either.processors.taken == 0


async def test_a_bot_that_wakes_waits_for_a_processor_and_pays_for_its_sleep_and_its_work_alone(
    either: Cages, python_bot: Callable[[str], Program]
) -> None:
    either.processors = Processors(1)
    limit_s = 2
    async with caged(either, Hub(), python_bot(DOZES), "dozes") as dozes:
        playing = asyncio.create_task(match_of(dozes, "m0", TimeControl(1000 * limit_s, 0)))
        await until(lambda: either.processors.taken == 1, "the bot has a processor")
        worker = Worker()
        either.processors.wait(worker)
        await worker.has_place.wait()
        began = clock.now()
        await until(lambda: not dozes.turn.asleep, "the bot has woken")
        slept_s = clock.now() - began
        await passes(1.5 * limit_s)
        assert not playing.done()
        either.processors.release(worker)
        result = await playing
    assert result.end is End.COMPLETED, result.text
    assert max(result.clock_ms) > 1000 * slept_s


ROOT = Path(__file__).parents[2]
STARTER = (ROOT / "bots/starters/c/bot.c").read_text()
PONDER = "while (!poll(&(struct pollfd){0, POLLIN, 0}, 1, 0));"
"""Work on until there is something to read, none of which lies in a buffer."""
ANSWER = "answer(field.bytes);"
HELLO = "put_number(hello, HELLO_PROTOCOL_VERSION, 1)"


def changed(*changes: tuple[str, str]) -> str:
    """The bot in C, unbuffered and with what is said here in the place of something."""
    source = STARTER
    for old, new in (("int main(void) {", "int main(void) { setvbuf(stdin, 0, _IONBF, 0);"), *changes):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


SINGLE_THREADED = {
    "waits": STARTER,
    "ponders over its answer": changed((ANSWER, f"{{ {ANSWER} {PONDER} }}")),
    "ponders over an update": changed(
        (ANSWER, f"{ANSWER} else if (field.number == 4) {PONDER}"), (HELLO, f"put_number({HELLO}, 6, 1)")
    ),
}


@pytest.mark.parametrize("source", SINGLE_THREADED.values(), ids=SINGLE_THREADED.keys())
async def test_a_single_threaded_bot_uses_no_processor_while_its_opponent_thinks(
    either: Cages, tmp_path: Path, source: str
) -> None:
    class Slow(Bot):
        """Looks what its opponent uses while it thinks itself."""

        async def choose(self, decision: Decision) -> Action:
            if decision.number in {2, 3}:
                before = await settled(inside(bot))
                await passes(0.1)
                assert used(inside(bot)) == before
            return decision.legal[0]

    async with caged(either, Hub(), in_c(tmp_path, source), "single") as bot:
        spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "slow"), options={"months": 1})
        result = await play(spec, [bot.seat(), InProcessSeat(Slow())])
    assert result.end is End.COMPLETED, result.text


async def test_a_single_threaded_bot_that_waits_is_not_frozen(cages: Cages, tmp_path: Path) -> None:
    frozen = 0

    class Counting:
        """A freezer that counts."""

        def freeze(self) -> None:
            nonlocal frozen
            frozen += 1
            bot.process.freezer.freeze()

        def thaw(self) -> None:
            bot.process.thaw()

        def used_s(self) -> float:
            return bot.process.freezer.used_s()

    async with caged(cages, Hub(), in_c(tmp_path, STARTER), "single") as bot:
        bot.turn.freezer = Counting()
        result = await match_of(bot, "m0")
    assert result.end is End.COMPLETED, result.text
    assert frozen < len(result.choices) / 4


def in_c(folder: Path, source: str) -> Program:
    """A single-threaded program made of its source in C."""
    path = folder / "single"
    command = ("gcc", "-O2", "-static", "-include", "poll.h", "-x", "c", "-o", path, "-")
    subprocess.run(command, input=source, text=True, check=True)
    return Program((f"{BOT}/{path.name}",), runtime("native"), path, single_threaded=True)
