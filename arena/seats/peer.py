"""The seat of a bot that is connected to another node."""

import asyncio
from typing import Any, Protocol

from arena import wire
from arena.match.question import Answer, Question
from arena.match.seat import SeatFailure
from arena.seats.errors import NoPlaceError, NotConnectedError
from arena.seats.stream import ConnectedSeat
from hanafuda.arena.v1 import node_pb2


class Link(Protocol):
    """The stream to the other node."""

    def send(self, seat: int, **message: Any) -> None:
        """Queue a message about a seat."""

    def forget(self, seat: int) -> None:
        """The seat is not needed any more."""


class PeerSeat(ConnectedSeat):
    """The seat of a bot that is connected to another node, which measures the bot's time."""

    def __init__(self, link: Link, number: int, bot: str, match_id: str) -> None:
        super().__init__(match_id)
        self.number = number
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._link = link
        self._bot = bot
        self._answer: asyncio.Future[node_pb2.SeatAnswer] | None = None
        self._fault: Exception | None = None

    def begin(self, message: bytes) -> None:
        """Have the other node tell the bot that the match begins, now and whenever it is back."""
        self._link.send(self.number, start=node_pb2.SeatStart(message=message))

    async def ask(self, question: Question, limit_ms: int, *, repeated: bool) -> Answer:
        """Ask the bot, which has `limit_ms` left; `repeated` where it may have been asked before."""
        if self._fault is not None:
            raise self._fault
        self._answer = asyncio.get_running_loop().create_future()
        message = wire.decision_response_bytes(question, repeated=repeated)
        self._link.send(
            self.number,
            question=node_pb2.SeatQuestion(decision=question.number, message=message, limit_ms=limit_ms),
        )
        answer = await self._answer
        self.tally.rejections += answer.strays
        return Answer(answer.code if answer.HasField("code") else None, answer.clock_us / 1_000_000)

    def notify(self, message: bytes, *, keep: bool = False) -> None:
        """Send the bot a serialised PlayResponse; `keep` holds it while the bot is away."""
        self._link.send(self.number, notice=node_pb2.SeatNotice(message=message, keep=keep))

    def release(self) -> None:
        """Free the bot's place. May be called again."""
        self._link.forget(self.number)

    def receive(self, response: node_pb2.LinkResponse) -> None:
        """What the other node says about this seat."""
        kind = response.WhichOneof("message")
        if kind == "answer":
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(response.answer)
        elif kind == "opened":
            self.wants_updates = response.opened.updates
            if not self.opened.done():
                self.opened.set_result(None)
        elif kind == "refused":
            busy = response.refused.reason == node_pb2.SEAT_REFUSAL_NO_PLACE
            self.lose(
                NoPlaceError(f"bot {self._bot} takes no more matches now")
                if busy
                else NotConnectedError(f"bot {self._bot} is not connected there")
            )
        elif kind == "failed":
            failed = response.failed
            self.lose(
                NotConnectedError(failed.text)
                if failed.moved
                else SeatFailure(wire.END_FROM_WIRE[failed.end], failed.text)
            )

    def lose(self, fault: Exception) -> None:
        """The seat is of no use any more. The first fault counts."""
        self._fault = self._fault or fault
        for waiting in (self.opened, self._answer):
            if waiting is not None and not waiting.done():
                waiting.set_exception(fault)
                waiting.exception()  # it may be that nobody waits any more
