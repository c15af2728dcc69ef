"""Work for readers: done once for all who ask, one piece at a time, and not without bounds."""

import asyncio
import gc
import http.client
import socket
from collections.abc import Awaitable, Callable

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.bench.site import house_match
from arena.replays import ReplayRecord
from arena.store.errors import StoreUnavailableError
from arena.web import work
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.viewer.routes import replay_routes
from arena.web.viewer.sources import Documents, UnreadableReplayError
from arena.web.work import BusyError, MadeOnce, Turns


class Steps:
    """Work that waits to be let go, and counts how much of it is under way."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.begun = self.under_way = self.most_under_way = 0

    async def __call__(self) -> int:
        self.begun += 1
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await self.go.wait()
        self.under_way -= 1
        return self.begun


async def started(tasks: int, of: Callable[[], Awaitable[int]]) -> list[asyncio.Task[int]]:
    """So many tasks, each of which has come as far as it can."""
    made = [asyncio.ensure_future(of()) for _ in range(tasks)]
    for _ in range(10):
        await asyncio.sleep(0)
    return made


async def test_one_piece_of_work_is_done_at_a_time_and_all_of_them_in_the_end() -> None:
    turns, steps = Turns(), Steps()
    tasks = await started(20, lambda: turns.do(steps))
    assert steps.begun == 1
    steps.go.set()
    assert await asyncio.gather(*tasks) == list(range(1, 21))
    assert steps.most_under_way == 1


async def test_who_comes_when_many_wait_is_sent_away_at_once_and_the_others_are_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "MAX_WAITING", 3)
    turns, steps = Turns(), Steps()
    tasks = await started(4, lambda: turns.do(steps))
    with pytest.raises(BusyError):
        await turns.do(steps)
    steps.go.set()
    assert await asyncio.gather(*tasks) == [1, 2, 3, 4]
    assert await turns.do(steps) == 5


async def test_when_the_store_is_away_nobody_who_waits_waits_for_it_once_more() -> None:
    turns, asked = Turns(), 0
    away = asyncio.Event()

    async def read() -> int:
        nonlocal asked
        asked += 1
        await away.wait()
        raise StoreUnavailableError("here", 5, "gone")

    tasks = await started(50, lambda: turns.do(read))
    away.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(one) for one in found} == {StoreUnavailableError}
    assert asked == 1
    assert await turns.do(lambda: asyncio.sleep(0, "back")) == "back"


async def test_a_value_is_made_once_for_all_who_ask_and_a_failure_is_not_kept() -> None:
    values: MadeOnce[str, int] = MadeOnce(2)
    steps = Steps()
    tasks = await started(50, lambda: values.get("a", steps))
    tasks.pop().cancel()  # whoever leaves takes nothing from the others
    steps.go.set()
    assert set(await asyncio.gather(*tasks)) == {1}
    assert await values.get("a", steps) == 1

    async def fails() -> int:
        raise UnreadableReplayError

    for _ in range(2):
        with pytest.raises(UnreadableReplayError):
            await values.get("b", fails)
    assert await values.get("b", steps) == 2
    assert await values.get("c", steps) == 3
    assert await values.get("a", steps) == 4  # the latest two are kept


async def test_a_failure_that_nobody_waits_for_any_more_is_no_error_of_the_site() -> None:
    values: MadeOnce[str, int] = MadeOnce(2)
    reported: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    go = asyncio.Event()

    async def fails() -> int:
        await go.wait()
        raise UnreadableReplayError

    [left] = await started(1, lambda: values.get("a", fails))
    left.cancel()
    go.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del left
    gc.collect()
    assert reported == []


RECORD = house_match("koikoi", "one", options={"months": 1})


class Counted:
    """A source of one replay that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self, replay_id: str) -> ReplayRecord:
        self.asked += 1
        await asyncio.sleep(0)
        if replay_id != "one":
            raise UnreadableReplayError("There is no such replay.")
        return RECORD


async def test_readers_who_open_a_replay_at_once_share_the_work() -> None:
    source = Counted()
    documents = Documents(source)
    found = await asyncio.gather(*(documents.get("one") for _ in range(30)))
    assert source.asked == 1
    assert len({id(one) for one in found}) == 1


class Away:
    """A source whose store does not answer."""

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()

    async def __call__(self, replay_id: str) -> ReplayRecord:
        self.asked += 1
        await self.go.wait()
        raise StoreUnavailableError("here", 5, "gone")


async def test_while_the_store_is_away_readers_of_many_replays_learn_so_together() -> None:
    source = Away()
    documents = Documents(source)
    asked = [asyncio.ensure_future(documents.get(str(number))) for number in range(50)]
    for _ in range(10):
        await asyncio.sleep(0)
    source.go.set()
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(one) for one in found} == {StoreUnavailableError}
    assert source.asked == 1
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving(create_app(replay_routes(source)), listening):
            for path in ("/replays/one", "/api/v1/replays/one"):
                status, _, body = await asyncio.to_thread(ask, listening.getsockname()[1], path)
                assert status == 503
                assert b"store does not answer" in body


def ask(port: int, path: str) -> tuple[int, str | None, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    found = response.status, response.headers["retry-after"], response.read()
    connection.close()
    return found


async def test_who_is_sent_away_is_told_so_and_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MAX_WAITING", 0)

    async def slept(_: Request) -> Response:
        return Response()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving(create_app([*replay_routes(Counted()), Route("/", slept)]), listening):
            port = listening.getsockname()[1]
            for path in ("/replays/one", "/api/v1/replays/one"):
                status, retry_after, body = await asyncio.to_thread(ask, port, path)
                assert (status, retry_after) == (503, "5")
                assert b"The arena is too busy just now." in body
            assert (await asyncio.to_thread(ask, port, "/"))[0] == 200
