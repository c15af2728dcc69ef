from hypothesis import given
from hypothesis import strategies as st

from arena.match.model import Rejection
from arena.seats.ledger import Ledger


def test_the_open_decision_is_answered_once() -> None:
    ledger = Ledger()
    ledger.ask(1)
    assert ledger.answer(1) is None
    assert ledger.answer(1) is Rejection.ALREADY_ANSWERED


def test_a_move_for_a_decision_that_ran_out_of_time_is_too_late_for_ever() -> None:
    ledger = Ledger()
    ledger.ask(1)
    ledger.expire()
    ledger.ask(2)
    assert ledger.answer(1) is Rejection.TOO_LATE
    assert ledger.answer(2) is None


def test_nothing_is_asked_before_the_first_decision() -> None:
    assert Ledger().answer(0) is Rejection.NOT_ASKED
    assert Ledger().answer(1) is Rejection.NOT_ASKED


def test_time_that_is_over_after_the_answer_changes_nothing() -> None:
    ledger = Ledger()
    ledger.ask(1)
    assert ledger.answer(1) is None
    ledger.expire()
    assert ledger.answer(1) is Rejection.ALREADY_ANSWERED


@given(st.lists(st.booleans(), max_size=20), st.integers(-3, 30))
def test_every_move_has_exactly_one_meaning(in_time: list[bool], number: int) -> None:
    ledger = Ledger()
    for asked, answered in enumerate(in_time, 1):
        ledger.ask(asked)
        if answered:
            assert ledger.answer(asked) is None
        ledger.expire()
    meaning = ledger.answer(number)
    if not 1 <= number <= len(in_time):
        assert meaning is Rejection.NOT_ASKED
    else:
        assert meaning is (Rejection.ALREADY_ANSWERED if in_time[number - 1] else Rejection.TOO_LATE)
