"""Who uses a data folder's store is killed, one after the other, in every order: nothing is lost or started twice.

`python tests/system/kill_orders.py` takes all orders, `test_kill_orders.py` some of them. A league's run, the pages, a
third command and the store's own process share a folder. Whoever is left goes on after each kill, there is one store at
most, and in the end the league has the table of one that nobody disturbed.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from http import HTTPStatus
from itertools import permutations
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
from arena_command import DEADLINE_S, Running, document, league_file, pages_port, running, standings_of, until

LEAGUE, PAGES, COMMAND, STORE = "league", "pages", "command", "store"
KILLED = (LEAGUE, PAGES, COMMAND, STORE)
ROUNDS = 60


def rotations() -> list[tuple[str, ...]]:
    """Four orders, in which each is the first and each the last to be killed."""
    return [KILLED[first:] + KILLED[:first] for first in range(len(KILLED))]


def check(folder: Path, orders: Iterable[tuple[str, ...]]) -> None:
    """Kill in these orders, then play the league to its end. AssertionError where anything is not as it should be."""
    expected = _table(_arena(folder, "undisturbed"))
    for order in orders:
        arena = _arena(folder, "-".join(order))
        _kill(arena, order)
        assert _table(arena) == expected, order


def _arena(folder: Path, name: str) -> Path:
    arena = folder / name
    arena.mkdir()
    league_file(arena, ["house:random", "house:greedy", "house:random"], rounds=ROUNDS, boards=1)
    return arena


def _table(arena: Path) -> list[dict[str, object]]:
    """Play the league to its end; its table."""
    return standings_of(document("league", "run", "spring.toml", cwd=arena))


def _kill(folder: Path, order: tuple[str, ...]) -> None:
    """Start all, and kill them in this order."""
    played = 0
    with ExitStack() as open_:
        runs = {LEAGUE: open_.enter_context(running("league", "run", "spring.toml", cwd=folder))}
        runs[LEAGUE].wait_for("matches played")
        runs[PAGES] = open_.enter_context(running("web", "--listen", "127.0.0.1:0", cwd=folder))
        runs[COMMAND] = open_.enter_context(running("status", "--watch", "0.5", cwd=folder))
        site = f"http://127.0.0.1:{pages_port(runs[PAGES])}"
        runs[COMMAND].wait_for(".")
        for killed in order:
            if killed == STORE:
                _kill_store(folder, is_used=bool(runs))
            else:
                run = runs.pop(killed)
                run.process.kill()
                run.end()
            played = _goes_on(folder, runs, site, played)
    until(lambda: not _stores(folder), "the store has ended with its last user")


def _kill_store(folder: Path, *, is_used: bool) -> None:
    """Kill the store's process, and wait for the next one where anybody is left to start it."""
    if is_used:
        until(lambda: _stores(folder), "there is a store")
    for process in (before := _stores(folder)):
        process.kill()
        process.wait()
    if is_used:
        until(lambda: set(_stores(folder)) - set(before), "the store is started again")


def _goes_on(folder: Path, runs: dict[str, Running], site: str, played: int) -> int:
    """Check that who is left is served by one store that has lost nothing; how many matches it has."""
    for name, run in runs.items():
        assert name == LEAGUE or run.process.poll() is None, (name, run.lines)
    if PAGES in runs:
        until(lambda: _answers(f"{site}/api/v1/leagues/spring"), "the pages show the league")
    assert len(_stores(folder)) <= 1
    if not runs:
        return played
    league = document("league", "show", "spring", cwd=folder)
    assert len(_stores(folder)) <= 1
    assert league["matches"] >= played
    return int(league["matches"])


def _answers(address: str) -> bool:
    """Whether an address is answered; pages say 503 while the store is away. HTTPError for anything else."""
    try:
        with urlopen(address, timeout=DEADLINE_S) as answer:
            answer.read()
    except HTTPError as error:
        if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        return False
    return True


def _stores(folder: Path) -> list[psutil.Process]:
    """The processes of servers that run in the data folder."""
    found = []
    for process in psutil.process_iter(["cwd", "name", "status"]):
        told = process.info
        is_server = "valkey" in (told["name"] or "") or "redis" in (told["name"] or "")
        if is_server and told["cwd"] == str(folder / "arena-data") and told["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def main() -> None:
    """Take every order."""
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        orders = list(permutations(KILLED))
        check(Path(folder), _told(orders))
    print(f"{len(orders)} orders: nothing was lost or started twice")


def _told(orders: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for order in orders:
        print(", ".join(order), flush=True)
        yield order


if __name__ == "__main__":
    main()
