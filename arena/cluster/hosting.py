"""What this node does for others: seats of its bots in matches that they play, and its matches for their spectators."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from arena import wire
from arena.match.live import LiveMatches
from arena.match.seat import SeatFailure
from arena.seats.errors import NoPlaceError, NotConnectedError, SeatTakenError
from arena.seats.stream import StreamSeat
from arena.stream.feeds import watch
from arena.stream.hub import Hub
from hanafuda.arena.v1 import node_pb2, node_pb2_grpc, play_pb2

if TYPE_CHECKING:
    import grpc

log = logging.getLogger(__name__)

LinkContext: TypeAlias = "grpc.aio.ServicerContext[node_pb2.LinkRequest, node_pb2.LinkResponse]"
WatchContext: TypeAlias = "grpc.aio.ServicerContext[node_pb2.WatchRequest, node_pb2.WatchResponse]"
TakeJob = Callable[[bytes], Awaitable[None]]
Answers: TypeAlias = "asyncio.Queue[node_pb2.LinkResponse | None]"

_GOODBYE_S = 1.0
"""How long a node whose stream ends has to take its last answers."""
_BEGIN_S = 1.0
"""How long the spectators of another node wait for a match to begin here, before that node looks for it anew."""


class _HostedSeat:
    """The seat of a bot of this node in another node's match: asks what comes, one question after the other."""

    def __init__(self, number: int, seat: StreamSeat, answers: Answers) -> None:
        self.seat = seat
        self._number = number
        self._answers = answers
        self._strays = 0
        """How many rejected moves were reported to the other node."""
        self._questions: asyncio.Queue[node_pb2.SeatQuestion] = asyncio.Queue()
        self._task = asyncio.create_task(self._ask_all())

    def ask(self, question: node_pb2.SeatQuestion) -> None:
        self._questions.put_nowait(question)

    def close(self) -> None:
        self._task.cancel()
        self.seat.release()

    async def _ask_all(self) -> None:
        while True:
            self._answers.put_nowait(await self._ask(await self._questions.get()))

    async def _ask(self, asked: node_pb2.SeatQuestion) -> node_pb2.LinkResponse:
        message = partial(_message, asked.message)
        try:
            reply = await self.seat.pose(asked.decision, message, asked.limit_ms, repeated=False)
        except SeatFailure as failure:
            failed = node_pb2.SeatFailed(end=wire.END_TO_WIRE[failure.end], text=str(failure))
            return node_pb2.LinkResponse(seat=self._number, failed=failed)
        except (SeatTakenError, NotConnectedError) as taken:
            return node_pb2.LinkResponse(seat=self._number, failed=node_pb2.SeatFailed(text=str(taken), moved=True))
        strays, self._strays = self.seat.tally.rejections - self._strays, self.seat.tally.rejections
        clock_us = int(reply.thinking_s * 1_000_000)
        answer = node_pb2.SeatAnswer(decision=asked.decision, code=reply.code, clock_us=clock_us, strays=strays)
        return node_pb2.LinkResponse(seat=self._number, answer=answer)


class _Link:
    """The seats of one node that plays."""

    def __init__(self, hub: Hub) -> None:
        self.answers: Answers = asyncio.Queue()
        self._hub = hub
        self._seats: dict[int, _HostedSeat] = {}

    def act(self, request: node_pb2.LinkRequest) -> None:
        kind = request.WhichOneof("message")
        if kind == "open":
            self.answers.put_nowait(self._open(request.seat, request.open))
            return
        hosted = self._seats.get(request.seat)
        if hosted is None:
            return  # closed while this was on its way
        if kind == "start":
            hosted.seat.begin(request.start.message)
        elif kind == "question":
            hosted.ask(request.question)
        elif kind == "notice":
            hosted.seat.notify(request.notice.message, keep=request.notice.keep)
        elif kind == "close":
            self._seats.pop(request.seat).close()

    def close(self) -> None:
        for hosted in self._seats.values():
            hosted.close()

    def _open(self, number: int, wanted: node_pb2.SeatOpen) -> node_pb2.LinkResponse:
        try:
            seat = self._hub.seat(wanted.bot, wanted.match_id)
        except NotConnectedError:
            reason = node_pb2.SEAT_REFUSAL_NOT_CONNECTED
        except NoPlaceError:
            reason = node_pb2.SEAT_REFUSAL_NO_PLACE
        else:
            seat.reconnect_ms = wanted.reconnect_ms
            self._seats[number] = _HostedSeat(number, seat, self.answers)
            return node_pb2.LinkResponse(seat=number, opened=node_pb2.SeatOpened(updates=seat.wants_updates))
        return node_pb2.LinkResponse(seat=number, refused=node_pb2.SeatRefused(reason=reason))


class NodeServicer(node_pb2_grpc.NodeServiceServicer):
    """What other nodes may ask of this one. `take_job` is given the jobs that they hand over."""

    def __init__(self, hub: Hub, live: LiveMatches, take_job: TakeJob) -> None:
        self._hub = hub
        self._live = live
        self._take_job = take_job

    async def HandOver(self, request: node_pb2.HandOverRequest, context: object) -> node_pb2.HandOverResponse:
        """Return a job for this node's worker."""
        await self._take_job(request.job)
        return node_pb2.HandOverResponse()

    async def Watch(self, request: node_pb2.WatchRequest, context: WatchContext) -> None:  # type: ignore[override]
        """A match that this node plays, for a spectator of the caller's."""
        live = await self._live.wait_for(request.match_id, _BEGIN_S)
        if live is not None:
            async for message in watch(live, request.seen):
                await context.write(node_pb2.WatchResponse(shown=message))

    async def Link(self, _: object, context: LinkContext) -> None:  # type: ignore[override]
        """Seats for a node that plays; they are free again when its stream ends."""
        link = _Link(self._hub)
        writer = asyncio.create_task(_write(context, link.answers))
        try:
            while isinstance(request := await context.read(), node_pb2.LinkRequest):
                link.act(request)
        finally:
            link.close()
            # A status cannot be sent beside an answer that is being sent, and nobody takes that back.
            link.answers.put_nowait(None)
            await asyncio.wait((writer,), timeout=_GOODBYE_S)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)


def _message(message: bytes, *, repeated: bool) -> bytes:
    """Return a question's PlayResponse as the other node made it; where it is asked again, it says so."""
    if not repeated:
        return message
    again = play_pb2.PlayResponse.FromString(message)
    again.decision.repeated = True
    return again.SerializeToString()


async def _write(context: LinkContext, answers: Answers) -> None:
    """Send the answers until None comes, or the other node is gone."""
    while (answer := await answers.get()) is not None:
        await context.write(answer)
