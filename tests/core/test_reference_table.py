"""What a reference's `check` notices: every kind of difference between a transcript and the rules."""

import copy
import json
import random
from collections.abc import Callable
from types import ModuleType

import pytest
import reference_hachihachi
import reference_koikoi
import reference_koikoi45
import reference_kyogi
import reference_sangohana
from reference_cards import CARDS
from reference_koikoi45 import DECK
from reference_table import ArrangedTable, Transcript, seat_of_the_earlier_month

MODULES = {"koikoi45": reference_koikoi45, "kyogi": reference_kyogi}
REFERENCES = [reference_koikoi, reference_koikoi45, reference_kyogi, reference_hachihachi, reference_sangohana]


@pytest.mark.parametrize("module", REFERENCES)
def test_a_match_that_a_reference_plays_holds_by_its_own_check(module: ModuleType) -> None:
    for number in range(2):
        module.check(json.loads(json.dumps(module.play({}, random.Random(number)))))


def won(match: Transcript) -> dict:
    """A month that was won by a stop."""
    return next(entry for entry in match["months"] if entry["ended"] == "stop")


def asked(match: Transcript) -> dict:
    """The first action of the match that has a choice."""
    return next(action for entry in match["months"] for action in entry["actions"] if len(action["legal"]) > 2)


def higher_score(match: Transcript) -> None:
    won(match)["scores"][0] += 1


def other_winner(match: Transcript) -> None:
    won(match)["winner"] = 1 - won(match)["winner"]


def no_winner(match: Transcript) -> None:
    won(match)["winner"] = None


def other_end(match: Transcript) -> None:
    won(match)["ended"] = "declare"


def dearer_yaku(match: Transcript) -> None:
    won(match)["yaku"][0][1] += 1


def one_yaku_more(match: Transcript) -> None:
    won(match)["yaku"].append(["akatan", 5])


def other_dealer(match: Transcript) -> None:
    match["months"][3]["dealer"] = 1 - match["months"][3]["dealer"]


def one_action_more_is_legal(match: Transcript) -> None:
    asked(match)["legal"].append("koi")


def one_action_less_is_legal(match: Transcript) -> None:
    action = asked(match)
    action["legal"].remove(next(text for text in action["legal"] if text != action["action"]))


def other_order(match: Transcript) -> None:
    asked(match)["legal"].reverse()


def illegal_action(match: Transcript) -> None:
    asked(match)["action"] = "koi"
    del asked(match)["legal"]


def other_seat(match: Transcript) -> None:
    asked(match)["seat"] = 1 - asked(match)["seat"]


def one_action_left_over(match: Transcript) -> None:
    won(match)["actions"].append({"seat": 0, "action": "koi"})


def one_action_missing(match: Transcript) -> None:
    won(match)["actions"].pop()


def one_pick_left_over(match: Transcript) -> None:
    won(match)["picks"].append("1x")


def a_card_twice(match: Transcript) -> None:
    deck = won(match)["deck"].split()
    won(match)["deck"] = " ".join([*deck[:-1], deck[0]])


def other_month(match: Transcript) -> None:
    match["months"][5]["month"] += 1


def last_month_missing(match: Transcript) -> None:
    match["months"].pop()


def one_month_more(match: Transcript) -> None:
    match["months"].append(copy.deepcopy(match["months"][-1]))


def other_totals(match: Transcript) -> None:
    match["totals"].reverse()


def other_result(match: Transcript) -> None:
    match["result"][1] -= 1


def other_placing(match: Transcript) -> None:
    match["placing"].reverse()


def other_first_dealer(match: Transcript) -> None:
    match["first"]["dealer"] = 1 - match["first"]["dealer"]


def one_draw_more(match: Transcript) -> None:
    match["first"]["draws"] += [[0, "1x"], [1, "2x"]]


def a_draw_twice(match: Transcript) -> None:
    match["first"]["draws"][1][1] = match["first"]["draws"][0][1]


def draws_of_the_wrong_seats(match: Transcript) -> None:
    match["first"]["draws"].reverse()


def no_draws(match: Transcript) -> None:
    match["first"]["draws"] = []


def foreign_variant(match: Transcript) -> None:
    match["variant"] = "koikoi"


def foreign_format(match: Transcript) -> None:
    match["format"] = "hanafuda-transcript/2"


def three_seats(match: Transcript) -> None:
    match["seats"] = 3


def unknown_option(match: Transcript) -> None:
    match["options"]["kuitsuki"] = True


def bad_seed(match: Transcript) -> None:
    match["seed"] = "42"


def no_result(match: Transcript) -> None:
    del match["result"]


def no_attempt(match: Transcript) -> None:
    del match["months"][0]["attempt"]


TAMPERED: dict[Callable[[Transcript], None], str] = {
    higher_score: "scores",
    other_winner: "winner",
    no_winner: "winner",
    other_end: "ended",
    dearer_yaku: "yaku",
    one_yaku_more: "yaku",
    other_dealer: "dealer",
    one_action_more_is_legal: "may not",
    one_action_less_is_legal: "may also",
    other_order: "in order",
    illegal_action: "does 'koi'",
    other_seat: "is asked",
    one_action_left_over: "actions",
    one_action_missing: "no more actions",
    one_pick_left_over: "picks",
    a_card_twice: "not a whole deck",
    other_month: "is to be played",
    last_month_missing: "the transcript has ended",
    one_month_more: "has ended after",
    other_totals: "totals",
    other_result: "result",
    other_placing: "placing",
    other_first_dealer: "first draws",
    one_draw_more: "first draws",
    a_draw_twice: "drawn twice",
    draws_of_the_wrong_seats: "first draws",
    no_draws: "first draws",
    foreign_variant: "variant",
    foreign_format: "format",
    three_seats: "seats",
    unknown_option: "options",
    bad_seed: "64 hex",
    no_result: "keys of a transcript",
    no_attempt: "keys of a deal",
}


@pytest.fixture(params=MODULES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    return MODULES[request.param]


@pytest.fixture
def match(module: ModuleType) -> Transcript:
    """A match that one seat wins, with a stop in it; it has been through JSON."""
    return json.loads(json.dumps(module.play({}, random.Random(11), "ab" * 32)))


@pytest.mark.parametrize("cards", [CARDS, DECK], ids=["48 cards", "45 cards"])
@pytest.mark.parametrize(
    ("draws", "seat"), [("3x 9A", 0), ("9A 3x", 1), ("3x 3L 12L 1L", 1)], ids=["earlier", "later", "again"]
)
def test_the_seat_that_draws_the_earlier_month_deals_first(cards: tuple[str, ...], draws: str, seat: int) -> None:
    """In kyogi as the tentative dealer."""
    table = ArrangedTable([cards], draws=draws, cards=cards)
    assert seat_of_the_earlier_month(table) == seat
    assert len(table.draws) == len(draws.split())


@pytest.mark.parametrize(("cards", "undrawn"), [(CARDS, 0), (DECK, 1)], ids=["48 cards", "45 cards"])
def test_when_ties_use_up_the_deck_the_first_seat_deals(cards: tuple[str, ...], undrawn: int) -> None:
    """Of 45 cards the phoenix has no partner and is left."""
    table = ArrangedTable([cards], draws=" ".join(cards), cards=cards)
    assert seat_of_the_earlier_month(table) == 0
    assert table.undrawn == undrawn


def test_a_true_transcript_is_accepted(module: ModuleType, match: Transcript) -> None:
    before = copy.deepcopy(match)
    module.check(match)
    assert match == before, "and left as it is"


def test_legal_lists_may_be_left_out(module: ModuleType, match: Transcript) -> None:
    for entry in match["months"]:
        for action in entry["actions"]:
            del action["legal"]
    module.check(match)


def test_the_order_of_yaku_does_not_matter(module: ModuleType, match: Transcript) -> None:
    for entry in match["months"]:
        entry["yaku"].reverse()
    module.check(match)


@pytest.mark.parametrize(("tamper", "message"), TAMPERED.items(), ids=[tamper.__name__ for tamper in TAMPERED])
def test_a_tampered_transcript_is_refused_and_the_message_says_why(
    module: ModuleType, match: Transcript, tamper: Callable[[Transcript], None], message: str
) -> None:
    tamper(match)
    with pytest.raises(AssertionError, match=message):
        module.check(match)
