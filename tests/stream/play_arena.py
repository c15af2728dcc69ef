"""A node in the test's own loop, and clients that speak the protocol by hand."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.stream.hub import Hub, Limits
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

DEADLINE = 60.0
T = TypeVar("T")


async def soon(awaitable: Awaitable[T]) -> T:
    """The result, or a failed test after the deadline."""
    async with asyncio.timeout(DEADLINE):
        return await awaitable


class RawBot:
    """One stream, spoken by hand."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    async def send(self, **member: Any) -> None:
        """Write a PlayRequest with one member of its oneof."""
        await self.stream.write(play_pb2.PlayRequest(**member))

    async def hello(self, **fields: Any) -> play_pb2.Welcome:
        """Say Hello, return the Welcome."""
        await self.send(hello=play_pb2.Hello(**{"protocol_version": 1, **fields}))
        return (await self.receive("welcome")).welcome

    async def move(self, decision: play_pb2.Decision, code: int | None = None, number: int | None = None) -> None:
        """Answer a decision, by default with its first legal action."""
        await self.send(
            move=play_pb2.Move(
                match_id=decision.match_id,
                decision=decision.decision if number is None else number,
                code=decision.legal[0].code if code is None else code,
            )
        )

    async def receive(self, *kinds: str) -> play_pb2.PlayResponse:
        """The next message of one of these kinds; others are passed over. AssertionError at the stream's end."""
        while True:
            response = await soon(self.stream.read())
            assert response is not grpc.aio.EOF, f"the stream ended before any of {kinds}: {await self.status()}"
            if not kinds or response.WhichOneof("message") in kinds:
                return response

    async def rejection(self) -> str:
        """The reason of the next rejection, without its prefix."""
        rejected = (await self.receive("move_rejected")).move_rejected
        return play_pb2.RejectionReason.Name(rejected.reason).removeprefix("REJECTION_REASON_")

    async def goodbye(self) -> str:
        """The reason of the Goodbye, after which the stream has to end."""
        goodbye = (await self.receive("goodbye")).goodbye
        assert await soon(self.stream.read()) is grpc.aio.EOF
        return play_pb2.GoodbyeReason.Name(goodbye.reason).removeprefix("GOODBYE_REASON_")

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ended: its status and ErrorInfo's reason."""
        code = await soon(self.stream.code())
        return code, reason_of(await rpc_status.aio.from_call(self.stream))

    async def play_on(self) -> None:
        """Answer every decision until the stream ends."""
        while (response := await self.stream.read()) is not grpc.aio.EOF:
            if response.HasField("decision"):
                await self.move(response.decision)

    def drop(self) -> None:
        """Lose the connection without a word."""
        self.stream.cancel()


def reason_of(status: Any) -> str:
    """ErrorInfo's reason of a rich status; "" where there is none."""
    for detail in status.details if status is not None else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            assert info.domain == "hanafuda-arena"
            return str(info.reason)
    return ""


class Arena:
    """A node with everything that needs no store."""

    def __init__(self, hub: Hub, tokens: MemoryTokens, server: Server, address: str) -> None:
        self.hub = hub
        self.tokens = tokens
        self.server = server
        self.address = address
        self._stack = AsyncExitStack()
        self._numbers = iter(range(1, 1000))

    async def connected(self, *names: str) -> None:
        """Wait until these bots are connected."""
        assert await self.hub.wait_until(lambda: all(map(self.hub.connected, names)), DEADLINE)

    def channel(self, window: int = 0) -> grpc.aio.Channel:
        """A channel of its own, closed with the arena; `window` is how many bytes it takes in before they are read."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        if window:
            options += [("grpc.http2.lookahead_bytes", window), ("grpc.http2.bdp_probe", 0)]
        channel = grpc.aio.insecure_channel(self.address, options=options)
        self._stack.push_async_callback(channel.close)
        return channel

    def token(self, name: str) -> str:
        """A new token for a bot."""
        return self.tokens.issue(BotIdentity(name))

    def stream(self, token: str | None, window: int = 0) -> RawBot:
        """A stream without Hello."""
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        return RawBot(play_pb2_grpc.PlayServiceStub(self.channel(window)).Play(metadata=metadata))

    async def connect(self, name: str, token: str | None = None, **hello: Any) -> RawBot:
        """A bot that has said Hello."""
        bot = self.stream(token or self.token(name))
        await bot.hello(**hello)
        return bot

    def spec(self, *names: str, **changed: Any) -> MatchSpec:
        """A short match."""
        fields: dict[str, Any] = {
            "match_id": f"m{next(self._numbers)}",
            "variant": "koikoi",
            "seed": bytes(32),
            "names": names,
            "options": {"months": 1},
            "time": TimeControl(per_decision_ms=60_000, bank_ms=0),
            **changed,
        }
        return MatchSpec(**fields)

    def match(self, *names: str, **changed: Any) -> "asyncio.Task[MatchResult]":
        """A match under way between connected bots."""
        spec = self.spec(*names, **changed)
        return asyncio.create_task(play(spec, [self.hub.seat(name) for name in names]))

    async def close(self) -> None:
        """End all."""
        await self._stack.aclose()
        await self.server.stop()


@asynccontextmanager
async def running_arena(limits: Limits | None = None) -> AsyncIterator[Arena]:
    """A node on a Unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    hub, tokens = Hub(limits or Limits(goodbye_ms=500)), MemoryTokens()
    server = Server(hub, tokens)
    address = f"unix:{folder}/s"
    await server.start(Listen((address,), reflection=True))
    arena = Arena(hub, tokens, server, address)
    try:
        yield arena
    finally:
        await arena.close()
        shutil.rmtree(folder)
