"""An arena that plays for an hour, undisturbed: memory, descriptors, threads and keys must not grow.

`python tests/system/soak.py [--minutes 60] [--curve FILE.svg] [--data FILE.json] [--folder DIR]`: on two nodes with
pages and one server, leagues over all variants of house bots, submitted bots in cages and bots that connect are played
one after another, while the pages are read and `arena prune` removes replays. Each process is looked at every few
seconds. What it had in the second quarter of the time, at the median, is compared with the last quarter; exit status 1
if anything has grown. What a finished league leaves in the store by design, its results, is counted by league.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

import psutil
from chaos import Run, Wanted, field_league, keep_playing, mirror_league
from chaos_arena import Arena, arena
from chaos_checks import keys
from chaos_stores import Single
from chaos_submissions import LIMITS, OWNER, Submitter, folders, mark_of
from soak_curve import drawn

from arena.store.paging import all_pages
from core_ext import VARIANTS

EVERY_S = 5.0
"""How often everything is looked at."""
PRUNE_EVERY_S = 60.0
BOTS = 8
PAUSE_S = 10.0
"""How long it is quiet between two leagues: this is to last, and not to load the machine."""
THINKS_S = 0.02
READ_EVERY_S = 2.0
_MEBIBYTE = 1 << 20
_MORE = {"MiB": 1.05, "descriptors": 1.1, "threads": 1.0}
"""By what factor a process may have more of each in the last quarter than in the second one."""
_SLACK = {"MiB": 2.0, "descriptors": 4.0, "threads": 1.0}
"""How much more it may have whatever it had before: how many matches are under way is left to chance."""

Measures = Mapping[str, float]


@dataclass
class Soak:
    """What was measured, by process and measure: pairs of minutes and values."""

    began: float = field(default_factory=time.monotonic)
    curves: dict[str, dict[str, list[tuple[float, float]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def note(self, name: str, measured: Measures) -> None:
        """Note what a process has now."""
        minutes = (time.monotonic() - self.began) / 60
        for what, value in measured.items():
            self.curves[name][what].append((minutes, value))

    def quarters(self, name: str, what: str) -> tuple[float, float]:
        """The medians of the second quarter of the time, and of the last one."""
        curve = self.curves[name][what]
        end = curve[-1][0]
        second = [value for minutes, value in curve if end / 4 <= minutes < end / 2]
        last = [value for minutes, value in curve if minutes >= 3 * end / 4]
        return statistics.median(second), statistics.median(last)


async def watch(soak: Soak, arena_: Arena) -> None:
    """Look at every process and at the store for ever."""
    processes = [*(node for node, _ in arena_.nodes), arena_.web, *arena_.servers.kept]
    async with await arena_.store() as store:
        while True:
            for kept in processes:
                if kept.pid:
                    soak.note(kept.name, _of(psutil.Process(kept.pid)))
            finished = 0
            async for league in all_pages(store.leagues.list):
                finished += league.state == "finished"
            found = len(await keys(store, "*"))
            memory = (await store.survey.server()).memory / _MEBIBYTE
            soak.note("arena", {"finished leagues": finished, "keys": found, "store's data, MiB": memory})
            await asyncio.sleep(EVERY_S)


def _of(process: psutil.Process) -> Measures:
    return {
        "MiB": process.memory_info().rss / _MEBIBYTE,
        "descriptors": process.num_fds(),
        "threads": process.num_threads(),
    }


async def prune(arena_: Arena) -> None:
    """Remove the replays of leagues that are over, for ever."""
    while True:
        await asyncio.sleep(PRUNE_EVERY_S)
        await arena("prune", "--replays", "1m", "--matches", "1m", "--logs", "1m", *arena_.place)


async def read(pages: str, run: Run) -> None:
    """Read pages for ever, those of the newest league among them."""
    paths = ("/", "/leagues", "/bots", "/matches", "/learn", "/api/v1/leagues")
    for number in count():
        newest = [f"/leagues/{name}" for name in [*run.tables][-1:]]
        for path in (paths[number % len(paths)], *newest):
            await asyncio.to_thread(_read, pages + path)
        await asyncio.sleep(READ_EVERY_S)


def _read(url: str) -> None:
    with urllib.request.urlopen(url, timeout=60) as answer:
        answer.read()


async def soaked(folder: Path, minutes: float) -> tuple[Soak, Run]:
    """Play for so long."""
    wanted = Wanted("redis", (), 0, BOTS, 1, 10.0, list(VARIANTS), "soak", "", folder, folder / "nodes", submits=True)
    wanted.temporary.mkdir()
    connected = [f"bot-{number}" for number in range(1, BOTS // 2 + 1)]
    house = [f"random-{number}" for number in range(1, BOTS // 2 + 1)]
    playing = Arena(
        folder / "hit", Single(folder / "hit"), connected, wanted.lease_s, wanted.temporary, nodes=2, thinks_s=THINKS_S
    )
    run, over = Run(), asyncio.Event()
    async with playing.running():
        token = await arena("owner", "create", OWNER, *LIMITS, *playing.place)
        submitter = Submitter(",".join(line.address for line in playing.lines), token.strip())
        sent = folders(folder / "sent", mark_of(folder), list(VARIANTS))
        versions = {bot: await submitter.submit(place) for bot, place in sent.items()}
        run.say("it begins")
        soak = Soak()
        pages = f"http://127.0.0.1:{playing.pages_port}"
        beside = [asyncio.create_task(task) for task in (watch(soak, playing), prune(playing), read(pages, run))]
        async with asyncio.TaskGroup() as group:
            started = partial(mirror_league, wanted, house=house, versions=versions)
            for league in (started, partial(field_league, wanted, connected=connected)):
                group.create_task(keep_playing(playing, run, league, over, PAUSE_S))
            await asyncio.sleep(60 * minutes)
            over.set()
        for task in beside:
            if task.done():
                task.result()  # raises why it has ended
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
    return soak, run


def judged(soak: Soak) -> tuple[list[str], list[str]]:
    """A table of what everything had, and what has grown."""
    lines, grown = ["| | of | second quarter | last quarter |", "| --- | --- | --- | --- |"], []
    for name, curves in soak.curves.items():
        for what in curves:
            before, after = soak.quarters(name, what)
            lines.append(f"| {what} | {name} | {before:.4g} | {after:.4g} |")
            if what in _MORE and after > before * _MORE[what] + _SLACK[what]:
                grown.append(f"{what} of {name} have grown from {before:.4g} to {after:.4g}")
    (few, many), (less, more) = soak.quarters("arena", "finished leagues"), soak.quarters("arena", "keys")
    if many > few:
        lines.append(f"| keys a finished league | arena | | {(more - less) / (many - few):.3g} |")
    return lines, grown


def main(arguments: Sequence[str]) -> int:
    """Play, tell, and draw the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--data", type=Path, help="where all that was measured is written, as JSON")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="soak-") as made:
        Path(made).chmod(0o755)  # the cages' users have to get to what is copied there for them
        folder = given.folder or Path(made) / "run"
        folder.mkdir(parents=True, exist_ok=True)
        soak, run = asyncio.run(soaked(folder, given.minutes))
    if given.data:
        given.data.write_text(json.dumps(soak.curves))
    lines, grown = judged(soak)
    matches = sum(table["matches"] for table in run.tables.values())
    print(f"{given.minutes:g} minutes, {len(run.files)} leagues of {matches} matches", *lines, *grown, sep="\n")
    if given.curve:
        given.curve.write_text(drawn(soak.curves))
    return min(1, len(grown))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
