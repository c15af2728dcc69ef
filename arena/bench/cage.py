"""What the cage costs: starts, freezing, and decisions of many caged bots at once, beside those over gRPC.

The native bot is the starter in C, which is single-threaded, and so frozen after its answer only where it does not wait
in its read already. `cage.decisions` counts the decisions of matches between caged bots, 64 of which are asked at any
time, beside `wire.decisions` of 64 connected ones at a node in the same process. Both are measured in turn; the medians
count, for `cage.ratio` the median over pairs that were measured one right after the other. `cage.decisions.frozen` and
`cage.freeze` are of the same program as one that may have threads, which is thawed for each answer and frozen after it.
`cage.matches` are those of a league of submitted Python bots, which are started anew for every match, beside
`league.matches` of the same league of bots that stay connected. These are measured in turn too: the medians count, and
for `cage.matches.ratio` the median over pairs.
"""

import asyncio
import itertools
import operator
import statistics
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import uvloop

import bots
from arena.bench import Result, league, wire
from arena.bench.house_leagues import begin, matches_per_second
from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.probe import probe
from arena.launcher.cage.process import CagedProcess
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.match.model import MatchSpec
from arena.match.play import play
from arena.node.node import running_node
from arena.node.process import tune_process
from arena.packs.packing import Pack, pack
from arena.store import Store
from arena.stream.hub import Hub
from arena.submissions.following import follow
from arena.submissions.submit import submit

_STARTER = Path(bots.__file__).parent / "starters/c/bot.c"
PYTHON_BOT = """\
from arena.sdk import Bot, run


class First(Bot):
    def choose(self, decision):
        return decision.legal[0]


run(First())
"""
_MATCHES = 11
_ROUNDS = 4
_BOARDS = 8
_LEAGUES = 3


def measure(asked: int = 64, starts: int = 21, rounds: int = 9, seconds: float = 0.8) -> list[Result]:
    """Measure with `asked` bots asked at any time; medians of `starts` starts, and of `rounds` of so many seconds.

    Raises NoCageError where nothing can be caged.
    """
    asyncio.run(_need_cages())
    with tempfile.TemporaryDirectory(prefix="cage-") as folder:
        path = Path(folder) / "bot.py"
        path.write_text(PYTHON_BOT)
        results = uvloop.run(_measure(native(Path(folder)), python(path), asked, starts, rounds, seconds))
    return [*results, *_leagues()]


async def _need_cages() -> None:
    """Raises NoCageError where the cage does not hold: a node would wait for another one to play such matches."""
    with closing(Cages()) as cages:
        try:
            await probe(cages)
        except NoCageError as error:
            raise NoCageError(f"no cage: {error}") from error


def native(folder: Path) -> Program:
    """The starter in C, compiled into the folder."""
    path = folder / "native"
    subprocess.run(["gcc", "-O2", "-static", "-o", path, _STARTER], check=True)
    return Program((f"{BOT}/{path.name}",), runtime("native"), path, single_threaded=True)


def python(path: Path) -> Program:
    """A bot that is this file of Python."""
    return Program(("/usr/bin/python", f"{BOT}/{path.name}"), runtime("python"), path)


async def _measure(
    native: Program, python: Program, asked: int, starts: int, rounds: int, seconds: float
) -> list[Result]:
    tune_process()
    cages = Cages(processors=2 * asked)
    threaded = replace(native, single_threaded=False)
    try:
        return [
            Result("cage.start.python", await start_seconds(cages, python, starts), "s"),
            Result("cage.start.native", await start_seconds(cages, native, starts), "s"),
            Result("cage.freeze", await _freeze(cages, threaded), "s"),
            *await _decisions(
                cages, {"cage.decisions": native, "cage.decisions.frozen": threaded}, asked, rounds, seconds
            ),
        ]
    finally:
        cages.close()


async def start_seconds(cages: Cages, program: Program, starts: int) -> float:
    """From the order to the bot's Hello; the first start, which may copy the runtime's files, does not count."""
    took = []
    for _ in range(starts + 1):
        began = time.perf_counter()
        async with caged(cages, Hub(), program, "bot"):
            took.append(time.perf_counter() - began)
    return statistics.median(took[1:])


async def _freeze(cages: Cages, program: Program) -> float:
    """What freezing adds to a decision: the difference between matches with it and without, in turn."""
    hub = Hub()
    took: dict[bool, list[float]] = {True: [], False: []}
    async with caged(cages, hub, program, "one") as first, caged(cages, hub, program, "two") as second:
        for freezer in (first.process, second.process):
            freezer.thaw()
        for number in range(2 * _MATCHES):
            frozen = number % 2 == 0
            count = wire.Counter()
            began = time.perf_counter()
            await _match((first, second), number, count, frozen=frozen)
            took[frozen].append((time.perf_counter() - began) / count.decisions)
            for bot in (first, second):
                bot.process.thaw()
    return statistics.median(took[True]) - statistics.median(took[False])


@asynccontextmanager
async def started(cages: Cages, program: Program, count: int) -> AsyncIterator[list[CagedBot]]:
    """So many bots of a program."""
    hub = Hub()
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(caged(cages, hub, program, f"bot{n}")) for n in range(count)]


@asynccontextmanager
async def playing(bots: list[CagedBot], *, frozen: bool = True) -> AsyncIterator[wire.Counter]:
    """Matches between the bots, half of which are asked at any time; what counts their decisions."""
    count, numbers = wire.Counter(), itertools.count()
    over = False

    async def play_on(pair: tuple[CagedBot, CagedBot]) -> None:
        while not over:
            if not frozen:
                for bot in pair:
                    bot.process.thaw()  # a match leaves its bots frozen
            await _match(pair, next(numbers), count, frozen=frozen)

    async with asyncio.TaskGroup() as tables:
        for pair in zip(bots[::2], bots[1::2], strict=True):
            tables.create_task(play_on(pair))
        yield count
        over = True


async def _decisions(
    cages: Cages, programs: dict[str, Program], asked: int, rounds: int, seconds: float
) -> list[Result]:
    rates: dict[str, list[float]] = {name: [] for name in ("wire.decisions", *programs)}
    async with AsyncExitStack() as stack:
        bots = {
            name: await stack.enter_async_context(started(cages, program, 2 * asked))
            for name, program in programs.items()
        }
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="wire-") as folder:
                async with wire.arena_server(f"unix:{folder}/s", asked, None) as answered:
                    rates["wire.decisions"].append(await wire.rate(answered, seconds))
            for name in programs:
                async with playing(bots[name]) as count:
                    rates[name].append(await wire.rate(count.read, seconds))
    ratio = statistics.median(map(operator.truediv, rates["cage.decisions"], rates["wire.decisions"]))
    return [
        *(Result(name, statistics.median(measured), "decisions/s") for name, measured in rates.items()),
        Result("cage.ratio", ratio, "ratio"),
    ]


def _leagues() -> list[Result]:
    caged, connected = [], []
    for _ in range(_LEAGUES):
        caged.append(uvloop.run(_matches()))
        connected.append(uvloop.run(league.connected_matches(_ROUNDS, _BOARDS)))
    return [
        Result("cage.matches", statistics.median(caged), "matches/s"),
        Result("league.matches", statistics.median(connected), "matches/s"),
        Result("cage.matches.ratio", statistics.median(map(operator.truediv, caged, connected)), "ratio"),
    ]


async def submitted(store: Store, folder: Path, bots: int) -> str:
    """Send in so many Python bots, wait until they have qualified, and return them as a league file lists entries."""
    versions = [await submit(store, packed(folder / f"bot-{number}")) for number in range(bots)]
    for version in versions:
        async with aclosing(follow(store, version.bot, version.version)) as news:
            async for _ in news:
                pass
    return ", ".join(f'"{version.bot}@{version.version}"' for version in versions)


async def _matches() -> float:
    with tempfile.TemporaryDirectory(prefix="cage-") as name:
        folder = Path(name)
        async with await Store.open(folder / "data") as store, running_node(store, folder / "data") as node:
            entries = await submitted(store, folder, league.BOTS)
            text = f'name = "bench"\nrounds = {_ROUNDS}\nboards = {_BOARDS}\nsecret = "{"00" * 32}"\n'
            await begin(store, f"{text}entries = [{entries}]\n", folder)
            return await matches_per_second(store, lambda: node.progress(timeout=1.0))


def packed(folder: Path) -> Pack:
    """A folder with a bot that answers at once, as it is sent in."""
    folder.mkdir()
    (folder / "bot.py").write_text(PYTHON_BOT)
    manifest = f'[bot]\nname = "{folder.name}"\ncommand = ["python", "bot.py"]\nvariants = ["koikoi"]\n'
    (folder / "bot.toml").write_text(manifest)
    return pack(folder)


async def _match(pair: tuple[CagedBot, CagedBot], number: int, journal: wire.Counter, *, frozen: bool = True) -> None:
    seats = [bot.seat() for bot in pair]
    if not frozen:
        for bot in pair:
            bot.turn.freezer = _Awake(bot.process)
    spec = MatchSpec(f"m{number}", wire.VARIANT, number.to_bytes(32, "big"), ("one", "two"))
    await play(spec, seats, journal=journal)


class _Awake:
    """Does not freeze."""

    def __init__(self, process: CagedProcess) -> None:
        self.used_s = process.freezer.used_s

    def freeze(self) -> None:
        """Nothing."""

    def thaw(self) -> None:
        """Nothing."""
