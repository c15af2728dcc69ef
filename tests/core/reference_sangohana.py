"""Sangohana, as plainly as it can be written: `check` replays a transcript, `play` makes one."""

import random
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from reference_cards import ANIMALS, CHAFF, LIGHTS, RIBBONS, in_order, month_of
from reference_rigged import Decks, Policy, RiggedTable
from reference_seats import earliest_draw, round_from
from reference_table import RecordedTable, Table, Transcript

VARIANT = "sangohana"
DEFAULTS: dict[str, Any] = {"strict_pairs": False, "strict_three": False, "strict_kiri_times": 3}
MONTHS = 12
LAST_TURN = 200
"""The turn after which a month ends as `safeguard` (R2)."""

KINDS = {"lights": LIGHTS, "animals": ANIMALS, "ribbons": RIBBONS, "chaff": CHAFF}
POINTS = {
    "suyaku": 1,
    "shimo_tanzaku": 2,
    "shimo_no_tane": 3,
    "shimo_sanko": 5,
    "kami_tanzaku": 6,
    "kami_no_tane": 7,
    "tan_sanko": 10,
    "tane_sanko": 12,
    "shimo_goko": 15,
    "kami_goko": 20,
}
ROWS = {
    ("animals", "chaff"): "suyaku",
    ("ribbons", "chaff"): "suyaku",
    ("chaff", "ribbons"): "shimo_tanzaku",
    ("chaff", "animals"): "shimo_no_tane",
    ("lights", "chaff"): "shimo_sanko",
    ("animals", "ribbons"): "kami_tanzaku",
    ("ribbons", "animals"): "kami_no_tane",
    ("lights", "ribbons"): "tan_sanko",
    ("lights", "animals"): "tane_sanko",
    ("chaff", "lights"): "shimo_goko",
    ("animals", "lights"): "kami_goko",
    ("ribbons", "lights"): "kami_goko",
}
"""The hand by what its three and its five are."""
KIRI = frozenset({"12x", "12y", "12z"})
POEMS = frozenset({"1R", "2R", "3R"})
BLUES = frozenset({"6R", "9R", "10R"})

FUKU_AGARI = 15
FUKU_ATARI_AS_DEALT = 12
FUKU_ATARI = 10


class Hand(NamedTuple):
    """A hand of eight cards: its row of the table, and its points with the times of its cards."""

    row: str
    points: int


def check(transcript: Transcript) -> None:
    """Replay a transcript from its draws, decks and actions; raise AssertionError on any difference."""
    table = RecordedTable(transcript, VARIANT)
    table.compare(match(table, transcript["options"], transcript["seed"]))


def play(
    options: Mapping[str, Any],
    rng: random.Random,
    seats: int = 3,
    decks: Decks | None = None,
    policy: Policy | None = None,
) -> Transcript:
    """A whole match by chance, but for the decks that are given and the policy that answers."""
    return match(RiggedTable(rng, seats, decks, policy), DEFAULTS | dict(options), "0" * 64)


def match(table: Table, options: Mapping[str, Any], seed: str) -> Transcript:
    """Twelve months; what the pot holds after a twelfth that runs out goes to the final winner."""
    assert set(options) == set(DEFAULTS), f"the options are {sorted(DEFAULTS)}, not {sorted(options)}"
    assert options["strict_kiri_times"] in (3, 4), f"strict_kiri_times {options['strict_kiri_times']!r}"
    assert 2 <= table.seats <= 4, f"{table.seats} seats"
    totals = [0] * table.seats
    pot = run_outs = 0
    first = dealer = earliest_draw(table)
    for number in range(1, MONTHS + 1):
        end = play_month(table, number, dealer, options)
        scores = [0] * table.seats
        if end.winner is not None:
            each = end.points + (run_outs if end.winner == dealer else 0)
            scores = [-each] * table.seats
            scores[end.winner] = each * (table.seats - 1) + pot
            pot = run_outs = 0
        elif number < MONTHS:
            scores = [-1] * table.seats
            scores[dealer] = -2
            pot -= sum(scores)
            run_outs += 1
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        yaku = [] if end.row is None else [(end.row, end.points)]
        table.end_month(end.ended, end.winner, yaku, scores)
        last_dealer = dealer
        dealer = dealer if end.winner is None else end.winner
    result = with_last_pot(totals, pot, last_dealer)
    return table.transcript(VARIANT, options, seed, first, totals, result)


def with_last_pot(totals: list[int], pot: int, last_dealer: int) -> list[int]:
    """The pot to the final winner; equal ones share it, the rest to the first from the last dealer on (R4)."""
    order = round_from(last_dealer, len(totals))
    winners = [seat for seat in order if totals[seat] == max(totals)]
    result = list(totals)
    for seat in winners:
        result[seat] += pot // len(winners)
    result[winners[0]] += pot % len(winners)
    return result


class MonthEnd(NamedTuple):
    """How a month ended, and what each other seat pays the winner for the hand, timing included."""

    ended: str
    winner: int | None = None
    row: str | None = None
    points: int = 0


def play_month(table: Table, number: int, dealer: int, options: Mapping[str, Any]) -> MonthEnd:
    """One month."""
    deck = table.deal(number, 0)
    table.dealer_is(dealer)
    seats = table.seats
    dealt = [set(deck[7 * seat : 7 * seat + 7]) for seat in range(seats)]
    hands = [set(hand) for hand in dealt]
    stock = deck[7 * seats :]
    order = round_from(dealer, seats)
    discard = ""
    for turn in range(LAST_TURN):
        seat = order[turn % seats]
        first_round = turn < seats
        taken = table.ask(seat, ["draw"] if turn == 0 else ["draw", "take"]) == "take"
        card = discard if taken else stock.pop(0)
        hands[seat].add(card)
        hand = None if taken else hand_of(hands[seat], options)
        discards = [f"discard:{other}" for other in in_order(hands[seat]) if not (taken and other == card)]
        answer = table.ask(seat, ["win", *discards] if hand else discards)
        if answer == "win":
            return MonthEnd("win", seat, hand.row, hand.points + (FUKU_AGARI if first_round else 0))
        discard = answer.removeprefix("discard:")
        hands[seat].remove(discard)
        for other in round_from(seat, seats)[1:]:
            hand = hand_of(hands[other] | {discard}, options)
            if hand and table.ask(other, ["pass", "win"]) == "win":
                as_dealt = FUKU_ATARI_AS_DEALT if hands[other] == dealt[other] else FUKU_ATARI  # R6
                return MonthEnd("win", other, hand.row, hand.points + (as_dealt if first_round else 0))
        if not stock:
            return MonthEnd("run_out")
    return MonthEnd("safeguard")


def hand_of(cards: Collection[str], options: Mapping[str, Any]) -> Hand | None:
    """What eight cards are: three of one kind and five of another, or no hand."""
    parts = {kind: set(cards) & of_kind for kind, of_kind in KINDS.items()}
    three = next((kind for kind, part in parts.items() if len(part) == 3), None)
    five = next((kind for kind, part in parts.items() if len(part) == 5), None)
    if three is None or five is None:
        return None
    times_five = times_of_five_chaff(parts[five], options) if five == "chaff" else 1
    times_three = times_of_three(three, parts[three], options)
    row = ROWS[three, five]
    points = POINTS[row] * times_five * times_three
    return Hand(row, points) if points else None


def pairs(chaff: Collection[str]) -> int:
    """How many pairs there are: two chaff of a month, of month 12 the two that are not yellow."""
    months = [month_of(card) for card in chaff if card != "12x"]
    return sum(months.count(month) == 2 for month in set(months))


def times_of_five_chaff(chaff: Collection[str], options: Mapping[str, Any]) -> int:
    """The times that five chaff give; 0 where they lack the pairs of a hand."""
    kiri = set(chaff) >= KIRI
    two_pairs = pairs(chaff) == 2
    if options["strict_pairs"]:
        if not two_pairs:
            return 0  # R5: the three of paulownia do not stand for the second pair
        if kiri:
            return int(options["strict_kiri_times"])
        return 2 if "11x" in chaff else 1
    if two_pairs and kiri:
        return 4
    if kiri or (two_pairs and "11x" in chaff):
        return 3
    if two_pairs:
        return 2
    return pairs(chaff)


def times_of_three(kind: str, three: Collection[str], options: Mapping[str, Any]) -> int:
    """The times that the three give; 0 where three chaff lack the pair of a strict hand."""
    if kind == "chaff" and options["strict_three"] and not pairs(three):
        return 0
    if kind == "chaff" and set(three) == KIRI:
        return 3
    if kind == "ribbons" and set(three) in (POEMS, BLUES):
        return 2
    return 1
