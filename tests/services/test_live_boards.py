"""Who can watch a league's matches while they are played: nobody whose knowledge could reach a seat of the board."""

import asyncio
import http.client
import json
import re
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from service_node import Node, refusal

from arena.league.reader import parse_league
from arena.match.journal import Entry, Journal, Played
from arena.match.live import LiveMatches, read_snapshot
from arena.match.model import MatchSpec
from arena.node.chores import repeat, show_matches
from arena.node.node import Node as RunningNode
from arena.node.node import running_node
from arena.node.server import Listen
from arena.organizer.entries import check, entrants_of
from arena.organizer.steps import create, start
from arena.store import Store
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site.routes import site_routes
from arena.web.site.watchable import Watchable
from hanafuda.arena.v1 import match_pb2, match_pb2_grpc, replay_pb2, replay_pb2_grpc

MATCHES = tuple(f"spring.koikoi.r1.t{table}.b{board}.a" for table in (1, 2) for board in (1, 2))


class Held:
    """A journal in which nothing is written before it is let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def write(self, entry: Entry) -> None:
        await self.go.wait()


class Recorded(LiveMatches):
    """Remembers every match that could be watched, and how much of it; holds matches at their first action."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, bool] = {}
        self.held: dict[str, Held] = {}

    @contextmanager
    def playing(self, spec: MatchSpec, journal: Journal | None, played: Sequence[Entry], *, whole: bool) -> Any:
        self.seen[spec.match_id] = whole
        with super().playing(spec, self.held.get(spec.match_id, journal), played, whole=whole) as live:
            yield live


class Arena:
    """A node with pages in this process, and a league of field boards on it."""

    def __init__(self, store: Store, folder: Path, node: Node, worker: RunningNode, site: str, live: Recorded) -> None:
        self.store, self.folder, self.node, self.worker, self.site, self.live = store, folder, node, worker, site, live

    async def league(self, *bots: str) -> None:
        """A league of one round of two field boards begins."""
        entries = ", ".join(f'{{ name = "{bot.rpartition(":")[2]}-{n}", bot = "{bot}" }}' for n, bot in enumerate(bots))
        text = (
            f'name = "spring"\nsecret = "{"5a" * 32}"\nentries = [{entries}]\n'
            '[[divisions]]\nvariant = "koikoi"\nrounds = 1\nboards = 2\nboard_sets = "field"\n'
            "options = { months = 1 }\n"
        )
        spec = parse_league(text, "spring.toml")
        await create(self.store, spec, await entrants_of(self.store, spec, check(spec, self.folder)))
        await start(self.store, spec.name)

    async def until(self, played: int) -> None:
        """Wait until so many matches are over."""
        async with asyncio.timeout(120):
            while (await self.store.leagues.get("spring")).divisions[0].played < played:
                await self.worker.progress(timeout=1.0)

    async def ask(self, path: str) -> tuple[int, Any]:
        """What a page's JSON says."""
        return await asyncio.to_thread(_ask, self.site, path)


def _ask(site: str, path: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(site).netloc, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, json.loads(body) if path.startswith("/api/") else body.decode()


async def arena(stack: AsyncExitStack, tmp_path: Path, short_path: Path) -> Arena:
    address, live = f"unix:{short_path}/s", Recorded()
    store = await stack.enter_async_context(await Store.open(tmp_path / "data"))
    running = running_node(store, tmp_path, Listen((address,)), live=live)
    worker = await stack.enter_async_context(running)
    channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
    listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    watchable = await stack.enter_async_context(aclosing(Watchable(store.snapshots)))
    app = create_app(site_routes(store, watchable))
    await stack.enter_async_context(serving(app, listening))
    site = f"http://127.0.0.1:{listening.getsockname()[1]}"
    return Arena(store, tmp_path, Node(store, address, channel), worker, site, live)


async def test_a_connected_bot_finds_nothing_about_its_board_anywhere(tmp_path: Path, short_path: Path) -> None:
    """Its own boards are played at another table by house bots, which are done long before it answers."""
    async with AsyncExitStack() as stack:
        found = await arena(stack, tmp_path, short_path)
        token = await found.node.register("spy")
        spy = await found.node.connect(token, max_matches=4)
        await found.league("house:random", "house:random", "house:random", "spy")
        decision = (await spy.receive("decision")).decision
        await found.until(played=2)

        assert (await found.ask("/api/v1/live"))[1]["boards"] == []
        assert "spring." not in (await found.ask("/live?league=spring"))[1]
        _, round_ = await found.ask("/api/v1/leagues/spring/koikoi/rounds/1")
        matches = [match for table in round_["round"]["tables"] for match in table["matches"]]
        assert sorted(bool(match["end"]) for match in matches) == [False, False, True, True]
        for match in matches:
            match_id = f"spring.koikoi.r1.{match['name']}"
            assert (match["margins"], match["half_points"], match["replay"]) == ([], [], "")
            for path in (f"/api/v1/live/{match_id}", f"/api/v1/replays/{match_id}"):
                assert (await found.ask(path))[0] == 404
            for path in (f"/live/{match_id}", f"/live/{match_id}/steps?seat=all"):
                status, page = await found.ask(path)
                assert (status, "data-card" in page) == (200, False), "how it stands is said, and no card is shown"
            watch = match_pb2_grpc.MatchServiceStub(found.node.channel).WatchMatch(
                match_pb2.WatchMatchRequest(match_id=match_id), metadata=(("authorization", f"Bearer {token}"),)
            )
            _, reason, _ = await refusal(watch.read())
            assert reason == "UNKNOWN_MATCH"
            get = replay_pb2.GetReplayRequest(replay_id=match_id)
            call = found.node.call(replay_pb2_grpc.ReplayServiceStub, "GetReplay", get, token)
            _, reason, _ = await refusal(call)
            assert reason in ("BOARD_OPEN", "UNKNOWN_REPLAY")
        assert found.live.seen == {}
        await found.store.snapshots.request()
        while not (shown := await found.store.snapshots.shown()):
            await found.worker.progress(timeout=0.2)
        assert list(map(read_snapshot, shown)) == [[]]

        await spy.move(decision)
        playing = asyncio.create_task(spy.play_on())
        await found.until(played=4)
        for match in matches:
            assert (await found.ask(f"/api/v1/replays/spring.koikoi.r1.{match['name']}"))[0] == 200
        assert found.live.seen == {}
        playing.cancel()


async def test_an_action_is_shown_once_the_journal_has_it_and_not_before() -> None:
    class Full:
        async def write(self, entry: Entry) -> None:
            raise OSError("no space left")

    spec = MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))
    with LiveMatches().playing(spec, Full(), [Played(0, 3, 0, None, 0)], whole=True) as live:
        written = live.write(Played(1, 2, 0, None, 0))
        assert written is not None
        with pytest.raises(OSError, match="no space left"):
            await written
        assert live.choices == b"\x03"


async def test_pages_apart_from_a_node_follow_the_matches_that_it_shows(tmp_path: Path) -> None:
    spec = MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))
    live = LiveMatches()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(await Store.open(tmp_path / "data"))
        apart = await stack.enter_async_context(aclosing(Watchable(store.snapshots)))
        showing = asyncio.create_task(repeat(partial(show_matches, store.snapshots, "a-node", live), "not shown", 0.01))
        with live.playing(spec, None, (), whole=True) as match:
            match.write(Played(0, 3, 0, None, 0))
            found = await apart.find("m")
            assert (found.whole, found.spec, found.choices) == (True, spec, b"\x03")
            match.write(Played(1, 2, 0, None, 0))
            await found.news(1, 60)
            assert found.choices == b"\x03\x02"
            assert list(apart) == [found]
        await found.news(2, 60)
        assert found.is_over
        assert await apart.find("m") is None
        showing.cancel()


async def test_of_a_board_that_all_may_watch_scores_run_and_ended_matches_count_at_once(
    tmp_path: Path, short_path: Path
) -> None:
    held = Held()
    async with AsyncExitStack() as stack:
        found = await arena(stack, tmp_path, short_path)
        found.live.held = {MATCHES[-1]: held}
        await found.league("house:random", "house:greedy", "house:random", "house:greedy")
        await found.until(played=3)
        assert [one["match"] for one in (await found.ask("/api/v1/live"))[1]["boards"]] == [MATCHES[-1]]
        page = (await found.ask("/leagues/spring"))[1]
        assert re.findall(r'href="/live/([^"]*)"', page) == [MATCHES[-1]]
        _, round_ = await found.ask("/api/v1/leagues/spring/koikoi/rounds/1")
        matches = [match for table in round_["round"]["tables"] for match in table["matches"]]
        assert [bool(match["margins"]) for match in matches] == [True, True, True, False]
        assert [bool(match["replay"]) for match in matches] == [True, False, True, False]
        assert (await found.ask(f"/api/v1/replays/{MATCHES[1]}"))[0] == 404
        held.go.set()
        await found.until(played=4)


async def test_a_league_in_which_nobody_can_hear_is_open_to_all(tmp_path: Path, short_path: Path) -> None:
    async with AsyncExitStack() as stack:
        found = await arena(stack, tmp_path, short_path)
        await found.league("house:random", "house:greedy", "house:random", "house:greedy")
        await found.until(played=4)
        assert set(found.live.seen.values()) == {True}
        assert len(found.live.seen) == 4
        for match_id in found.live.seen:
            assert (await found.ask(f"/live/{match_id}"))[0] == 303
            assert (await found.ask(f"/api/v1/live/{match_id}"))[0] == 404
