"""Who only looks changes nothing in a store."""

from pathlib import Path

from arena.cli.in_process import client_of
from arena.cli.infos import league_of, table_of
from arena.league.reader import parse_league
from arena.organizer.steps import create
from arena.store import Store

LEAGUE = 'name = "spring"\nentries = ["house:greedy", "house:random"]\n'


async def changes(store: Store) -> int:
    """How often the data of a store has been changed."""
    return int((await store._client.call("INFO", "persistence"))["rdb_changes_since_last_save"])


async def test_showing_a_new_league_changes_nothing(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await create(store, parse_league(LEAGUE, "spring.toml"), [])
        client, before = client_of(store), await changes(store)
        assert before
        await league_of(client, "spring")
        await table_of(client, "spring")
        assert await changes(store) == before
