"""The arena's messages of the play service."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from view_message import view_message
from wire_cases import house_options, questions, spec

from arena import wire
from arena.match.model import End, MatchResult, Rejection, TimeControl
from arena.match.question import Question, StaleQuestionError
from core_ext import VARIANTS, Event
from hanafuda.arena.v1 import match_pb2, play_pb2


def as_message(question: Question, *, repeated: bool) -> play_pb2.Decision:
    """The Decision of a question, built from its Observation and events."""
    return play_pb2.Decision(
        match_id=question.spec.match_id,
        decision=question.number,
        observation=view_message(question.observation),
        legal=[
            play_pb2.LegalAction(code=code, text=text)
            for code, text in zip(question.legal, question.texts, strict=True)
        ],
        events=wire.events_to_wire(question.events),
        clock=play_pb2.Clock(decision_ms=question.decision_ms, bank_ms=question.bank_ms),
        random=question.random,
        repeated=repeated,
    )


def as_protobuf_writes_it(question: Question, *, repeated: bool) -> bytes:
    """The PlayResponse that asks the question."""
    response = play_pb2.PlayResponse(decision=as_message(question, repeated=repeated))
    return response.SerializeToString(deterministic=True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("has_house_options", [False, True])
def test_a_decision_holds_the_view_the_legal_actions_and_the_news(variant, has_house_options):
    for question in questions(5, variant, house_options(variant) if has_house_options else {}):
        repeated = question.number == 2
        assert wire.decision_to_wire(question, repeated=repeated) == as_message(question, repeated=repeated)


def test_a_response_is_the_decision_and_nothing_else():
    for question in questions(6):
        response = play_pb2.PlayResponse.FromString(wire.decision_response_bytes(question))
        assert response == play_pb2.PlayResponse(decision=wire.decision_to_wire(question))


@pytest.mark.parametrize("variant", VARIANTS)
@given(seed=st.integers(0, 2**32), has_house_options=st.booleans(), repeated=st.booleans())
@settings(max_examples=settings().max_examples // 4)
def test_every_question_of_a_match_is_written_as_protobuf_writes_it(variant, seed, has_house_options, repeated):
    for question in questions(seed, variant, house_options(variant) if has_house_options else {}):
        assert wire.decision_response_bytes(question, repeated=repeated) == as_protobuf_writes_it(
            question, repeated=repeated
        )


NUMBERS = st.integers(0, 2**32 - 1)


@given(st.text(max_size=300) | st.integers(0, 70_000).map("x".__mul__), NUMBERS, st.integers(0, 2**64 - 1), NUMBERS)
def test_texts_and_numbers_of_any_length_are_written_as_protobuf_writes_them(match_id, number, random, milliseconds):
    of = next(questions(2))
    match = replace(of.spec, match_id=match_id)
    question = Question(
        match, of.seat, number, of.legal, random, of.decision_ms, milliseconds, 0, of.events_until, of.state
    )
    assert wire.decision_response_bytes(question) == as_protobuf_writes_it(question, repeated=False)


def test_a_question_that_was_answered_is_not_written():
    question = next(questions(2))
    question.state.apply(question.legal[0])
    with pytest.raises(StaleQuestionError, match="is answered"):
        wire.decision_response_bytes(question)


def test_a_match_start_tells_everything_but_the_seed():
    match = spec("koikoi", "9", {"months": 3, "teshi": True})
    start = wire.match_start(match, 1)
    assert (start.match_id, start.variant, start.seat, list(start.bots)) == ("match-9", "koikoi", 1, ["ann", "bo"])
    assert dict(start.options) == {"months": "3"}
    assert start.policy == match_pb2.POLICY_STRICT
    assert wire.time_from_wire(start.time_control) == match.time
    assert start.seed_commitment == sha256(match.seed).digest()
    assert match.seed not in start.SerializeToString()


def test_a_match_of_a_board_that_others_play_cannot_be_told_from_them():
    match = replace(spec("koikoi", "9", {}), shared=True)
    assert wire.match_start(match, 1).seed_commitment == b""


def test_no_message_of_a_match_holds_its_seed():
    for question in questions(8):
        message = wire.decision_response_bytes(question)
        assert question.spec.seed not in message
        assert question.spec.seed.hex().encode() not in message


def test_a_match_end_tells_how_it_ended():
    result = MatchResult(End.TIMEOUT, 1, (5, -2), (1, 2), b"", (), (0, 1), "too slow")
    event = Event("koi", 0, (), (), "", (5,))
    end = wire.match_end("m", result, (event,))
    assert (end.match_id, end.reason, end.offender, end.text) == (
        "m",
        match_pb2.MATCH_END_REASON_TIMEOUT,
        1,
        "too slow",
    )
    assert (list(end.results), list(end.placing), list(end.events)) == ([5, -2], [1, 2], [wire.event_to_wire(event)])


@pytest.mark.parametrize("default", [None, 0, 7])
def test_a_rejection_says_what_was_played_instead_only_if_something_was(default):
    message = wire.move_rejected("m", 3, 99, Rejection.ILLEGAL_ACTION, 2, default_code=default)
    assert (message.match_id, message.decision, message.code, message.rejections) == ("m", 3, 99, 2)
    assert message.reason == play_pb2.REJECTION_REASON_ILLEGAL_ACTION
    assert message.HasField("default_code") == (default is not None)
    assert message.default_code == (default or 0)


@pytest.mark.parametrize("reason", Rejection)
def test_a_rejection_says_why_in_words(reason):
    text = wire.move_rejected("m", 3, 99, reason, 2).text
    assert text
    assert "{" not in text


def test_a_rejection_for_lost_time_needs_no_code():
    assert wire.move_rejected("m", 3, None, Rejection.TOO_LATE, 1).code == 0


def test_an_update_holds_events_in_their_order():
    events = [Event("play", 0, (1,), (1, 2), "", ()), Event("turn", 0, (9,), (), "", ())]
    assert list(wire.match_update("m", events).events) == wire.events_to_wire(events)


def test_a_time_control_without_any_time_is_refused():
    with pytest.raises(ValueError, match="no time at all"):
        wire.time_from_wire(match_pb2.TimeControl())
    assert wire.time_from_wire(match_pb2.TimeControl(bank_ms=5)) == TimeControl(0, 5)
    assert wire.time_to_wire(TimeControl(1, 2)) == match_pb2.TimeControl(per_decision_ms=1, bank_ms=2)
