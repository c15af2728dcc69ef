"""Leagues on several nodes while all sorts of things happen to them: everything is there, once.

`python tests/system/chaos.py [--store redis] [--faults all|quick|NAME,…] [--together 4] [--bots 12] [--rounds 2]
[--lease 4] [--variants koikoi,…] [--seed S] [--folder DIR] [--list]`: exit status 1 if anything was lost, counted
twice, came out otherwise than undisturbed, or was not told of.

Leagues over all variants, or those that are named, go on all the time: one with mirrored boards, of house bots and of
two submitted bots that the nodes start, one with shared boards and bots that connect by themselves, to any node. An
owner sends in the submitted bots over the network, and further versions of one of them all the time. Meanwhile every
fault of the table in `chaos_faults.py` that the store's kind has is dealt once, one after another in an order by
chance, and after each the run waits until the nodes' metrics and logs have told of it. Then several at once, at random.

At the end each league is exported and verified, its tables compared with those of the same league on one node that
nobody disturbs, and with those of arenas that were restored from the backups taken meanwhile; the store is searched
for jobs that are left, and the nodes' logs for a lease lost without a fault; and no node may have ended by itself.
Every version that was acknowledged is there with its content, none is half done, and nothing is left of any cage.
Where another server takes the place of one that is lost, what was acknowledged in that moment may be lost, so no
versions are sent in there meanwhile.
"""

import argparse
import asyncio
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from chaos_arena import Arena, arena
from chaos_checks import Blow, leftovers, unexplained
from chaos_faults import FAKETIME, FAULTS, Hit, deal
from chaos_stores import STORES, Embedded, Single
from chaos_submissions import LIMITS, OWNER, Submitter, folders, left, lost, mark_of
from chaos_told import log_events

from arena.store.paging import all_pages
from core_ext import VARIANTS

KINDS = ("random", "level1")
PAUSE_S = 8.0
"""How long it is quiet between two leagues of bots that the nodes start, which are soon over."""
AT_ONCE = 3
"""How many faults are dealt at once, of those that are dealt together."""
LEASE_S = 4.0
_STORES_DISK, _NODES_DISK = "size=192m", "size=512m"
_INSIDE = "ARENA_CHAOS_INSIDE"
"""Set where file systems may be mounted for this run alone."""


@dataclass(frozen=True)
class Wanted:
    """How a run is to be."""

    store: str
    faults: Sequence[str]
    together: int
    bots: int
    rounds: int
    lease_s: float
    variants: Sequence[str]
    seed: str
    options: str
    folder: Path
    temporary: Path
    submits: bool


@dataclass
class Run:
    """What comes of a run."""

    wrong: list[str] = field(default_factory=list)
    blows: list[Blow] = field(default_factory=list)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def say(self, line: str) -> None:
        """Say what has happened."""
        print(f"{time.monotonic() - self.began:6.1f} s  {line}", flush=True)


# What is played.


def mirror_league(wanted: Wanted, number: int, house: Sequence[str], versions: Mapping[str, str]) -> Path:
    """A league of mirrored boards for house bots and submitted ones, of which the versions are given."""
    started = {name: f"house:{name.partition('-')[0]}" for name in house}
    started |= {bot: f"{bot}@{version}" for bot, version in versions.items()}
    return _league_file(wanted, f"mirror-{number}", "mirror", 1, started)


def field_league(wanted: Wanted, number: int, connected: Sequence[str]) -> Path:
    """A league of shared boards for the bots that connect."""
    # Each bot sits in each of two seats, or of three, equally often.
    boards = 6 if "sangohana" in wanted.variants else 2
    return _league_file(wanted, f"field-{number}", "field", boards, {name: name for name in connected})


async def keep_playing(
    arena_: Arena, run: Run, league: Callable[[int], Path], over: asyncio.Event, pause_s: float
) -> None:
    """Play one league after another until it is over, and the last of them to its end."""
    for number in itertools.count(1):
        file = league(number)
        run.files.append(file)
        await arena_.league(file)
        run.tables[file.stem] = await arena_.finished(file.stem)
        if over.is_set():
            return
        await asyncio.sleep(pause_s)


def _league_file(wanted: Wanted, name: str, board_sets: str, boards: int, entries: Mapping[str, str]) -> Path:
    named = "".join(f'    {{ name = "{name}", bot = "{bot}" }},\n' for name, bot in entries.items())
    options = f"options = {{ {wanted.options} }}\n" if wanted.options else ""
    divisions = "".join(f'[[divisions]]\nvariant = "{variant}"\n{options}' for variant in wanted.variants)
    file = wanted.folder / f"{name}.toml"
    file.write_text(
        f'name = "{name}"\nboard_sets = "{board_sets}"\nrounds = {wanted.rounds}\nboards = {boards}\n'
        # Time is not what is tried here: few cores carry many processes that are killed and started again.
        f'secret = "{"5a" * 32}"\nper_decision_ms = 300000\nreconnect_ms = 300000\ncover_ms = 0\n'
        f"entries = [\n{named}]\n{divisions}"
    )
    return file


# What happens meanwhile.


async def rage(hit: Hit, wanted: Wanted, run: Run) -> None:
    """Deal every fault, one after another, and then several at once."""
    names = hit.dice.sample(list(wanted.faults), len(wanted.faults))
    for name in names:
        _note(await deal(name, hit, run.blows), run)
    for _ in range(wanted.together):
        several = hit.dice.sample(names, min(AT_ONCE, len(names)))
        run.say(f"together: {', '.join(several)}")
        for told in await asyncio.gather(*(deal(name, hit, run.blows) for name in several)):
            _note(told, run)


def _note(told: str, run: Run) -> None:
    run.say(told)
    if "NOT TOLD" in told:
        run.wrong.append(told)


async def disturbed(wanted: Wanted, house: Sequence[str], connected: Sequence[str]) -> tuple[Run, Hit, list[int]]:
    """Play leagues while everything happens; what came of it, and the processes of all nodes."""
    run, servers = Run(), STORES[wanted.store](wanted.folder / "hit")
    older = "upgrade" in wanted.faults
    arena_ = Arena(wanted.folder / "hit", servers, connected, wanted.lease_s, wanted.temporary, older=older)
    mark = mark_of(wanted.folder)
    async with arena_.running() as hit_arena:
        place = hit_arena.place
        token = await arena("owner", "create", OWNER, *LIMITS, *place)
        submitter = Submitter(",".join(line.address for line in hit_arena.lines), token.strip())
        sent = folders(wanted.folder / "sent", mark, wanted.variants) if wanted.submits else {}
        run.versions = {bot: await submitter.submit(folder) for bot, folder in sent.items()}
        run.say("the bots are sent in; it begins")
        hit, over = Hit(hit_arena, random.Random(wanted.seed)), asyncio.Event()
        submitting = None
        if sent and not servers.replaced:
            submitting = asyncio.create_task(submitter.keep_on([*sent.values()], random.Random(wanted.seed), over))
        started, fields = (
            partial(mirror_league, wanted, house=house, versions=run.versions),
            partial(field_league, wanted, connected=connected),
        )
        async with asyncio.TaskGroup() as group:
            for league, pause_s in ((started, PAUSE_S), (fields, 0.0)):
                group.create_task(keep_playing(hit_arena, run, league, over, pause_s))
            await rage(hit, wanted, run)
            over.set()
        run.say(f"{len(run.files)} leagues are over")
        if submitting is not None:
            await submitting
        for file in run.files:
            archive = wanted.folder / f"{file.stem}.zip"
            await arena("league", "export", file.stem, archive, *place)
            await arena("league", "verify", archive)
        async with await hit_arena.store() as store:
            run.wrong += [f"left in the store: {key}" for key in await leftovers(store)]
            run.wrong += await lost(store, submitter)
        events = chain.from_iterable(log_events(node.log) for node, _ in hit_arena.nodes)
        run.wrong += [f"unexplained: {line}" for line in unexplained(events, run.blows)]
        for node, _ in hit_arena.nodes:
            run.wrong += [f"{node.name} ended by itself with status {status}" for status in node.statuses if status > 0]
    struck = sum(submitter.was_at_it(blow.began) for blow in run.blows)
    run.say(f"{len(submitter.acknowledged)} versions were sent in and qualified; {struck} faults came meanwhile")
    for told, times in Counter(submitter.refusals).items():
        run.say(f"a submission had to be begun again, {times} times: {told.strip()}")
    return run, hit, [pid for node, _ in hit_arena.nodes for pid in node.pids]


async def undisturbed(wanted: Wanted, files: Iterable[Path], connected: Sequence[str]) -> dict[str, object]:
    """The tables of the same leagues on one node that nobody hits."""
    folder = wanted.folder / "quiet"
    async with Arena(
        folder, Single(folder), connected, wanted.lease_s, wanted.temporary, nodes=1, thinks_s=0.0
    ).running() as quiet:
        for bot in sorted((wanted.folder / "sent").glob("*")) if wanted.submits else ():
            if bot.name in ("python", "native"):
                await arena("bot", "submit", bot, *quiet.place)
        for file in files:
            await quiet.league(file)
        return {file.stem: await quiet.finished(file.stem) for file in files}


async def restored(wanted: Wanted, backup: Path, hit: Arena, connected: Sequence[str]) -> dict[str, object]:
    """The tables of all leagues of a backup, played on to their ends by an arena that is made of it."""
    folder = wanted.folder / f"of-{backup.stem}"
    servers = Embedded(folder)
    await arena("restore", backup, *servers.place)
    again = Arena(folder, servers, connected, wanted.lease_s, wanted.temporary, tokens=hit.tokens)
    async with again.running(), await again.store() as store:
        names = [league.name async for league in all_pages(store.leagues.list)]
        return {name: await again.finished(name) for name in names}


async def main(wanted: Wanted) -> int:
    """Hit an arena while leagues are played; how much was found wrong."""
    house = [f"{KINDS[number % len(KINDS)]}-{number}" for number in range(1, wanted.bots // 2 + 1)]
    connected = [f"bot-{number}" for number in range(1, wanted.bots - len(house) + 1)]
    run, hit, pids = await disturbed(wanted, house, connected)
    run.wrong += [
        f"league {name} says that {shown['versions']} played, and not {run.versions}"
        for name, shown in run.tables.items()
        if name.startswith("mirror") and run.versions and shown["versions"] != run.versions
    ]
    expected = await undisturbed(wanted, run.files, connected)
    run.say("the same leagues were played undisturbed")
    run.wrong += [
        f"the table of {name} is another than undisturbed" for name in run.tables if run.tables[name] != expected[name]
    ]
    for backup in hit.backups:
        tables = await restored(wanted, backup, hit.arena, connected)
        run.say(f"{len(tables)} leagues of a backup were played on: {', '.join(tables)}")
        run.wrong += [f"the table of {name}, restored, is another" for name in tables if tables[name] != expected[name]]
    # Afterwards: the next node removes what killed ones could not.
    run.wrong += left(mark_of(wanted.folder), pids, wanted.temporary)
    matches = sum(shown["matches"] for shown in run.tables.values())
    kinds = Counter(blow.kind for blow in run.blows)
    run.say(f"{len(run.blows)} faults of {len(kinds)} kinds on {len(run.files)} leagues of {matches} matches")
    for line in run.wrong:
        print(line)
    return len(run.wrong)


def chosen(text: str, store: str, *, may_mount: bool) -> Iterator[str]:
    """The names of the faults that are wanted. Raises SystemExit for one that there is not."""
    wanted = [name.strip() for name in text.split(",")]
    if unknown := [name for name in wanted if name not in {*FAULTS, "all", "quick"}]:
        raise SystemExit(f"there is no fault {unknown[0]!r}; --list shows them")
    for name, fault in FAULTS.items():
        is_wanted = name in wanted or "all" in wanted or ("quick" in wanted and fault.quick)
        if not is_wanted or store not in fault.stores:
            continue
        if fault.needs_root and not may_mount:
            print(f"not dealt, as only root can make a small disk: {name}")
        elif name == "clocks apart" and not FAKETIME.exists():
            print(f"not dealt, as the Debian package faketime is not installed: {name}")
        else:
            yield name


def small_disks(folder: Path, temporary: Path) -> None:
    """Make the disks of the stores and of the nodes small, so that they can be filled."""
    for place, size in ((folder / "hit" / "servers", _STORES_DISK), (temporary, _NODES_DISK)):
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"{size},mode=755", "none", place], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", choices=list(STORES), default="redis")
    parser.add_argument("--faults", default="all")
    parser.add_argument("--together", type=int, default=4)
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--lease", type=float, default=LEASE_S)
    parser.add_argument("--variants", type=lambda names: names.split(","), default=list(VARIANTS))
    parser.add_argument("--options", default="", help="of each division: months = 1")
    parser.add_argument("--no-submissions", action="store_true")
    parser.add_argument("--seed", default="chaos")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--list", action="store_true", help="the faults, and on which stores each is dealt")
    given = parser.parse_args()
    if given.list:
        for name, fault in FAULTS.items():
            print(f"{name}: {', '.join(sorted(fault.stores))}")
        sys.exit()
    inside = _INSIDE in os.environ
    if os.geteuid() == 0 and not inside and shutil.which("unshare"):
        os.environ[_INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    faults = list(chosen(given.faults, given.store, may_mount=inside))
    with tempfile.TemporaryDirectory(prefix="chaos-") as made:
        folder, temporary = given.folder or Path(made) / "run", Path(made) / "nodes"
        # The cages' users have to get to what is copied there for them.
        Path(made).chmod(0o755)
        temporary.mkdir()
        disks = inside and any(FAULTS[name].needs_root for name in faults)
        if disks:
            small_disks(folder, temporary)
        wanted = Wanted(
            given.store, faults, given.together, given.bots, given.rounds, given.lease, given.variants, given.seed,
            given.options, folder, temporary, not given.no_submissions,
        )  # fmt: skip
        try:
            wrong = asyncio.run(main(wanted))
        finally:
            for place in (folder / "hit" / "servers", temporary) if disks else ():
                subprocess.run(["umount", "--lazy", place], check=False)
        sys.exit(min(1, wrong))
