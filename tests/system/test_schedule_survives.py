"""A schedule whose node is killed between any two of its steps goes on with another: nothing twice, nothing lost."""

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import redis
from arena_command import DEADLINE_S, done, league_file
from killing_proxy import KillingProxy, killable_node
from several_nodes import redis_server

from arena.organizer.schedules import Season, season_of
from arena.proof.archives import export, proof
from arena.store import Store
from arena.store.scripts import SCRIPTS

# Its own starts are decades apart: what is due, the test decides.
SCHEDULE = '[schedule]\nstart = "every 999999 hours"\nopen = "10 minutes"\ntimes = 2\n'


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A store whose server knows all scripts, with a season of two leagues of two matches each."""
    file = league_file(tmp_path, ["house:random"] * 2, name="cup", rounds=1, boards=1)
    text = file.read_text().replace(f'secret = "{"5a" * 32}"\n', "options = { months = 1 }\n")
    file.write_text(text + SCHEDULE)
    with redis_server(tmp_path) as found:
        with redis.Redis.from_url(found) as client:
            for script in ("create_league", "start_league", "swap_record"):
                client.script_load(SCRIPTS[script].source)
        done("league", "schedule", file, "--redis", found)
        yield found


class Watched:
    """The season in its store: its clock, which the test turns, and every league that was seen."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.commitments: dict[str, str] = {}

    async def season(self) -> Season | None:
        """The season, until it is over."""
        found = await self.store.schedules.list()
        return season_of(found[0]) if found else None

    async def turn(self, number: int | None = None) -> None:
        """Let the season's next step be due now; nothing happens while one is, nor after its league of this number."""
        now = time.time_ns() // 1_000
        for one in await self.store.schedules.list():
            season = season_of(one)
            if season.due_us > now and number in (None, season.number):
                due = {"start_us": now} if season.opened else {"open_us": now}
                season = msgspec.structs.replace(season, **due)
                await self.store.schedules.move(one, msgspec.msgpack.encode(season), season.due_us)

    async def states(self) -> dict[str, str]:
        """The state of each league. None has ever become another one."""
        leagues = (await self.store.leagues.list()).items
        for league in leagues:
            assert self.commitments.setdefault(league.name, league.commitment) == league.commitment
        return {league.name: league.state for league in leagues}

    async def goes_on_to_its_end(self, folder: Path) -> None:
        """Turn the clock until the season is over, and look at all that came of it."""
        async with asyncio.timeout(DEADLINE_S):
            while await self.season() is not None or "running" in (await self.states()).values():
                await self.turn()
                await asyncio.sleep(0.05)
        assert await self.states() == {"cup.1": "finished", "cup.2": "finished"}
        for name, commitment in self.commitments.items():
            league = await self.store.leagues.get(name)
            assert league.played == 2
            assert [entrant.bot for entrant in await self.store.leagues.entrants(name)] == ["bot-1", "bot-2"]
            await export(self.store, name, folder / f"{name}.zip")
            archive, checks = proof(folder / f"{name}.zip", processes=1)
            assert archive.head.commitment == commitment
            assert all(check.ok for check in checks)
        assert len((await self.store.replays.list()).items) == 4


@pytest.mark.parametrize(
    ("script", "nth", "run"),
    [
        pytest.param("create_league", 1, False, id="before it opens a league"),
        pytest.param("create_league", 1, True, id="when it has opened a league and does not know"),
        pytest.param("swap_record", 1, True, id="when a league is open, before it starts"),
        pytest.param("start_league", 1, False, id="before it starts a league"),
        pytest.param("start_league", 1, True, id="when it has started a league and does not know"),
        pytest.param("swap_record", 2, False, id="when a league has started, before the next one is put down"),
        pytest.param("swap_record", 2, True, id="when the next one is put down"),
        pytest.param("swap_record", 4, False, id="when the last one has started, before the season is over"),
    ],
)
async def test_a_season_goes_on_where_its_node_was_killed(
    tmp_path: Path, url: str, script: str, nth: int, run: bool
) -> None:
    async with (
        await Store.open(redis=url) as store,
        KillingProxy(url, SCRIPTS[script], nth, run=run).serving() as proxy,
    ):
        watched = Watched(store)
        async with killable_node(tmp_path, proxy.url) as first, asyncio.timeout(DEADLINE_S):
            proxy.victim = first
            while first.poll() is None:
                await watched.turn()
                await watched.states()
                await asyncio.sleep(0.02)
        assert first.returncode == -signal.SIGKILL
        async with killable_node(tmp_path, url):
            await watched.goes_on_to_its_end(tmp_path)


async def test_a_season_goes_on_when_its_node_was_killed_between_two_leagues(tmp_path: Path, url: str) -> None:
    async with await Store.open(redis=url) as store:
        watched = Watched(store)
        async with killable_node(tmp_path, url) as first, asyncio.timeout(DEADLINE_S):
            while await watched.states() != {"cup.1": "finished"}:
                await watched.turn(1)
                await asyncio.sleep(0.02)
            first.kill()
        async with killable_node(tmp_path, url):
            await watched.goes_on_to_its_end(tmp_path)
