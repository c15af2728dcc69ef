"""What this node does for others: seats of its bots in matches that they play, and its matches for their spectators."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import grpc

from arena import wire
from arena.match.clock import clock
from arena.match.deadline import Deadline, OverdueError
from arena.match.seat import Question, SeatFailure, Tally
from arena.seats.errors import NoPlaceError, NotConnectedError, SeatTakenError
from arena.seats.stream import StreamSeat
from arena.stream.feeds import SpectatorFeeds
from arena.stream.hub import Hub
from hanafuda.arena.v1 import node_pb2, node_pb2_grpc, play_pb2

log = logging.getLogger(__name__)

LinkContext: TypeAlias = "grpc.aio.ServicerContext[node_pb2.LinkRequest, node_pb2.LinkResponse]"
WatchContext: TypeAlias = "grpc.aio.ServicerContext[node_pb2.WatchRequest, node_pb2.WatchResponse]"
TakeJob = Callable[[bytes], Awaitable[None]]

_BEGIN_S = 1.0
"""How long the spectators of another node wait for a match to begin here, before that node looks for it anew."""


class HostedQuestion(Question):
    """A question that another node asks: its message is made already."""

    __slots__ = ("message",)

    def __init__(self, number: int, message: bytes, tally: Tally) -> None:
        self.number = number
        self.message = message
        self.tally = tally
        self.asked_at = 0.0
        self.answered_at = 0.0
        self.timed_by_seat = False
        self.closed = False


class HostedSeat(StreamSeat):
    """A seat whose questions come ready made."""

    __slots__ = ()

    def _message(self, question: Question, repeated: bool) -> bytes:
        assert isinstance(question, HostedQuestion)
        if not repeated:
            return question.message
        again = play_pb2.PlayResponse.FromString(question.message)
        again.decision.repeated = True
        return again.SerializeToString()


class _Guest:
    """One hosted seat: asks what comes, one after the other."""

    def __init__(self, number: int, seat: HostedSeat, say: Callable[[node_pb2.LinkResponse], None]) -> None:
        self.seat = seat
        self._number = number
        self._say = say
        self._tally = Tally()
        self._questions: asyncio.Queue[node_pb2.SeatQuestion] = asyncio.Queue()
        self._task = asyncio.create_task(self._ask_all())

    def ask(self, question: node_pb2.SeatQuestion) -> None:
        self._questions.put_nowait(question)

    def close(self) -> None:
        self._task.cancel()
        self.seat.release()

    async def _ask_all(self) -> None:
        deadline = Deadline()
        try:
            while True:
                self._say(await self._ask(deadline, await self._questions.get()))
        finally:
            deadline.close()

    async def _ask(self, deadline: Deadline, asked: node_pb2.SeatQuestion) -> node_pb2.LinkResponse:
        question = HostedQuestion(asked.decision, asked.message, self._tally)
        before = self._tally.rejections
        answer = node_pb2.SeatAnswer(decision=asked.decision)
        try:
            with deadline.within(asked.limit_ms / 1000, question) as handed_at:
                answer.code = await self.seat.decide(question)
        except OverdueError:
            pass
        except SeatFailure as failure:
            failed = node_pb2.SeatFailed(end=wire.END_TO_WIRE[failure.end], text=str(failure))
            return node_pb2.LinkResponse(seat=self._number, failed=failed)
        except (SeatTakenError, NotConnectedError) as taken:
            return node_pb2.LinkResponse(seat=self._number, failed=node_pb2.SeatFailed(text=str(taken), moved=True))
        answered_at = question.answered_at or clock.settled()
        answer.clock_us = max(0, int((answered_at - (question.asked_at or handed_at)) * 1_000_000))
        answer.strays = self._tally.rejections - before
        return node_pb2.LinkResponse(seat=self._number, answer=answer)


class NodeServicer(node_pb2_grpc.NodeServiceServicer):
    """What other nodes may ask of this one. `take_job` is given the jobs that they hand over."""

    def __init__(self, hub: Hub, gallery: SpectatorFeeds, take_job: TakeJob) -> None:
        self._hub = hub
        self._gallery = gallery
        self._take_job = take_job

    async def HandOver(  # noqa: N802
        self, request: node_pb2.HandOverRequest, context: object
    ) -> node_pb2.HandOverResponse:
        """A job for this node's worker."""
        await self._take_job(request.job)
        return node_pb2.HandOverResponse()

    async def Watch(self, request: node_pb2.WatchRequest, context: WatchContext) -> None:  # type: ignore[override]  # noqa: N802
        """A match that this node plays, for a spectator of the caller's."""
        stage = await self._gallery.find(request.match_id, _BEGIN_S)
        if stage is not None:
            async for message in stage.watch(request.seen):
                await context.write(node_pb2.WatchResponse(shown=message))

    async def Link(self, _: object, context: LinkContext) -> None:  # type: ignore[override]  # noqa: N802
        """Seats for a node that plays; they are free again when its stream ends."""
        answers: asyncio.Queue[node_pb2.LinkResponse] = asyncio.Queue()
        guests: dict[int, _Guest] = {}
        writer = asyncio.create_task(_write(context, answers))
        try:
            while isinstance(request := await context.read(), node_pb2.LinkRequest):
                self._act(request, guests, answers.put_nowait)
        finally:
            writer.cancel()
            for guest in guests.values():
                guest.close()
            with contextlib.suppress(asyncio.CancelledError):
                await writer

    def _act(
        self, request: node_pb2.LinkRequest, guests: dict[int, _Guest], say: Callable[[node_pb2.LinkResponse], None]
    ) -> None:
        kind = request.WhichOneof("message")
        if kind == "open":
            say(self._open(request.seat, request.open, guests, say))
            return
        guest = guests.get(request.seat)
        if guest is None:
            return  # closed while this was on its way
        if kind == "start":
            guest.seat.begin(request.start.message)
        elif kind == "question":
            guest.ask(request.question)
        elif kind == "notice":
            guest.seat.tell(request.notice.message, keep=request.notice.keep)
        elif kind == "close":
            guests.pop(request.seat).close()

    def _open(
        self,
        number: int,
        wanted: node_pb2.SeatOpen,
        guests: dict[int, _Guest],
        say: Callable[[node_pb2.LinkResponse], None],
    ) -> node_pb2.LinkResponse:
        try:
            seat = self._hub.seat_of(HostedSeat, wanted.bot, wanted.match_id)
        except NotConnectedError:
            reason = node_pb2.SEAT_REFUSAL_NOT_CONNECTED
        except NoPlaceError:
            reason = node_pb2.SEAT_REFUSAL_NO_PLACE
        else:
            seat.reconnect_ms = wanted.reconnect_ms
            guests[number] = _Guest(number, seat, say)
            return node_pb2.LinkResponse(seat=number, opened=node_pb2.SeatOpened(updates=seat.wants_updates))
        return node_pb2.LinkResponse(seat=number, refused=node_pb2.SeatRefused(reason=reason))


async def _write(context: LinkContext, answers: "asyncio.Queue[node_pb2.LinkResponse]") -> None:
    while True:
        await context.write(await answers.get())


def register(servicer: NodeServicer, server: grpc.aio.Server) -> str:
    """Add the service to a server; returns its name."""
    node_pb2_grpc.add_NodeServiceServicer_to_server(servicer, server)
    return node_pb2.DESCRIPTOR.services_by_name["NodeService"].full_name
