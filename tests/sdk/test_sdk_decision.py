"""A decision shows a bot what its seat sees, and takes every form of a legal answer."""

import pytest

from arena import wire
from arena.match.question import Question
from arena.sdk import CARDS, Action, Decision
from arena.sdk.decision import read_action
from arena.sdk.testing import example_decision
from arena.services.matches import MatchSpec
from core_ext import VARIANTS, State, variant_info

ACTIONS = {
    "1R": ("", "1R", ""),
    "1R*1x": ("", "1R", "1x"),
    "1R*1L,1x,1y": ("", "1R", "1L 1x 1y"),
    "*5x": ("", None, "5x"),
    "koi": ("koi", None, ""),
    "pass": ("pass", None, ""),
    "discard:3R": ("discard", "3R", ""),
    "exchange:7:7A": ("exchange", None, ""),
    "declare:haneken": ("declare", None, ""),
}


@pytest.mark.parametrize("text", ACTIONS)
def test_an_action_tells_what_it_does(text: str) -> None:
    word, card, takes = ACTIONS[text]
    action = read_action(7, text)
    found = (action.word, action.card and action.card.text, " ".join(take.text for take in action.takes))
    assert found == (word, card, takes)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_action_of_every_variant_can_be_read(variant: str) -> None:
    for code, text in enumerate(variant_info(variant).actions):
        action = read_action(code, text)
        assert action.text == text
        assert action.word or action.card is not None or action.takes


def middle() -> State:
    """A deal in which cards were taken and nobody has said koi."""
    state = State.new("koikoi", None, 5)
    for _ in range(5):
        state.apply(state.legal_actions()[-1])
    return state


@pytest.fixture
def decision() -> Decision:
    """A decision in the middle of a real deal."""
    state = middle()
    seat = state.current_player
    spec = MatchSpec("m1", "koikoi", bytes(32), ("a", "b"))
    legal = tuple(state.legal_actions())
    question = Question(spec, seat, 4, legal, 99, 2_000, 60_000, 0, state.event_count, state)
    return Decision(wire.decision_to_wire(question))


def test_a_decision_shows_what_the_seat_sees(decision: Decision) -> None:
    state = middle()
    seen = state.observation(decision.seat)
    zones = {(zone.kind, zone.seat): zone for zone in seen.zones}
    assert decision.hand == zones["hand", decision.seat].cards
    assert decision.field == zones["field", -1].cards
    assert decision.pile == zones["pile", decision.seat].cards
    assert decision.pile_of(1 - decision.seat) == zones["pile", 1 - decision.seat].cards
    assert decision.stock == zones["stock", -1].count
    assert decision.zone("hand", 1 - decision.seat).cards == ()
    assert [action.code for action in decision.legal] == state.legal_actions()
    assert [action.text for action in decision.legal] == state.legal_texts()
    assert decision.counter("multiplier") == 1
    assert decision.counter("balance", 0) == 0
    assert decision.clock == (2_000, 60_000)
    assert decision.events[0].kind == "draw"


def test_an_answer_may_be_an_action_a_code_or_a_text(decision: Decision) -> None:
    action = decision.legal[1]
    copy = Action(*action)
    assert {decision.code_of(answer) for answer in (action, copy, action.code, action.text)} == {action.code}


@pytest.mark.parametrize("answer", [None, -1, 4_000, "13L", "", b"koi", 1.5])
def test_an_answer_that_is_not_legal_is_named_with_the_legal_ones(decision: Decision, answer: object) -> None:
    with pytest.raises(ValueError, match="is not legal here; legal are"):
        decision.code_of(answer)


def test_a_card_is_no_answer_though_its_number_may_be_a_code() -> None:
    decision = example_decision(legal="2x 3x*3L", hand="2x 3x", field="3L")
    assert decision.code_of(1) == 1
    with pytest.raises(ValueError, match="1R is a card, no action; legal are 0 2x, 1 3x"):
        decision.code_of(CARDS[1])


def test_the_dice_are_the_same_whenever_the_decision_is_asked(decision: Decision) -> None:
    again = Decision(decision.message)
    assert [decision.random.random() for _ in range(3)] == [again.random.random() for _ in range(3)]


def test_a_decision_is_printed_with_all_that_a_person_needs(decision: Decision) -> None:
    shown = str(decision)
    for part in ("koikoi month 1", "field:", "hidden", "legal:", "multiplier=1"):
        assert part in shown


def test_a_decision_can_be_made_by_hand_for_a_bots_own_tests() -> None:
    made = example_decision(legal="1x*1L koi", hand="1x", field="1L", counters={"points": 3})
    assert made.legal[0].takes == made.field
    assert made.counter("points", 0) == 3
