"""The referee alone: answers go in, questions and what was played come out, without an event loop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from seats_in_tests import NOTHING, match

from arena.match.journal import Forfeit, Played
from arena.match.model import End, Policy, Rejection, TimeControl
from arena.match.question import Answer
from arena.match.referee import LENIENT_DEFAULTS, OutOfTurnError, Referee, Tally
from arena.replays import from_match, verify
from core_ext import VARIANTS, State, variant_info

LATE = Answer(None, 60.0)


def referee_of(variant: str = "koikoi", *, declinable: bool = False, **options) -> Referee:
    names = tuple("abcd"[: variant_info(variant).seats[2]])
    return Referee(replace(match(**options), variant=variant, names=names, options={}, declinable=declinable))


def play_on(referee: Referee, decisions: int = 10**9) -> list[object]:
    """What follows from first legal answers, until the match is over or so many were given."""
    entries = []
    while referee.turn >= 0 and len(entries) < decisions:
        entries.append(referee.answer(Answer(referee.ask().legal[0], 0.001)))
    return entries


@pytest.mark.parametrize("variant", VARIANTS)
def test_whoever_brings_the_answers_can_play_any_variant_to_its_end(variant):
    referee = referee_of(variant)
    entries = play_on(referee)
    result = referee.result()
    state = State.new(variant, None, referee.spec.seed, len(referee.spec.names))
    state.apply_choices(bytes(entry.choice for entry in entries))
    assert state.is_over
    assert (result.end, result.results, result.choices) == (End.COMPLETED, state.returns(), bytes(len(entries)))
    assert verify(from_match(referee.spec, result)) == ()


@given(st.sampled_from(VARIANTS), st.integers(0, 60))
def test_a_referee_that_is_given_what_another_has_written_stands_where_that_stood(variant, decisions):
    first, second = referee_of(variant), referee_of(variant)
    for entry in play_on(first, decisions):
        second.replay(entry)
    assert second.turn == first.turn
    assert second.result() == first.result()
    assert play_on(second) == play_on(first)


def test_a_question_is_open_until_it_is_answered_and_only_then_comes_the_next():
    referee = referee_of()
    with pytest.raises(OutOfTurnError, match="no question is open"):
        referee.answer(LATE)
    question = referee.ask()
    with pytest.raises(OutOfTurnError, match="not answered yet"):
        referee.ask()
    assert referee.turn == question.seat
    referee.answer(Answer(question.legal[0], 0.0))
    with pytest.raises(OutOfTurnError, match="no question is open"):
        referee.answer(Answer(question.legal[0], 0.0))


def test_a_match_that_is_over_asks_nothing():
    referee = referee_of()
    play_on(referee)
    with pytest.raises(OutOfTurnError, match="the match is over"):
        referee.ask()


@pytest.mark.parametrize(
    ("answer", "end", "rejection"),
    [
        (LATE, End.TIMEOUT, Rejection.TOO_LATE),
        (Answer(NOTHING, 0.0), End.ILLEGAL_ACTION, Rejection.ILLEGAL_ACTION),
    ],
)
def test_a_wrong_answer_forfeits_under_the_strict_policy_and_is_forgiven_three_times_under_the_lenient(
    answer, end, rejection
):
    strict = referee_of(time=TimeControl(10, 0))
    seat = strict.ask().seat
    assert strict.answer(answer) == strict.forfeit
    assert (strict.forfeit.end, strict.forfeit.offender, strict.forfeit.rejections) == (end, seat, 1)
    assert (strict.turn, strict.rejection) == (-1, rejection)
    lenient = referee_of(time=TimeControl(10, 0), policy=Policy.LENIENT)
    wrong = 0
    while lenient.turn >= 0:
        question = lenient.ask()
        entry = lenient.answer(answer if question.seat == seat else Answer(question.legal[0], 0.0))
        wrong += question.seat == seat
        if isinstance(entry, Played) and question.seat == seat:
            assert (entry.choice, entry.refused, entry.rejections) == (0, rejection, wrong)
    assert wrong == LENIENT_DEFAULTS + 1
    assert lenient.result().end is end


def test_of_the_ways_in_which_a_match_ends_the_first_counts():
    referee = referee_of()
    referee.ask()
    first = referee.fail(1, End.DISCONNECTED, "gone")
    assert first == Forfeit(End.DISCONNECTED, 1, "gone", 0)
    assert referee.abandon("the owner ended") is first
    assert referee.fail(0, End.BOT_ERROR, "broken") is first
    assert referee.turn == -1
    assert referee.result().placing == (1, 2)


@pytest.mark.parametrize(
    ("declinable", "questions", "end", "offender"),
    [(True, 1, End.ABANDONED, -1), (True, 2, End.BOT_ERROR, 0), (False, 1, End.BOT_ERROR, 0)],
)
def test_a_challenge_may_be_declined_before_the_first_move_and_no_other_match_ever(
    declinable, questions, end, offender
):
    referee = referee_of(declinable=declinable)
    while referee.seats[0].questions < questions:
        question = referee.ask()
        if question.seat or question.number < questions:
            referee.answer(Answer(question.legal[0], 0.0))
    declined = referee.fail(0, End.ABANDONED, "")
    assert (declined.end, declined.offender) == (end, offender)
    assert declined.text.startswith("a declined the match")


def test_moves_that_never_reach_the_referee_are_counted_with_those_that_do():
    tallies = [Tally(), Tally()]
    referee = Referee(match(policy=Policy.LENIENT), tallies)
    tallies[1 - referee.turn].rejections = 5
    seat = referee.ask().seat
    referee.answer(Answer(NOTHING, 0.0))
    assert referee.result().rejections[seat] == 1
    assert referee.result().rejections[1 - seat] == 5
