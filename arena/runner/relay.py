"""Between a bot's program and its arena: passes messages on, and declines what the rules do not take."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.runner.match_log import MatchLog, prune
from arena.runner.rules import Rules
from arena.sdk.connection import Endpoint
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

_MAX_BYTES = 16 << 20
_OPTIONS = (
    ("grpc.max_receive_message_length", _MAX_BYTES),
    # A bot of the SDK asks every 15 s whether its connection is there; gRPC would take that for a flood.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
)
_BEARER = "Bearer "


@dataclass
class Standing:
    """What the relay knows: who the bot is, whether it is connected, and its matches."""

    bot: str = ""
    address: str = ""
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    logs: dict[str, MatchLog] = field(default_factory=dict)
    resumed: frozenset[str] = frozenset()
    declined: set[str] = field(default_factory=set)
    refusal: str = ""
    """Why the arena does not want the bot, where trying again makes no sense."""


class Relay(play_pb2_grpc.PlayServiceServicer):
    """PlayService for one program on this machine, each of whose streams is one at the arena.

    `sent` says whether a match was asked for by this bot: those are not judged. What is refused or lost at the arena is
    refused or lost for the program in the same words, which connects again as it does without a relay.
    """

    def __init__(
        self, endpoint: Endpoint, rules: Rules, logs: Path, say: Callable[[str], None], sent: Callable[[str], Any]
    ) -> None:
        self.token = secrets.token_urlsafe(24)
        self.standing = Standing()
        self.draining = False
        self._endpoint = endpoint
        self._rules = rules
        self._logs = logs
        self._say = say
        self._sent = sent
        self._attempt = 0
        self._upstream: grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse] | None = None
        self._writing = asyncio.Lock()

    async def Play(  # type: ignore[override]  # noqa: N802 - a method of the protocol; it writes, it is no iterator
        self, requests: AsyncIterator[play_pb2.PlayRequest], context: Any
    ) -> None:
        """Pass on one stream of the program, and its other half at the arena."""
        authorization = dict(context.invocation_metadata() or ()).get("authorization", "")
        if not secrets.compare_digest(str(authorization), _BEARER + self.token):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "this relay serves the program that its keeper started"
            )
        addresses = self._endpoint.addresses
        self.standing.address = addresses[self._attempt % len(addresses)]
        self._attempt += 1
        async with self._endpoint.channel(self.standing.address) as channel:
            call = play_pb2_grpc.PlayServiceStub(channel).Play(
                metadata=(("authorization", f"{_BEARER}{self._endpoint.token}"),)
            )
            self._upstream = call
            upwards = asyncio.create_task(self._pass_up(requests, call))
            try:
                while isinstance(response := await call.read(), play_pb2.PlayResponse):
                    if await self._handle(response):
                        await context.write(response)
                code, details, trailing = await call.code(), await call.details() or "", await call.trailing_metadata()
            except grpc.aio.AioRpcError as error:
                code, details, trailing = error.code(), error.details() or "", error.trailing_metadata()
            finally:
                self._upstream = None
                was_connected = self.standing.connected.is_set()
                self.standing.connected.clear()
                upwards.cancel()
                call.cancel()
            if code is grpc.StatusCode.OK:
                return
            if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
                self.standing.refusal = details or code.name
            elif was_connected:
                self._say(f"lost the connection to {self.standing.address}: {details or code.name}")
            await context.abort(code, details, tuple(trailing or ()))

    async def _pass_up(self, requests: AsyncIterator[play_pb2.PlayRequest], call: Any) -> None:
        async for request in requests:
            kind = request.WhichOneof("message")
            if kind == "hello":
                request.hello.max_matches = max(1, min(request.hello.max_matches, self._rules.at_once))
            elif kind == "move" and (log := self.standing.logs.get(request.move.match_id)) is not None:
                log.answered(request.move)
            elif kind == "failure":
                self._say(f"match {request.failure.match_id}: the bot failed: {request.failure.text}")
                if (log := self.standing.logs.get(request.failure.match_id)) is not None:
                    log.note(f"the bot failed: {request.failure.text}")
            elif kind == "decline":
                self._say(f"the bot declined match {request.decline.match_id} itself")
            await self._write(call, request)
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await call.done_writing()

    async def _write(self, call: Any, request: play_pb2.PlayRequest) -> None:
        """Write to the arena; on a stream that is lost the arena asks again."""
        async with self._writing:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await call.write(request)

    async def _handle(self, response: play_pb2.PlayResponse) -> bool:
        """Note a message of the arena's, and decline for the bot; whether the program is to have it."""
        kind = response.WhichOneof("message")
        message = getattr(response, kind) if kind else None
        match_id = getattr(message, "match_id", "")
        if match_id in self.standing.declined and kind != "match_start":
            if kind == "match_end":
                self.standing.declined.discard(match_id)
            return False
        if kind == "welcome":
            self._welcome(response.welcome)
            if self.draining:  # the arena knows nothing of what was said on an earlier connection
                await self.drain()
        elif kind == "match_start":
            return await self._begin(response.match_start)
        elif kind == "decision" and (log := self.standing.logs.get(match_id)) is not None:
            log.asked(response.decision)
        elif kind == "match_end":
            self._end(response)
        elif kind == "goodbye":
            reason = play_pb2.GoodbyeReason.Name(response.goodbye.reason).removeprefix("GOODBYE_REASON_")
            self._say(f"the arena says goodbye: {response.goodbye.text or reason.lower().replace('_', ' ')}")
            if response.goodbye.reason == play_pb2.GOODBYE_REASON_TOKEN_REVOKED:
                self.standing.refusal = "the bot's token was revoked"
            elif response.goodbye.reason == play_pb2.GOODBYE_REASON_REPLACED:
                self.standing.refusal = "the bot is connected from elsewhere with the same token"
        return True

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        standing = self.standing
        standing.bot, standing.resumed = welcome.bot, frozenset(welcome.open_matches)
        standing.declined &= standing.resumed
        standing.connected.set()
        open_ = len(standing.resumed)
        going_on = f", {open_} match{' goes' if open_ == 1 else 'es go'} on" if open_ else ""
        self._say(f"connected to {standing.address} as {welcome.bot}{going_on}")

    async def _begin(self, start: play_pb2.MatchStart) -> bool:
        standing = self.standing
        if start.match_id in standing.declined:  # the connection was lost, and perhaps what was said on it
            await self._decline(start.match_id)
            return False
        if start.declinable and start.match_id not in standing.resumed and not await self._sent(start.match_id):
            objection = "it is about to leave" if self.draining else self._rules.objection(start)
            if objection:
                standing.declined.add(start.match_id)
                self._say(f"declined match {start.match_id} ({' : '.join(start.bots)}): {objection}")
                await self._decline(start.match_id)
                return False
        begins = "goes on" if start.match_id in standing.logs or start.match_id in standing.resumed else "begins"
        if start.match_id not in standing.logs:
            try:
                prune(self._logs)
                standing.logs[start.match_id] = MatchLog(self._logs, start)
            except OSError as error:
                self._say(f"match {start.match_id} has no log: {error.strerror}: {error.filename}")
        self._say(f"match {start.match_id} {begins}: {start.variant}, {' : '.join(start.bots)}")
        return True

    def _end(self, response: play_pb2.PlayResponse) -> None:
        end = response.match_end
        log = self.standing.logs.pop(end.match_id, None)
        if log is not None:
            log.ended(end)
            lost = f", {log.lost} lines of its log could not be written" if log.lost else ""
            self._say(f"match {end.match_id} is over: {log.result(end)}{lost}; {log.file}")

    async def _decline(self, match_id: str) -> None:
        if (call := self._upstream) is not None:
            await self._write(call, play_pb2.PlayRequest(decline=play_pb2.Decline(match_id=match_id)))

    async def drain(self) -> None:
        """Ask the arena for no more matches; it says goodbye when those under way are over."""
        self.draining = True
        if (call := self._upstream) is not None and self.standing.connected.is_set():
            await self._write(call, play_pb2.PlayRequest(drain=play_pb2.Drain()))


@contextlib.asynccontextmanager
async def serving(relay: Relay, folder: Path) -> AsyncIterator[str]:
    """Serve the relay at a socket in a folder of its own; yields its address."""
    server = grpc.aio.server(options=_OPTIONS)
    play_pb2_grpc.add_PlayServiceServicer_to_server(relay, server)
    address = f"unix:{folder / 'relay.sock'}"
    server.add_insecure_port(address)
    await server.start()
    try:
        yield address
    finally:
        await server.stop(0.2)
