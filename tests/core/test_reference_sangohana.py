"""Sangohana's months and matches, by its reference: wins and their timing, pots, safeguards, whole matches."""

import copy
import json
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from reference_cards import CARDS
from reference_rigged import Plans, Policy
from reference_sangohana import check, play, with_last_pot
from reference_table import Transcript, arranged_deck

Entry = dict[str, Any]

# Months

READY = "1R 2R 3R 2A 4A 5A 6A"  # waits for an animal: 7, doubled by the poem ribbons
DULL = ("1L 2x 3x 4R 5R 6x 9A", "8L 1x 3y 7R 9R 10x 10A")  # two hands that wait for nothing
QUIET = "4x 5x 8x 9x 11x 12x 4y 5y"


def dealt(hands: Sequence[str], stock: str) -> list[str]:
    return arranged_deck(*[(7, hand) for hand in hands], (48 - 7 * len(hands), stock))


def first_draws(dealer: int) -> list[str]:
    months = [2, 3, 4, 5]
    months[dealer] = 1
    return arranged_deck((48, " ".join(f"{month}x" for month in months)))


def january(hands: Sequence[str], stock: str, plans: Sequence[str], dealer: int = 0, **options: Any) -> Entry:
    """The first month of a match, played by the plans."""
    decks = {0: first_draws(dealer), 1: dealt(hands, stock)}
    policy = Plans({1: plans}, defaults="draw pass")
    entry: Entry = play(options, random.Random(1), len(hands), decks, policy)["months"][0]
    return entry


def texts(entry: Entry) -> str:
    return " ".join(f"{action['seat']}:{action['action']}" for action in entry["actions"])


def test_a_draw_that_completes_a_hand_in_the_first_turn_pays_15_more() -> None:
    entry = january((READY, *DULL), "7A", ("win", "", ""))
    assert [action["legal"] for action in entry["actions"]] == [
        ["draw"],
        ["win", *(f"discard:{card}" for card in ("1R", "2A", "2R", "3R", "4A", "5A", "6A", "7A"))],
    ]
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("win", 0, [["kami_no_tane", 14 + 15]])
    assert entry["scores"] == [58, -29, -29]


def test_every_seat_has_a_first_turn_of_its_own() -> None:
    entry = january((*DULL, READY), "4x 5x 7A", ("4x", "5x", "win"))
    assert (entry["winner"], entry["yaku"]) == (2, [["kami_no_tane", 29]])


def test_a_draw_in_a_later_turn_pays_the_hand_alone() -> None:
    entry = january((READY, *DULL), "4x 5x 8x 7A", ("4x win", "5x", "8x"))
    assert (entry["winner"], entry["yaku"]) == (0, [["kami_no_tane", 14]])
    assert entry["scores"] == [28, -14, -14]


def test_a_win_on_a_discard_of_the_first_round_with_the_cards_dealt_pays_12_more() -> None:
    entry = january((DULL[0], READY, DULL[1]), "7A", ("7A", "win", ""))
    assert texts(entry) == "0:draw 0:discard:7A 1:win"
    assert entry["actions"][-1]["legal"] == ["pass", "win"]
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("win", 1, [["kami_no_tane", 14 + 12]])
    assert entry["scores"] == [-26, 52, -26], "who discarded pays no more than the other"


def test_a_win_in_the_first_round_with_a_hand_that_changed_pays_10_more() -> None:
    plans = ("4x", "8x win", "7A")
    entry = january((DULL[0], "1R 2R 3R 2A 4A 5A 8x", DULL[1]), "4x 6A 7A", plans)
    assert texts(entry).endswith("1:draw 1:discard:8x 2:draw 2:discard:7A 1:win")
    assert entry["yaku"] == [["kami_no_tane", 14 + 10]]


def test_a_seat_that_discards_what_it_drew_is_unchanged_r6() -> None:
    entry = january((DULL[0], READY, DULL[1]), "4x 5x 7A", ("4x", "5x win", "7A"))
    assert texts(entry).endswith("2:discard:7A 1:win")
    assert entry["yaku"] == [["kami_no_tane", 14 + 12]]


def test_from_the_dealers_second_turn_on_a_win_on_a_discard_pays_the_hand_alone() -> None:
    entry = january((DULL[0], READY, DULL[1]), "4x 5x 8x 7A", ("4x 7A", "5x win", "8x"))
    assert texts(entry).endswith("0:draw 0:discard:7A 1:win")
    assert entry["yaku"] == [["kami_no_tane", 14]]


def test_claims_are_asked_in_turn_order_and_the_first_to_win_takes_the_month() -> None:
    hands = ("4x 4y 5x 5y 6x 6y 7x", "1L 3L 8L 8A 9A 10A 11A", READY, "1x 1y 2x 2y 3x 3y 8x")
    entry = january(hands, "7A", ("7A", "win", "win", ""))
    assert texts(entry) == "0:draw 0:discard:7A 1:win"
    assert entry["yaku"] == [["tane_sanko", 12 + 12]]
    assert entry["scores"] == [-24, 72, -24, -24]
    entry = january(hands, "7A", ("7A", "pass", "win", ""))
    assert texts(entry) == "0:draw 0:discard:7A 1:pass 2:win"
    assert entry["scores"] == [-26, -26, 78, -26]


def test_a_taken_card_is_kept_and_wins_nothing_by_itself_r1() -> None:
    entry = january((DULL[0], READY, DULL[1]), "7A", ("7A", "pass take 6A", ""))
    assert texts(entry).startswith("0:draw 0:discard:7A 1:pass 1:take 1:discard:6A")
    legal = entry["actions"][4]["legal"]
    assert legal == [f"discard:{card}" for card in ("1R", "2A", "2R", "3R", "4A", "5A", "6A")]


def test_only_the_months_first_turn_must_draw() -> None:
    entry = january((DULL[0], DULL[1], READY), QUIET, ("4x", "take 1x", "draw"))
    asked = [action["legal"] for action in entry["actions"] if "draw" in action["legal"]]
    assert asked[:3] == [["draw"], ["draw", "take"], ["draw", "take"]]
    assert texts(entry).startswith("0:draw 0:discard:4x 1:take 1:discard:1x 2:draw")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_seats_play_and_each_other_seat_pays(seats: int) -> None:
    hands = [READY, *DULL, "4x 4y 5x 5y 6y 7x 8A"][:seats]
    entry = january(hands, "7A", ["win", "", "", ""][:seats])
    assert entry["scores"] == [29 * (seats - 1)] + [-29] * (seats - 1)


# Run-outs, pots, the end


def patient(month: int, seat: int, legal: list[str], rng: random.Random) -> str:
    """Draws, never wins, discards by chance."""
    if "draw" in legal or "pass" in legal:
        return "draw" if "draw" in legal else "pass"
    return rng.choice([action for action in legal if action != "win"])


def patient_but(plans: Mapping[int, Sequence[str]]) -> Policy:
    """As `patient`, but in the months with plans."""
    planned = Plans(plans, defaults="draw pass")

    def policy(month: int, seat: int, legal: list[str], rng: random.Random) -> str:
        return (planned if month in plans else patient)(month, seat, legal, rng)

    return policy


def test_the_dealer_pays_two_into_the_pot_and_every_other_seat_one() -> None:
    match = play({}, random.Random(1), decks={0: first_draws(1)}, policy=patient)
    for entry in match["months"][:11]:
        assert (entry["ended"], entry["winner"], entry["dealer"], entry["yaku"]) == ("run_out", None, 1, [])
        assert entry["scores"] == [-1, -2, -1], "a run-out month keeps its dealer"
        assert sum(action["action"] == "draw" for action in entry["actions"]) == 27


def test_nobody_pays_for_a_twelfth_month_that_runs_out_and_equal_winners_share_the_pot_r4() -> None:
    match = play({}, random.Random(1), decks={0: first_draws(1)}, policy=patient)
    assert match["months"][11]["scores"] == [0, 0, 0]
    assert match["totals"] == [-11, -22, -11]
    assert match["result"] == [11, -22, 11]
    assert match["placing"] == [1, 3, 1]
    four = play({}, random.Random(1), seats=4, decks={0: first_draws(2)}, policy=patient)
    assert four["totals"] == [-11, -11, -22, -11]
    assert four["result"] == [7, 7, -22, 8], "55 shared by three, the rest to the first after the last dealer"


@pytest.mark.parametrize(("last_dealer", "result"), [(0, [4, 3, -7]), (1, [3, 4, -7]), (2, [4, 3, -7])])
def test_what_cannot_be_shared_goes_to_the_first_from_the_last_dealer_on_r4(
    last_dealer: int, result: list[int]
) -> None:
    assert with_last_pot([0, 0, -7], 7, last_dealer) == result


def test_a_winner_takes_the_pot_and_a_winning_dealer_one_more_for_each_run_out_in_it() -> None:
    hands = (READY, *DULL)
    decks = {0: first_draws(0), 3: dealt(hands, "7A"), 5: dealt(hands, "7A"), 6: dealt(hands, "7A")}
    policy = patient_but({3: ("win", "", ""), 5: ("win", "", ""), 6: ("win", "", "")})
    match = play({}, random.Random(1), decks=decks, policy=policy)
    scores = [entry["scores"] for entry in match["months"]]
    assert scores[:2] == [[-2, -1, -1]] * 2
    assert scores[2] == [2 * (29 + 2) + 8, -31, -31]
    assert match["months"][2]["yaku"] == [["kami_no_tane", 29]], "what the hand alone pays"
    assert scores[3] == [-2, -1, -1]
    assert scores[4] == [2 * (29 + 1) + 4, -30, -30], "the pot began anew"
    assert scores[5] == [58, -29, -29]


def test_a_winner_that_does_not_deal_takes_the_pot_alone_and_deals_the_next_month() -> None:
    decks = {0: first_draws(0), 2: dealt((DULL[0], READY, DULL[1]), "7A")}
    match = play({}, random.Random(1), decks=decks, policy=patient_but({2: ("7A", "win", "")}))
    assert match["months"][1]["scores"] == [-26, 52 + 4, -26]
    assert [entry["dealer"] for entry in match["months"][:4]] == [0, 0, 1, 1]


def test_a_twelfth_month_that_is_won_takes_the_pot_as_any_other() -> None:
    decks = {0: first_draws(0), 12: dealt((READY, *DULL), "7A")}
    match = play({}, random.Random(1), decks=decks, policy=patient_but({12: ("win", "", "")}))
    assert match["months"][11]["scores"] == [2 * (29 + 11) + 44, -40, -40]
    assert match["result"] == match["totals"]
    assert sum(match["result"]) == 0


CYCLE = ("2A 4A 5A 1x 1y 2x 3x", "6R 7R 4x 5x 6x 7x 8x")
"""Seat 0 waits for any chaff, seat 1 has chaff to give."""


class Endless:
    """Two seats take each other's discards; seat 0 passes on every claim but one on the 200th discard."""

    def __init__(self, win_at: int = 0, draws: int = 1) -> None:
        self.win_at, self.draws, self.turns = win_at, draws, 0

    def __call__(self, month: int, seat: int, legal: list[str], rng: random.Random) -> str:
        if month > 1:
            return patient(month, seat, legal, rng)
        if "draw" in legal:
            self.turns += 1
            by_drawing = self.turns < self.draws or self.turns == 200 * (self.draws > 1) or "take" not in legal
            return "draw" if by_drawing else "take"
        if "pass" in legal:
            return "win" if self.turns == self.win_at else "pass"
        chaff = [action for action in legal if action[-1] in "xyz"]
        return rng.choice(chaff or legal[1:])


def endless(policy: Endless) -> Entry:
    decks = {0: first_draws(0), 1: dealt(CYCLE, "3y 9x 9y")}
    match = play({}, random.Random(3), seats=2, decks=decks, policy=policy)
    check(match)
    entry: Entry = match["months"][0]
    return entry


def turns_of(entry: Entry) -> int:
    return sum("draw" in action["legal"] for action in entry["actions"])


def test_a_month_of_200_turns_ends_as_a_safeguard_in_money_a_run_out_r2() -> None:
    entry = endless(Endless())
    assert (entry["ended"], entry["winner"], entry["scores"]) == ("safeguard", None, [-2, -1])
    assert turns_of(entry) == 200


def test_the_200th_discard_can_still_be_won_r2() -> None:
    entry = endless(Endless(win_at=200))
    assert (entry["ended"], entry["winner"], turns_of(entry)) == ("win", 0, 200)


def test_a_stock_that_ends_in_the_200th_turn_makes_a_run_out_r2() -> None:
    entry = endless(Endless(draws=34))
    assert sum(action["action"] == "draw" for action in entry["actions"]) == 34
    assert (entry["ended"], turns_of(entry)) == ("run_out", 200)


@pytest.mark.parametrize(("answer", "ended", "winner"), [("win", "win", 0), ("pass", "run_out", None)])
def test_the_last_discard_can_be_won_but_nobody_may_take_it_r3(answer: str, ended: str, winner: int | None) -> None:
    drawn = 0

    def policy(month: int, seat: int, legal: list[str], rng: random.Random) -> str:
        nonlocal drawn
        if month > 1:
            return patient(month, seat, legal, rng)
        if "draw" in legal:
            drawn += 1
            return "draw"
        if "pass" in legal:
            return answer if drawn == 27 else "pass"
        if drawn == 27:
            return "discard:7A"
        kept = READY.split() if seat == 0 else ["7A"]
        return rng.choice([f"discard:{card}" for card in CARDS if f"discard:{card}" in legal and card not in kept])

    hands = (READY, *DULL)
    deck = arranged_deck(*[(7, hand) for hand in hands], (26, QUIET), (1, "7A"))
    decks = {0: first_draws(0), 1: deck}
    entry = play({}, random.Random(7), decks=decks, policy=policy)["months"][0]
    assert (entry["ended"], entry["winner"]) == (ended, winner)
    assert [action["action"] for action in entry["actions"][-3:]] == ["draw", "discard:7A", answer]


# Whole matches


def eager(month: int, seat: int, legal: list[str], rng: random.Random) -> str:
    return "win" if "win" in legal else rng.choice(legal)


@pytest.mark.parametrize("seed", range(30))
def test_a_match_by_chance_conserves_money_and_checks_after_json(seed: int) -> None:
    options = {"strict_pairs": seed % 2 == 1, "strict_three": seed % 3 == 1, "strict_kiri_times": 3 + seed % 2}
    match = json.loads(json.dumps(play(options, random.Random(seed), 2 + seed % 3, policy=eager if seed % 5 else None)))
    pot = 0
    for entry in match["months"]:
        pot -= sum(entry["scores"])
        assert pot >= 0
        assert (entry["ended"] == "win") == (entry["winner"] is not None)
    assert sum(match["totals"]) == -pot
    assert sum(match["result"]) == 0
    check(match)
    for entry in match["months"]:
        for action in entry["actions"]:
            del action["legal"]
    check(match)


def won(match: Transcript) -> Entry:
    entry: Entry = next(entry for entry in match["months"] if entry["ended"] == "win")
    return entry


def other_winner(match: Transcript) -> None:
    won(match)["winner"] = (won(match)["winner"] + 1) % 3


def plain_points(match: Transcript) -> None:
    won(match)["yaku"][0][1] += 1


def other_row(match: Transcript) -> None:
    won(match)["yaku"][0][0] = "kiri_goko"


def run_out_instead(match: Transcript) -> None:
    won(match)["ended"] = "run_out"


def pass_is_asked_of_all(match: Transcript) -> None:
    actions = match["months"][0]["actions"]
    actions.insert(2, {"seat": 1, "action": "pass", "legal": ["pass", "win"]})


def win_is_legal_after_a_take(match: Transcript) -> None:
    actions = [a for entry in match["months"] for a in entry["actions"]]
    after = next(b for a, b in pairwise(actions) if a["action"] == "take")
    after["legal"].insert(0, "win")


def discards_out_of_order(match: Transcript) -> None:
    match["months"][0]["actions"][1]["legal"].reverse()


def other_dealer(match: Transcript) -> None:
    match["months"][1]["dealer"] = (match["months"][1]["dealer"] + 1) % 3


def pot_left_out(match: Transcript) -> None:
    match["months"][0]["scores"] = [score + 1 for score in match["months"][0]["scores"]]


def other_totals(match: Transcript) -> None:
    match["totals"][0] += 1


def pot_not_given(match: Transcript) -> None:
    match["result"] = [score - 1 for score in match["result"]]


def more_seats(match: Transcript) -> None:
    match["seats"] = 4


def no_such_times(match: Transcript) -> None:
    match["options"]["strict_kiri_times"] = 5


TAMPERED: dict[Callable[[Transcript], None], str] = {
    other_winner: "winner",
    plain_points: "yaku",
    other_row: "yaku",
    run_out_instead: "ended",
    pass_is_asked_of_all: "is asked|may not|may also",
    win_is_legal_after_a_take: "may not",
    discards_out_of_order: "in order",
    other_dealer: "dealer",
    pot_left_out: "scores",
    other_totals: "totals",
    pot_not_given: "result",
    more_seats: "first draws",
    no_such_times: "strict_kiri_times",
}


@pytest.mark.parametrize(("tamper", "message"), TAMPERED.items(), ids=[tamper.__name__ for tamper in TAMPERED])
def test_a_tampered_transcript_is_refused_by_name(tamper: Callable[[Transcript], None], message: str) -> None:
    match = copy.deepcopy(play({}, random.Random(6), policy=eager))
    check(match)
    tamper(match)
    with pytest.raises(AssertionError, match=message):
        check(match)
