"""A bot on one stream after another: says hello, answers, comes back when the connection is lost."""

import asyncio
import contextlib
import inspect
import itertools
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import grpc
from google.rpc import error_details_pb2, status_pb2

from arena.sdk.bot import Answer, Bot
from arena.sdk.decision import Decision, Match, event
from arena.sdk.errors import ArenaAwayError, BotFailedError, DismissedError, RefusedError
from arena.sdk.messages import decline, failure, failure_request, hello, move, rejection, started
from arena.sdk.overtime import Overtime
from arena.sdk.reach import why_unreachable
from arena.sdk.scores import Scores
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

_FIRST_WAIT = 0.05
_MAX_WAIT_S = 5.0
_MAX_LOST = 1_000
_CUT_OFF = "the connection was lost"
_OF_A_MATCH = frozenset({"decision", "match_start", "match_update", "match_end"})
_UNREACHED = "no answer"
_SILENT_TRIES = 3
"""How often it tries again without a message when a first connection breaks off without a reason."""
_OPTIONS = (
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.use_local_subchannel_pool", 1),
    # Keepalive notices a node, or a way to it, that has gone without closing the connection. A node takes a ping
    # every ten seconds.
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)

_LOST_STATUS = frozenset({grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL})
"""Status codes that gRPC gives of itself when a stream breaks."""
_RETRY_STATUS = _LOST_STATUS | {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.ABORTED,
}
"""Status codes after which it makes sense to connect again."""

Stream: TypeAlias = "grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"


@dataclass(frozen=True)
class Endpoint:
    """Where the arena is, and the bot's token. `ca` is a file of certificates to trust, for a node with TLS.

    `address` may be several, with commas between them: nodes of one arena.
    """

    address: str
    token: str
    tls: bool = False
    ca: Path | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The nodes' addresses."""
        return tuple(part.strip() for part in self.address.split(",") if part.strip())

    async def why_unreachable(self, address: str) -> str:
        """Why nothing answered at the address, and what to do, in one line."""
        return await why_unreachable(address, self.tls, self.ca)

    def channel(self, address: str) -> grpc.aio.Channel:
        """A channel to the node at the address."""
        if (not self.tls and self.ca is None) or address.startswith("unix:"):
            return grpc.aio.insecure_channel(address, options=_OPTIONS)
        roots = self.ca.read_bytes() if self.ca else None
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(roots), options=_OPTIONS)


class BotClient:
    """Plays a bot at an arena until it is drained, dismissed or fails.

    `say` is called with what a person should know: the arena is away, it is back, a move was not taken, and unless
    `quiet`, how each match ended.
    """

    def __init__(
        self,
        bot: Bot,
        endpoint: Endpoint,
        say: Callable[[str], None],
        *,
        name: str = "",
        give_up_after: float | None = None,
        quiet: bool = False,
    ) -> None:
        self._bot = bot
        self._endpoint = endpoint
        self._say = say
        self._overtime = Overtime(say)
        self._name = name
        self._give_up_after = give_up_after
        self._scores = None if quiet else Scores()
        self._matches: dict[str, Match] = {}
        """Also those that were open when a connection was lost: they may come back over another."""
        self._open: set[str] = set()
        """Those of `_matches` that are under way, as far as this bot knows."""
        self._declined: set[str] = set()
        """Challenges that were declined, and whose end has not come yet."""
        self._resumed: frozenset[str] = frozenset()
        """Matches that go on from an earlier connection."""
        self._address = ""
        self._resume_token = ""
        self._stream: Stream | None = None
        self._draining = asyncio.Event()
        self._over = False
        self._failure: BotFailedError | None = None
        self._writing = asyncio.Lock()
        self._thinking: set[asyncio.Task[None]] = set()
        self.connected = asyncio.Event()
        """Set while a connection stands."""

    async def run(self) -> None:
        """Play until the arena says goodbye after `drain`.

        Raises RefusedError, ArenaAwayError, DismissedError, and BotFailedError when the bot's code failed in any match.
        """
        loop = asyncio.get_running_loop()
        wait, away_since, has_said = _FIRST_WAIT, loop.time(), False
        addresses = self._endpoint.addresses
        for attempt in itertools.count():
            self._address = addresses[attempt % len(addresses)]
            fault = await self._try()
            if was_connected := self.connected.is_set():
                self.connected.clear()
                wait, away_since, has_said = _FIRST_WAIT, loop.time(), False
            elif attempt < _SILENT_TRIES and fault == _CUT_OFF:
                # A refusal that comes while the first message is written can get lost in gRPC; the next one is read.
                continue
            if self._has_left():
                break
            away = loop.time() - away_since
            gives_up = self._give_up_after is not None and away >= self._give_up_after
            if fault == _UNREACHED and not was_connected and (gives_up or not has_said):
                fault = await self._endpoint.why_unreachable(self._address)
            if gives_up:
                raise ArenaAwayError(f"the arena at {self._endpoint.address} is away: {fault}")
            if not has_said:
                has_said = True
                self._say(f"the arena at {self._address} is away ({fault}); trying again")
            await self._pause(wait * random.uniform(0.5, 1))
            if self._has_left():
                break
            if attempt % len(addresses) == len(addresses) - 1:
                wait = min(wait * 2, _MAX_WAIT_S)
        if self._failure is not None:
            raise self._failure

    async def _try(self) -> str:
        """Play at the present address for as long as that goes; what ended it. Raises RefusedError, DismissedError."""
        async with self._endpoint.channel(self._address) as channel:
            try:
                await self._play(play_pb2_grpc.PlayServiceStub(channel))
            except grpc.aio.AioRpcError as error:
                return _read_refusal(error, self._address)
            finally:
                await self._cancel_thinking()
        return "the arena ended the stream"

    async def drain(self) -> None:
        """Take no new matches; `run` ends when those under way are over."""
        if self._draining.is_set():
            return
        self._draining.set()
        if self._stream is not None and self.connected.is_set():
            await self._send(play_pb2.PlayRequest(drain=play_pb2.Drain()))

    def _has_left(self) -> bool:
        """Whether there is nothing more to connect for."""
        return self._over or (self._draining.is_set() and not self._open)

    async def _pause(self, seconds: float) -> None:
        """Wait before the next try; a bot without matches that is to leave does not wait."""
        if self._open:
            await asyncio.sleep(seconds)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._draining.wait()

    # One stream.

    async def _play(self, stub: Any) -> None:
        """One stream, from Hello to its end."""
        metadata = (("authorization", f"Bearer {self._endpoint.token}"),)
        stream: Stream = stub.Play(metadata=metadata)
        self._stream = stream
        try:
            await stream.write(hello(self._bot, self._name, self._resume_token))
            while isinstance(response := await stream.read(), play_pb2.PlayResponse):
                await self._handle(response)
            code = await stream.code()
            if code is not grpc.StatusCode.OK:
                raise grpc.aio.AioRpcError(
                    code, await stream.initial_metadata(), await stream.trailing_metadata(), await stream.details()
                )
        finally:
            self._stream = None
            stream.cancel()

    async def _handle(self, response: play_pb2.PlayResponse) -> None:
        kind = response.WhichOneof("message")
        if kind in _OF_A_MATCH and (match_id := getattr(response, kind).match_id) in self._declined:
            if kind == "match_end":
                self._declined.remove(match_id)
            elif kind == "match_start":  # the connection was lost, and perhaps what was said on it
                await self._send(decline(match_id))
            return
        if kind == "decision":
            await self._decide(response.decision)
        elif kind == "match_start":
            start = response.match_start
            if start.match_id in self._matches:
                self._open.add(start.match_id)
            else:
                await self._begin(started(start), asked=start.declinable and start.match_id not in self._resumed)
        elif kind == "match_update":
            match = self._match(response.match_update.match_id)
            self._bot.happened(match, tuple(map(event, response.match_update.events)))
        elif kind == "match_end":
            end = response.match_end
            match = self._match(end.match_id)
            self._bot.ended(match, end)
            if self._scores is not None:
                self._say(self._scores.line(match, end))
            del self._matches[end.match_id]
            self._open.remove(end.match_id)
        elif kind == "move_rejected":
            self._say(rejection(response.move_rejected))
        elif kind == "welcome":
            await self._welcome(response.welcome)
        elif kind == "goodbye":
            self._goodbye(response.goodbye)

    async def _begin(self, match: Match, *, asked: bool) -> None:
        """A match begins, unless the bot is asked for it and does not accept it."""
        if asked and not self._bot.accepts(match):
            self._declined.add(match.id)
            self._say(f"declined a challenge: match {match.id} of {', '.join(match.bots)}")
            await self._send(decline(match.id))
            return
        self._matches[match.id] = match
        self._open.add(match.id)
        self._bot.started(match)

    async def _welcome(self, welcome: play_pb2.Welcome) -> None:
        self._resume_token = welcome.resume_token
        self._resumed = frozenset(welcome.open_matches)
        self._declined &= self._resumed
        # The others may have ended in the meantime, or go on at this node when it has taken them up.
        self._open &= self._resumed
        for oldest in [match for match in self._matches if match not in self._open][:-_MAX_LOST]:
            del self._matches[oldest]
        self.connected.set()
        self._say(f"connected to the arena at {self._address} as {welcome.bot}")
        if self._draining.is_set():
            await self._send(play_pb2.PlayRequest(drain=play_pb2.Drain()))

    def _goodbye(self, goodbye: play_pb2.Goodbye) -> None:
        if goodbye.reason == play_pb2.GOODBYE_REASON_DRAINED:
            self._over = True
        elif goodbye.reason != play_pb2.GOODBYE_REASON_SHUTTING_DOWN:
            reason = play_pb2.GoodbyeReason.Name(goodbye.reason).removeprefix("GOODBYE_REASON_")
            raise DismissedError(f"{reason}: {goodbye.text}")

    # One decision.

    async def _decide(self, message: play_pb2.Decision) -> None:
        decision = Decision(message, self._match(message.match_id))
        self._overtime.begin(decision)
        try:
            answer = self._bot.choose(decision)
            if inspect.isawaitable(answer):
                task = asyncio.create_task(self._think(decision, answer))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)
                return
            code = decision.code_of(answer)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises is shown and reported
            await self._fail(decision, error)
        else:
            await self._send(move(decision, code))
        finally:
            self._overtime.end()

    async def _think(self, decision: Decision, answer: Awaitable[Answer]) -> None:
        try:
            code = decision.code_of(await answer)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises is shown and reported
            await self._fail(decision, error)
        else:
            await self._send(move(decision, code))

    async def _fail(self, decision: Decision, error: BaseException) -> None:
        """Give the match up, show what broke, and leave when the other matches are over."""
        failed = failure(decision, error)
        self._say(str(failed))
        self._failure = self._failure or failed
        await self._send(failure_request(decision, error))
        await self.drain()

    def _match(self, match_id: str) -> Match:
        if match_id not in self._matches:
            self._matches[match_id] = Match(match_id)
        self._open.add(match_id)
        return self._matches[match_id]

    async def _send(self, request: play_pb2.PlayRequest) -> None:
        """Write to the stream that stands; on one that is lost the arena asks again."""
        stream = self._stream
        if stream is None:
            return
        async with self._writing:
            try:
                await stream.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                return

    async def _cancel_thinking(self) -> None:
        """Cancel the thinking whose answers would go nowhere."""
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)


def error_info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo | None:
    """What the arena says of an error; None where the error is gRPC's own."""
    details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    for detail in status_pb2.Status.FromString(details).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info
    return None


def _read_refusal(error: grpc.aio.AioRpcError, address: str) -> str:
    """What went wrong, for people. Raises RefusedError where trying again makes no sense."""
    info = error_info(error)
    reason = error.code().name if info is None else info.reason
    if error.code() not in _RETRY_STATUS:
        raise RefusedError(reason, f"the arena at {address} refuses the bot: {error.details()}") from error
    if info is None and error.code() is grpc.StatusCode.UNAVAILABLE:
        return _UNREACHED
    return _CUT_OFF if info is None and error.code() in _LOST_STATUS else f"{reason}: {error.details()}"
