"""Each decision of a connected bot is answered once, and every move has one meaning."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.model import Rejection
from arena.seats.ledger import Ledger

LIMIT_S = 60.0


@pytest.fixture
async def ledger() -> AsyncIterator[Ledger]:
    made = Ledger()
    yield made
    made.timer.close()


async def test_the_open_decision_is_answered_once(ledger: Ledger) -> None:
    answer = ledger.ask(1, LIMIT_S)
    assert ledger.answer(1, 7) is None
    assert ledger.answer(1, 8) is Rejection.ALREADY_ANSWERED
    assert (await answer).code == 7


async def test_a_move_for_a_decision_that_ran_out_of_time_is_too_late_for_ever(ledger: Ledger) -> None:
    assert (await ledger.ask(1, 0.001)).code is None
    second = ledger.ask(2, LIMIT_S)
    assert ledger.answer(1, 7) is Rejection.TOO_LATE
    assert ledger.answer(2, 8) is None
    assert (await second).code == 8


async def test_nothing_is_asked_before_the_first_decision(ledger: Ledger) -> None:
    assert ledger.answer(0, 7) is Rejection.NOT_ASKED
    assert ledger.answer(1, 7) is Rejection.NOT_ASKED


async def test_the_end_of_a_decision_after_its_answer_changes_nothing(ledger: Ledger) -> None:
    ledger.ask(1, LIMIT_S)
    assert ledger.answer(1, 7) is None
    ledger.end()
    assert ledger.answer(1, 7) is Rejection.ALREADY_ANSWERED


async def test_whoever_waits_for_an_answer_gets_the_failure_instead(ledger: Ledger) -> None:
    answer = ledger.ask(1, LIMIT_S)
    ledger.break_off(ConnectionError("gone"))
    assert ledger.answer(1, 7) is None
    with pytest.raises(ConnectionError, match="gone"):
        await answer


@given(st.lists(st.booleans(), max_size=20), st.integers(-3, 30))
def test_every_move_has_exactly_one_meaning(in_time: list[bool], number: int) -> None:
    async def meaning() -> Rejection | None:
        ledger = Ledger()
        try:
            for asked, answered in enumerate(in_time, 1):
                ledger.ask(asked, LIMIT_S)
                if answered:
                    assert ledger.answer(asked, 7) is None
                ledger.end()
            return ledger.answer(number, 7)
        finally:
            ledger.timer.close()

    found = asyncio.run(meaning())
    if not 1 <= number <= len(in_time):
        assert found is Rejection.NOT_ASKED
    else:
        assert found is (Rejection.ALREADY_ANSWERED if in_time[number - 1] else Rejection.TOO_LATE)
