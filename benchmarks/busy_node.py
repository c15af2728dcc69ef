"""Whether a table is the same on a busy node as on an idle one: `python -m benchmarks.busy_node [--boards 12]`.

Two submitted bots, `search` with two budgets of time, play the same league of mirrored boards twice: alone on a node,
and beside 16 other caged bots that search too, and play one match after another. Shown are the stronger bot's margin,
which is its mean over the boards with a 95 % interval, the time that the node charged for a decision, how much was
searched in that time, and for how much of it the bots really had a processor. Both leagues deal the same cards.
"""

import argparse
import asyncio
import compileall
import json
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import uvloop

from arena.bench import Result, half_interval, lines
from arena.bench.house_leagues import begin, finished
from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages, spare_processors
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.process import CagedProcess
from arena.launcher.cage.program import Program
from arena.launcher.cage.runtimes import runtime
from arena.launcher.cage.shared import SharedCages
from arena.launcher.output import MatchOutput
from arena.match.journal import Entry, Journal, Played
from arena.match.live import LiveMatch, LiveMatches
from arena.match.model import MatchSpec
from arena.match.play import play
from arena.node.node import running_node
from arena.packs.packing import Pack, pack
from arena.replays import decode
from arena.seats.processors import Processors
from arena.store import Store
from arena.stream.hub import Hub
from arena.submissions.following import follow
from arena.submissions.submit import submit

if TYPE_CHECKING:
    from arena.seats.processors import Thinker

VARIANT = "koikoi"
BUDGETS_MS = {"strong": 100, "weak": 25}
"""What the two bots may think about a decision."""
OTHERS = 16
OTHERS_MS = 25
BOARDS = 12
MONTHS = 3
_SOURCE = Path(__file__).with_name("timed_search.py")
_PACKAGES = ("arena.sdk", "arena.wire", "arena.match", "bots", "core_ext", "msgspec")
"""What a searching bot brings with it: the runtime has less of the arena."""


class League(NamedTuple):
    """What came of a league.

    `margins` are the stronger bot's by board, in points of a match; `charged_ms` is by decision, `searched` too, as the
    bot wrote it. `others` counts the matches that the other bots ended meanwhile, `at_once` the bots that thought, or
    were being started, at the same time, at most.
    """

    margins: dict[str, float]
    charged_ms: dict[str, list[int]]
    searched: dict[str, list[dict[str, float]]]
    others: int
    at_once: int


class Comparison(NamedTuple):
    """The two leagues."""

    alone: League
    busy: League


def compare(boards: int = BOARDS, others: int = OTHERS) -> Comparison:
    """Play both leagues."""
    with tempfile.TemporaryDirectory(prefix="busy-") as name:
        folder = Path(name)
        packages = _packages(folder / "packages")
        packs = {bot: pack(_folder(folder / bot, packages, bot, budget_ms)) for bot, budget_ms in BUDGETS_MS.items()}
        others_folder = _folder(folder / "other", packages, "other", OTHERS_MS)
        return Comparison(*(uvloop.run(_played(packs, boards, others_folder, count)) for count in (0, others)))


def results(comparison: Comparison) -> list[Result]:
    """The figures by name."""
    rows = []
    for name, played in comparison._asdict().items():
        margins = list(played.margins.values())
        rows += [
            Result(f"busy_node.{name}.margin", statistics.fmean(margins), "points"),
            Result(f"busy_node.{name}.margin_error", half_interval(margins), "points"),
            Result(f"busy_node.{name}.others", played.others, "matches"),
            Result(f"busy_node.{name}.at_once", played.at_once, "bots"),
        ]
        for bot in BUDGETS_MS:
            decisions = played.searched[bot]
            clock_s, processor_s = (sum(decision[key] for decision in decisions) for key in ("clock_s", "processor_s"))
            rows += [
                Result(f"busy_node.{name}.charged.{bot}", statistics.fmean(played.charged_ms[bot]) / 1000, "s"),
                Result(
                    f"busy_node.{name}.searched.{bot}",
                    statistics.fmean(decision["determinizations"] for decision in decisions),
                    "determinizations",
                ),
                Result(f"busy_node.{name}.processor.{bot}", processor_s / clock_s, "ratio"),
            ]
    value = {row.name: row.value for row in rows}
    differences = [
        comparison.busy.margins[board] - comparison.alone.margins[board] for board in comparison.alone.margins
    ]
    rows += [
        Result("busy_node.margin_difference", statistics.fmean(differences), "points"),
        Result("busy_node.margin_difference_error", half_interval(differences), "points"),
    ]
    for bot in BUDGETS_MS:
        for kind in ("charged", "searched"):
            busy, alone = (value[f"busy_node.{name}.{kind}.{bot}"] for name in ("busy", "alone"))
            if alone:  # a node that waits for a processor all the time charges nothing
                rows.append(Result(f"busy_node.{kind}_ratio.{bot}", busy / alone, "ratio"))
    return rows


async def _played(packs: Mapping[str, Pack], boards: int, others_folder: Path, others: int) -> League:
    """A league of these two bots, beside so many others of a folder, on a node and a store of its own."""
    with tempfile.TemporaryDirectory(prefix="busy-") as name:
        folder = Path(name)
        cages, clocks = _LoggedCages(folder / "said"), _Clocks()
        async with (
            await Store.open(folder / "data") as store,
            running_node(store, folder / "data", cages=SharedCages(cages), live=clocks) as node,
        ):
            versions = {bot: await _submitted(store, packed) for bot, packed in packs.items()}
            cages.forget()
            entries = ", ".join(f'"{bot}@{version}"' for bot, version in versions.items())
            text = (
                f'name = "bench"\nvariant = "{VARIANT}"\nrounds = 1\nboards = {boards}\nsecret = "{"5a" * 32}"\n'
                f"per_decision_ms = 10000\ncover_ms = 0\nentries = [{entries}]\n[options]\nmonths = {MONTHS}\n"
            )
            async with _others(cages, others_folder, others) as count:
                await begin(store, text, folder)
                await finished(store, node)
            searched = {bot: cages.logged(version) for bot, version in versions.items()}
            return League(await _margins(store), clocks.charged_ms, searched, sum(count), cages.processors.highest)


async def _submitted(store: Store, packed: Pack) -> str:
    """Send in a bot, and wait until it has qualified. Raises RuntimeError when it does not."""
    version = await submit(store, packed)
    async with aclosing(follow(store, version.bot, version.version)) as events:
        steps = [news async for news in events]
    ended = await store.versions.get(version.bot, version.version)
    if ended.status == "failed":
        raise RuntimeError(f"{version.bot} did not qualify: {ended.error or steps[:-1]}")
    return version.version


def _packages(folder: Path) -> Path:
    """The packages that a searching bot needs, compiled once and not at each start: a version has no __pycache__."""
    for package in _PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        for source in spec.submodule_search_locations or ():
            shutil.copytree(
                source,
                folder / package.replace(".", "/"),
                ignore=shutil.ignore_patterns("__pycache__", "*.px?", "*.pyi"),
                dirs_exist_ok=True,
            )
    (folder / "arena/__init__.py").touch()
    compileall.compile_dir(folder, legacy=True, quiet=1)
    for compiled in folder.rglob("*.py"):
        compiled.unlink()
    return folder


def _folder(folder: Path, packages: Path, bot: str, budget_ms: int) -> Path:
    """A searching bot as its author sends it in, with its packages."""
    shutil.copytree(packages, folder)
    shutil.copy(_SOURCE, folder)
    (folder / "bot.toml").write_text(
        f'[bot]\nname = "{bot}"\ncommand = ["python", "{_SOURCE.name}", "{budget_ms}"]\nvariants = ["{VARIANT}"]\n'
    )
    return folder


async def _margins(store: Store) -> dict[str, float]:
    """What the stronger bot won on each board, as the mean of its two matches."""
    margins = defaultdict(list)
    strong = next(iter(BUDGETS_MS))
    for info in (await store.replays.list(league="bench", limit=10_000)).items:
        record = decode(await store.replays.get(info.id))
        seat = record.names.index(strong)
        margins[info.board].append(record.results[seat] - record.results[1 - seat])
    return {board: statistics.fmean(of_board) for board, of_board in sorted(margins.items())}


@asynccontextmanager
async def _others(cages: Cages, folder: Path, bots: int) -> AsyncIterator[list[int]]:
    """So many bots that play in pairs as long as the body runs; counts by pair the matches that they have ended."""
    program = Program(("/usr/bin/python", _SOURCE.name, str(OTHERS_MS)), runtime("python"), folder, frozen=True)
    count = [0] * (bots // 2)

    async def play_on(pair: int) -> None:
        while True:
            seed = f"{pair}/{count[pair]}".encode().ljust(32)
            spec = MatchSpec(f"others-{pair}", VARIANT, seed, ("one", "two"), options={"months": MONTHS})
            hub = Hub()
            async with caged(cages, hub, program, "one") as first, caged(cages, hub, program, "two") as second:
                await play(spec, [first.seat(), second.seat()])
            count[pair] += 1

    async with asyncio.TaskGroup() as group:
        tables = [group.create_task(play_on(pair)) for pair in range(len(count))]
        try:
            yield count
        finally:
            for table in tables:
                table.cancel()


class _Processors(Processors):
    """Remembers how many were taken at once."""

    highest = 0

    def take(self, thinker: "Thinker") -> bool:
        taken = super().take(thinker)
        self.highest = max(self.highest, self.taken)
        return taken


class _LoggedCages(Cages):
    """Cages that keep what bots write to their standard error, by their folder: a version's has its digest."""

    processors: _Processors

    def __init__(self, logs: Path) -> None:
        super().__init__()
        self.processors = _Processors(spare_processors())
        self._logs = logs
        logs.mkdir()

    async def start(
        self, program: Program, limits: CageLimits | None = None, log: Path | MatchOutput | None = None
    ) -> CagedProcess:
        return await super().start(program, limits, log if isinstance(log, Path) else self._logs / program.bot.name)

    def logged(self, folder: str) -> list[dict[str, float]]:
        return [json.loads(line) for line in (self._logs / folder).read_text().splitlines()]

    def forget(self) -> None:
        for log in self._logs.iterdir():
            log.unlink()


class _Clocks(LiveMatches):
    """What the decisions of a league's matches were charged, by bot."""

    def __init__(self) -> None:
        super().__init__()
        self.charged_ms: dict[str, list[int]] = defaultdict(list)

    @contextmanager
    def playing(
        self, spec: MatchSpec, journal: Journal | None, played: Sequence[Entry], *, whole: bool
    ) -> Iterator[LiveMatch]:
        with super().playing(spec, _Readings(spec, self.charged_ms), played, whole=whole) as live:
            yield live


class _Readings:
    def __init__(self, spec: MatchSpec, charged_ms: dict[str, list[int]]) -> None:
        self._names = spec.names
        self._charged_ms = charged_ms

    async def write(self, entry: Entry) -> None:
        if isinstance(entry, Played):
            self._charged_ms[self._names[entry.seat]].append(entry.clock_ms)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = results(compare(args.boards))
    if args.json:
        print(json.dumps({"results": [row._asdict() for row in rows]}))
        return
    print(*lines(rows), sep="\n")


if __name__ == "__main__":
    main()
