"""Who calls: each call has its own caller, or its own refusal, however many come at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from play_arena import RawBot, soon
from service_node import Node, refusal
from store_servers import until

from arena.node import node as nodes
from arena.node.server import Listen, Server
from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import BotIdentity
from arena.rpc.open_calls import OpenCalls
from arena.stream.hub import Hub
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, play_pb2_grpc


class Directory:
    """Knows tokens `NAME/N`, after so many turns of the event loop."""

    async def lookup(self, token: str) -> BotIdentity | None:
        name, _, turns = token.partition("/")
        for _ in range(int(turns or 3)):
            await asyncio.sleep(0)
        return BotIdentity(name, token=token) if turns else None


class Streams:
    """A server of PlayService, and streams to it."""

    def __init__(self, calls: OpenCalls, channel: grpc.aio.Channel) -> None:
        self.calls, self._channel = calls, channel

    def open(self, token: str) -> RawBot:
        metadata = (("authorization", f"Bearer {token}"),)
        return RawBot(play_pb2_grpc.PlayServiceStub(self._channel).Play(metadata=metadata))

    def tokens(self) -> set[str]:
        """The tokens of the streams that the server has open."""
        return set(self.calls.unchecked(-2))


@pytest.fixture
async def streams(short_path: Path) -> AsyncIterator[Streams]:
    calls, address = OpenCalls(), f"unix:{short_path}/s"
    server = Server(Hub(), Directory(), calls=calls)
    await server.start(Listen((address,)))
    async with grpc.aio.insecure_channel(address) as channel:
        yield Streams(calls, channel)
    await server.stop()


async def test_calls_that_are_authenticated_at_the_same_time_keep_their_own_callers(streams: Streams) -> None:
    async def named(number: int) -> str:
        bot = streams.open(f"bot{number}/{number % 7}")
        name = (await bot.hello()).bot
        bot.drop()
        return name

    async def refused(number: int) -> tuple[grpc.StatusCode, str]:
        return await streams.open(f"stranger{number}").status()

    numbers = range(30)
    *found, refusals = await asyncio.gather(
        *map(named, numbers), asyncio.gather(*(refused(number) for number in numbers))
    )
    assert found == [f"bot{number}" for number in numbers]
    assert set(refusals) == {(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")}


@pytest.mark.parametrize("says_hello", [False, True])
async def test_a_stream_that_its_client_cancels_as_its_token_is_revoked_leaves_nothing(
    streams: Streams, *, says_hello: bool
) -> None:
    tokens = {f"bot{number}/0" for number in range(20)}
    bots = [streams.open(token) for token in tokens]
    for bot in bots:
        if says_hello:
            await bot.hello()
        else:
            await soon(bot.stream.wait_for_connection())
    await until(lambda: streams.tokens() == tokens, "all are open")
    for number, bot in enumerate(bots):
        bot.drop()
        for _ in range(number):
            await asyncio.sleep(0)
        streams.calls.check(tokens, tokens, 1)
    await until(lambda: not streams.tokens(), "all have ended")
    assert (await streams.open("bot0/0").hello()).bot == "bot0"


async def test_a_call_that_is_cancelled_as_its_token_is_revoked_stays_cancelled() -> None:
    calls = OpenCalls()

    async def stream() -> None:
        with calls.until_revoked("token"):
            await asyncio.get_running_loop().create_future()

    task = asyncio.create_task(stream())
    await asyncio.sleep(0)
    calls.check(["token"], ["token"], 0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_token_that_is_revoked_as_its_call_goes_on_or_times_out_ends_the_call() -> None:
    calls, loop = OpenCalls(), asyncio.get_running_loop()

    async def stream(*, times_out: bool) -> None:
        answer: asyncio.Future[None] = loop.create_future()
        with calls.until_revoked("token"):
            if not times_out:
                loop.call_soon(answer.set_result, None)
            loop.call_soon(calls.check, ["token"], ["token"], 0)
            async with asyncio.timeout(0 if times_out else None):
                await answer

    for times_out in (False, True):
        with pytest.raises(ApiError) as caught:
            await stream(times_out=times_out)
        assert caught.value.reason is Reason.TOKEN_REVOKED
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0
    assert calls.unchecked(-2) == []


async def test_a_token_that_cannot_be_looked_up_is_the_stores_fault_and_says_nothing_of_it(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "LEAVE_S", 0.2)
    monkeypatch.setattr(node.store._client, "patience_s", 0.2)
    token = await node.register("crane")
    await node.store.embedded.stop()
    listing = node.call(bot_pb2_grpc.BotServiceStub, "ListBots", bot_pb2.ListBotsRequest(), token)
    unavailable = grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"
    assert await refusal(listing) == (*unavailable, {})
    assert "store.sock" not in await listing.details()
    playing = play_pb2_grpc.PlayServiceStub(node.channel).Play(metadata=(("authorization", f"Bearer {token}"),))
    assert await RawBot(playing).status() == unavailable
