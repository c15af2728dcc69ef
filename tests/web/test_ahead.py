"""What pages of leagues need is made before anybody asks, whatever the store does meanwhile."""

import asyncio
import socket
from pathlib import Path

import pytest
from site_client import SiteUnderTest

from arena.bench.house_leagues import create, finished, house_league
from arena.node.node import running_node
from arena.organizer.steps import start
from arena.store import Store
from arena.store.errors import StoreUnavailableError
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site import ahead as making
from arena.web.site.ahead import Ahead
from arena.web.site.routes import site_routes
from arena.web.site.watchable import Watchable

LEAGUE = '[[divisions]]\nvariant = "koikoi"\nrounds = 30\nboards = 1\noptions = { months = 1 }'
PAGES = ("/leagues/cup", "/", "/leagues", "/bots", "/bots/bot-1", "/ja/leagues/cup")


async def commands(store: Store) -> int:
    """How many commands the store has had."""
    return int((await store._client.call("INFO", "stats"))["total_commands_processed"])


async def asked(store: Store, *, ahead: bool) -> int:
    """How many commands it takes to look at pages for the first time."""
    made = Ahead()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving(create_app(site_routes(store, Watchable(store.snapshots), ahead=made)), listening):
            if ahead:
                await made.make()
                before = await commands(store)
                await made.make()
                assert await commands(store) - before < 10, "nothing has changed, so nothing is made"
            before = await commands(store)
            site = SiteUnderTest(listening.getsockname()[1])
            for page in PAGES:
                assert (await asyncio.to_thread(site.get, page)).status == 200
            return await commands(store) - before


async def test_who_looks_first_waits_for_no_rounds_to_be_read(tmp_path: Path) -> None:
    async with await Store.open(tmp_path / "data", patience_s=60) as store:
        await create(store, house_league(4, LEAGUE), tmp_path, "cup")
        async with running_node(store, tmp_path) as node:
            await start(store, "cup")
            await finished(store, node, "cup")
        of_the_first, later = await asked(store, ahead=False), await asked(store, ahead=True)
        assert later < of_the_first / 2, (later, of_the_first)


@pytest.mark.parametrize("error", [StoreUnavailableError("nowhere", 1.0, "it is away"), KeyError("a league is gone")])
async def test_it_goes_on_after_an_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "PAUSE_S", 0.001)
    monkeypatch.setattr(making, "AFTER_ERROR_S", 0.001)
    ahead, calls, again = Ahead(), [], asyncio.Event()

    async def make() -> None:
        calls.append(len(calls))
        if len(calls) == 1:
            raise error
        again.set()

    ahead.of(make)
    async with ahead.running(), asyncio.timeout(60):
        await again.wait()
