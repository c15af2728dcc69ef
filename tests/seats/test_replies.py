"""Seats that reply: their match goes on when an answer arrives, before its task gets to run."""

import asyncio

import pytest

from arena.match.journal import Entry
from arena.match.model import End, MatchSpec, Policy, Rejection
from arena.match.play import play
from arena.match.question import Question
from arena.match.reply import Reply
from arena.match.seat import Seat, SeatFailure
from arena.seats.ledger import Ledger


class ReplyingSeat(Seat):
    """Is asked through a ledger, as a bot on a stream is."""

    def __init__(self, table: "Table") -> None:
        super().__init__()
        self.ledger = Ledger()
        self.rejected: list[Rejection] = []
        self._table = table

    def decide(self, question: Question) -> Reply:
        self._table.asked.append((self, question))
        self._table.news.set()
        return self.ledger.ask(question.number, question.limit_ms / 1000)

    async def reject(self, question: Question, code: int | None, reason: Rejection, *_: object) -> None:
        self.rejected.append(reason)

    def release(self) -> None:
        self.ledger.timer.close()


class Table:
    """A match between two such seats."""

    def __init__(self, policy: Policy = Policy.STRICT) -> None:
        self.asked: list[tuple[ReplyingSeat, Question]] = []
        self.news = asyncio.Event()
        self.seats = [ReplyingSeat(self), ReplyingSeat(self)]
        self.spec = MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"), options={"months": 1}, policy=policy)

    def answer(self, code: int | None = None) -> None:
        seat, question = self.asked[-1]
        assert seat.ledger.answer(question.number, question.legal[0] if code is None else code) is None

    async def until_asked(self, count: int) -> None:
        while len(self.asked) < count:
            self.news.clear()
            await self.news.wait()


async def test_the_next_question_is_asked_before_the_call_returns_that_brings_an_answer() -> None:
    table = Table()
    playing = asyncio.create_task(play(table.spec, table.seats))
    while {seat for seat, _ in table.asked} != set(table.seats):  # each is asked first by the match's task
        asked = len(table.asked)
        await table.until_asked(asked + 1)
        if {seat for seat, _ in table.asked} != set(table.seats):
            table.answer()
    for _ in range(4):
        asked = len(table.asked)
        table.answer()
        assert len(table.asked) == asked + 1
    playing.cancel()
    await asyncio.wait([playing])


async def test_a_match_of_such_seats_ends_as_that_of_any_others() -> None:
    table = Table()
    playing = asyncio.create_task(play(table.spec, table.seats))
    await answer_all(table, playing)
    result = await playing
    assert result.end is End.COMPLETED
    assert len(result.choices) == len(result.clock_ms) == len(table.asked)
    assert set(result.choices) == {0}


async def until_the_middle(table: Table) -> None:
    """Answer four questions; the fifth is open then."""
    for number in range(1, 5):
        await table.until_asked(number)
        table.answer()
    await table.until_asked(5)


async def answer_all(table: Table, playing: "asyncio.Task[object]") -> None:
    answered = 0
    while not playing.done():
        if len(table.asked) > answered:
            answered = len(table.asked)
            table.answer()
        else:
            await asyncio.sleep(0)


async def test_nothing_is_asked_before_a_journal_that_waits_has_the_action() -> None:
    class Slow:
        def __init__(self) -> None:
            self.go = asyncio.Event()
            self.begun = asyncio.Event()
            self.written = 0

        async def write(self, entry: Entry) -> None:
            self.written += 1
            self.begun.set()
            await self.go.wait()

    table, journal = Table(), Slow()
    playing = asyncio.create_task(play(table.spec, table.seats, journal=journal))
    await table.until_asked(1)
    table.answer()
    await journal.begun.wait()
    assert len(table.asked) == 1
    journal.go.set()
    await table.until_asked(2)
    await answer_all(table, playing)
    assert (await playing).end is End.COMPLETED
    assert journal.written == len(table.asked)


async def test_an_illegal_answer_in_the_middle_is_judged_once_and_the_default_played_for_it() -> None:
    table = Table(Policy.LENIENT)
    playing = asyncio.create_task(play(table.spec, table.seats))
    await until_the_middle(table)
    seat, question = table.asked[-1]
    table.answer(99_999)
    await table.until_asked(6)
    assert seat.rejected == [Rejection.ILLEGAL_ACTION]
    assert seat.tally.rejections == 1
    await answer_all(table, playing)
    assert (await playing).rejections[question.seat] == 1


async def test_a_seat_that_fails_in_the_middle_ends_the_match_and_pays_for_it() -> None:
    table = Table()
    playing = asyncio.create_task(play(table.spec, table.seats))
    await until_the_middle(table)
    seat, question = table.asked[-1]
    seat.ledger.break_off(SeatFailure(End.BOT_ERROR, "it broke"))
    result = await playing
    assert (result.end, result.offender, result.text) == (End.BOT_ERROR, question.seat, "it broke")


async def test_an_answer_to_a_match_that_was_cancelled_moves_nothing() -> None:
    table = Table()
    playing = asyncio.create_task(play(table.spec, table.seats))
    await until_the_middle(table)
    playing.cancel()
    table.answer()
    await asyncio.wait([playing])
    assert playing.cancelled()
    assert len(table.asked) == 5


async def test_an_error_of_the_arena_in_the_middle_leaves_play() -> None:
    class Full:
        def __init__(self) -> None:
            self.room = 4

        def write(self, entry: Entry) -> None:
            self.room -= 1
            if not self.room:
                raise OSError("no space left")

    table = Table()
    playing = asyncio.create_task(play(table.spec, table.seats, journal=Full()))
    for number in range(1, 5):
        await table.until_asked(number)
        table.answer()
    with pytest.raises(OSError, match="no space left"):
        await playing
