"""Arenas that have each fault that an alert is for: what their metrics said before it, and with it.

Every fault is a real one: stores that hang, lose, or have no disk left, nodes that are stopped, killed, or short of
files, a league that no node can play, one whose step fails, calls that end in a traceback, cages that are killed.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest
from arena_command import ARENA, Running, arena, children, done, league_file, process_output, running, until
from bots_in_tests import write_bot
from chaos_arena import cages_below
from chaos_faults import FAKETIME
from operators_port import asked, stopped
from prometheus_client.parser import text_string_to_metric_families
from store_servers import ServerProcess, tcp_server, tell

from arena.store import EntryRecord, Store

Answer = Mapping[tuple[str, tuple[tuple[str, str], ...]], float]
"""The samples of an answer by name and labels, as Prometheus stores them."""

_OPTIONS = ("--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
_DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
_LOSSY = ("--appendonly", "no", "--maxmemory", "16mb", "--maxmemory-policy", "volatile-lru")
_NO_BUBBLEWRAP = {"PATH": "/nonexistent"}
_AHEAD = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": "+60s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
_KILLED_CAGES = 12


class Change(NamedTuple):
    """What an arena answered before a fault, and with it."""

    before: Answer
    after: Answer


Changes = Mapping[str, Change]
"""By the alert that is for the fault."""


def scraped(url: str) -> Answer:
    """What Prometheus stores of one scrape."""
    try:
        text = asked(url)[1]
    except OSError:
        return {("up", ()): 0.0}
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {("up", ()): 1.0} | {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in samples}


def value(answer: Answer, name: str, **labels: str) -> float:
    """A sample of an answer; 0 where there is none."""
    return answer.get((name, tuple(sorted(labels.items()))), 0.0)


def arenas_at_fault(folder: Path) -> tuple[Answer, Changes]:
    """An arena that is well, and every fault."""
    with ThreadPoolExecutor() as pool:
        parts = (_stalled_killed_and_short_of_files, _with_a_bad_store, _ahead, _stopped_and_stuck, _without_cages)
        places = [folder / part.__name__ for part in parts]
        for place in places:
            place.mkdir()
        changes = dict[str, Change]()
        for found in pool.map(lambda part, place: part(place), parts, places):
            changes |= found
    return changes["ArenaDown"].before, changes


@contextmanager
def _node(folder: Path, *where: str | Path, env: dict[str, str] | None = None) -> Iterator[tuple[Running, str]]:
    with running("serve", *_OPTIONS, *where, "--data", folder / "data", cwd=folder, env=env) as run:
        yield run, _metrics_of(run)


def _metrics_of(run: Running) -> str:
    return run.wait_for(r"metrics at (\S+)")[1]


def _answer_when(url: str, holds: Callable[[Answer], bool], what: str) -> Answer:
    found: list[Answer] = []

    def asked_again() -> bool:
        found.append(scraped(url))
        return holds(found[-1])

    until(asked_again, what)
    return found[-1]


def _stalled_killed_and_short_of_files(folder: Path) -> Changes:
    with _node(folder) as (run, url):
        well = scraped(url)
        [store] = children(run, "valkey-server")
        with stopped(store):
            hangs = scraped(url)
        exchanges = "arena_store_exchange_seconds_count"
        slow = _answer_when(url, lambda now: value(now, exchanges) > value(well, exchanges), "the store answered")
        node = psutil.Process(run.process.pid)
        _, most = node.rlimit(psutil.RLIMIT_NOFILE)
        node.rlimit(psutil.RLIMIT_NOFILE, (node.num_fds() + 6, most))
        short = scraped(url)
        run.process.kill()
        run.end()
        return {
            "ArenaStoreDown": Change(well, hangs),
            "ArenaStoreSlow": Change(well, slow),
            "ArenaDescriptors": Change(slow, short),
            "ArenaDown": Change(well, scraped(url)),
        }


def _with_a_bad_store(folder: Path) -> Changes:
    (disk := folder / "disk").mkdir()
    with tcp_server(disk, *_LOSSY) as server, _node(folder, "--redis", server.url) as (run, url):
        address = run.wait_for(r"listening on (\S+)")[1]
        token = done("owner", "create", "ann", *_where(folder, server)).strip()
        tell(server.url, "SETRANGE filler 13000000 x")
        lossy = scraped(url)
        shutil.rmtree(disk)
        with pytest.raises(AssertionError, match="Can't execute an AOF background rewriting"):
            tell(server.url, "BGREWRITEAOF")
        no_disk = _answer_when(url, lambda now: not value(now, "arena_store_writes"), "the store cannot write")
        tell(server.url, "SET hfa:leagues damaged")
        asking = arena("league", "list", "--server", address, cwd=folder, env={"ARENA_TOKEN": token})
        assert "its log says more" in asking.stderr
        failed = scraped(url)
    return {
        "ArenaStoreNotDurable": Change(lossy, lossy),
        "ArenaStoreMayEvict": Change(lossy, lossy),
        "ArenaStoreMemory": Change(lossy, lossy),
        "ArenaStoreCannotWrite": Change(lossy, no_disk),
        "ArenaErrors": Change(no_disk, failed),
    }


def _ahead(folder: Path) -> Changes:
    with tcp_server(folder, *_DURABLE) as server:
        command = [ARENA, "serve", *_OPTIONS, "--redis", server.url, "--data", folder / "data"]
        with process_output(command, cwd=folder, env=_AHEAD) as run:
            apart = scraped(_metrics_of(run))
    return {"ArenaClocksApart": Change(apart, apart)}


def _stopped_and_stuck(folder: Path) -> Changes:
    where = partial(_where, folder)
    with ExitStack() as stack:
        server = stack.enter_context(tcp_server(folder, *_DURABLE))
        nodes = []
        for name in ("stopped", "other"):
            (place := folder / name).mkdir()
            options = ("--redis", server.url, "--lease", "1")
            nodes.append(stack.enter_context(_node(place, *options, env=_NO_BUBBLEWRAP)))
        (first, url), (_, other) = nodes
        well = scraped(url)
        # Thousands of matches, so that there are some left whenever the node is stopped.
        bots = 2 * ("house:random", "house:greedy")
        _begin(league_file(folder, bots, rounds=1, boards=1_000), where(server))
        _answer_when(url, lambda now: value(now, "arena_playing") > 0, "the node plays")
        with stopped(psutil.Process(first.process.pid)):
            taken = "arena_jobs_taken_over_total"
            _answer_when(other, lambda now: value(now, taken) > 0, "the other node takes matches over")
        lost = _answer_when(url, lambda now: value(now, "arena_leases_lost_total") > 0, "the node has lost leases")
        done("league", "cancel", "spring", *where(server))
        caged = (_idle_bot(folder), "house:random")
        _begin(league_file(folder, caged, name="caged", rounds=1), where(server))
        stuck = _answer_when(url, _stuck, "matches wait, and no node plays them")
        asyncio.run(_create_broken_league(server.url))
        parked = _answer_when(url, lambda now: value(now, "arena_jobs", state="parked") > 0, "a step was given up")
    return {
        "ArenaLeasesLost": Change(well, lost),
        "ArenaNoNodeForDivision": Change(well, stuck),
        "ArenaNothingPlays": Change(well, stuck),
        "ArenaJobsParked": Change(well, parked),
    }


def _stuck(now: Answer) -> bool:
    waits = value(now, "arena_jobs", state="ready") > 0 and value(now, "arena_playing") == 0
    return waits and value(now, "arena_divisions_without_node") > 0


async def _create_broken_league(url: str) -> None:
    """Start a league whose file no node can read, so that its first step fails each time that it is tried."""
    async with await Store.open(redis=url) as store:
        bots = [EntryRecord(name) for name in ("ann", "bob")]
        await store.leagues.create("broken", b"{", digest="broken", divisions={"koikoi": 1}, entrants=bots)
        await store.leagues.start("broken")


def _without_cages(folder: Path) -> Changes:
    with tcp_server(folder, *_DURABLE) as server, _node(folder, "--redis", server.url) as (run, url):
        well = scraped(url)
        _begin(league_file(folder, (_idle_bot(folder), "house:random"), rounds=1, boards=8), _where(folder, server))

        run.wait_for("takes submitted bots and bots by path")

        def killed_enough(now: Answer) -> bool:
            for cage in cages_below(run.process.pid):
                with suppress(psutil.NoSuchProcess):
                    cage.kill()
            return value(now, "arena_cage_ends_total", reason="lost") >= _KILLED_CAGES

        killed = _answer_when(url, killed_enough, "cages were lost")
    return {"ArenaBotsKilled": Change(well, killed)}


def _where(folder: Path, server: ServerProcess) -> Sequence[str | Path]:
    return ("--redis", server.url, "--data", folder / "data")


def _begin(file: Path, where: Sequence[str | Path]) -> None:
    done("league", "open", file, *where)
    done("league", "start", file.stem, *where)


def _idle_bot(folder: Path) -> str:
    """A bot that never says a word."""
    write_bot(folder, "idle", "import time\ntime.sleep(60)\n")
    return "./idle.py"
