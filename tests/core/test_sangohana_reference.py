"""Matches of two to four seats, played in many ways, held against the rules as they are written a second time."""

import random

import pytest
import reference_sangohana
from reference_sangohana import hand_of
from sangohana_scene import building, follow, mixed, random_options

from core_ext import State, variant_info
from core_ext.cards import CARD_NAMES, parse_card

MATCHES = 30


def transcript_of(number: int, seats: int) -> dict[str, object]:
    rng = random.Random(number)
    state = State.new("sangohana", random_options(rng), f"reference/{number}", seats)
    return follow(state, mixed(seats, rng), rng).transcript(legal=True)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_matches_are_what_the_reference_plays_from_the_same_decks_and_actions(seats):
    endings = set()
    for number in range(MATCHES):
        transcript = transcript_of(number, seats)
        reference_sangohana.check(transcript)
        endings |= {month["ended"] for month in transcript["months"]}
    assert endings == {"win", "run_out"}


def win_or_not(month: int, seat: int, legal: list[str], rng: random.Random) -> str:
    return "win" if "win" in legal else rng.choice(legal)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_references_matches_are_what_the_engine_plays_from_the_same_decks_and_actions(seats):
    for number in range(MATCHES):
        rng = random.Random(number)
        options = random_options(rng)
        match = reference_sangohana.play(options, rng, seats, policy=win_or_not if number % 2 else None)
        first, *later = (entry["deck"] for entry in match["months"])
        state = State.from_deck("sangohana", options, first, match["first"]["dealer"], seats=seats, following=later)
        for entry in match["months"]:
            assert (state.month, state.dealer) == (entry["month"], entry["dealer"])
            for action in entry["actions"]:
                assert (state.current_player, state.legal_texts()) == (action["seat"], action["legal"])
                state.apply(state.parse_action(action["action"]))
        events = state.events(-1)
        ends = [(event.name, event.seat, list(event.values)) for event in events if event.kind == "month_end"]
        assert ends == [
            (entry["ended"], -1 if entry["winner"] is None else entry["winner"], entry["scores"])
            for entry in match["months"]
        ]
        scored = [[event.name, event.values[0]] for event in events if event.kind == "score"]
        assert scored == [row for entry in match["months"] for row in entry["yaku"]]
        assert state.is_over
        assert [list(state.balances()), list(state.returns())] == [match["totals"], match["result"]]


def test_the_reference_notices_a_payment_that_is_not_right():
    rng = random.Random(1)
    transcript = follow(State.new("sangohana", None, 1), building, rng).transcript(legal=True)
    transcript["months"][0]["scores"][0] += 1
    with pytest.raises(AssertionError, match="month 1 attempt 0: scores"):
        reference_sangohana.check(transcript)


def test_the_engines_options_are_the_references():
    assert dict(State.new("sangohana").options) == reference_sangohana.DEFAULTS


def test_the_table_is_the_references():
    assert {row.id: row.points for row in variant_info("sangohana").yaku} == reference_sangohana.POINTS


def any_eight(rng: random.Random) -> list[str]:
    """Eight cards that have a chance to be a hand: most often three of a kind and five of another, often with kiri."""
    three, five = rng.sample([sorted(kind, key=CARD_NAMES.index) for kind in reference_sangohana.KINDS.values()], 2)
    if rng.random() < 0.2:
        return rng.sample(three + five, 8)
    kiri = sorted(reference_sangohana.KIRI) if rng.random() < 0.3 else []
    chosen = []
    for kind, count in ((three, 3), (five, 5)):
        fixed = [card for card in kiri if card in kind]
        chosen += fixed + rng.sample([card for card in kind if card not in fixed], count - len(fixed))
    return chosen


def test_any_eight_cards_are_worth_what_the_reference_says():
    rng = random.Random(8)
    found = set()
    for _ in range(6_000):
        eight = any_eight(rng)
        options = random_options(rng)
        rest = [card for card in CARD_NAMES if card not in eight]
        deck = [*eight[:7], *rest[:7], eight[7], *rest[7:]]
        state = State.from_deck("sangohana", options, map(parse_card, deck), seats=2)
        state.apply(state.parse_action("draw"))
        hand = hand_of(eight, options)
        assert ("win" in state.legal_texts()) == (hand is not None), (eight, options)
        if hand:
            state.apply(state.parse_action("win"))
            [score] = [event for event in state.events(-1) if event.kind == "score"]
            assert (score.name, score.values[0]) == (hand.row, hand.points + 15), (eight, options)
            found.add((hand.row, hand.points))
    assert {row for row, _ in found} == set(reference_sangohana.POINTS)
    assert len(found) >= 20, "with their times"
