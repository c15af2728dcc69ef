"""The rules of kyogi, written once more: slow and plain, to hold against the engine."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference_cards import (
    ANIMALS,
    CHAFF,
    LIGHTS,
    RIBBONS,
    has_four_of_a_month,
    landings,
    month_of,
    pattern,
    plays,
    turn_text,
)
from reference_table import RandomTable, RecordedTable, Table, Transcript, seat_of_the_earlier_month

Options = Mapping[str, Any]

OPTIONS: Options = {}

DEALT_HANDS = {
    (3, 2, 2, 1): ("haneken", 3),
    (4, 1, 1, 1, 1): ("teshi", 6),
    (4, 2, 1, 1): ("teshi", 6),
    (3, 3, 1, 1): ("futasanbon", 9),
    (2, 2, 2, 2): ("kuttsuki", 10),
    (3, 3, 2): ("futasanbon_kuttsuki", 20),
    (4, 2, 2): ("teshi_kuttsuki", 40),
    (4, 3, 1): ("shiso", 45),
    (4, 4): ("futateshi", 360),
}

# The sets of cards; the yaku of lights, of which any will do, and of numbers are in `complete`.
SETS = {
    "otori": ({"1L", "2A", "4A", "8A", "11A", "12L"}, 18),
    "goun": ({"2A", "5A", "6A", "7A", "9A"}, 15),
    "akatan": ({"1R", "2R", "3R"}, 7),
    "aotan": ({"6R", "9R", "10R"}, 7),
    "kotori": ({"2A", "4A", "8A", "11A"}, 7),
    "inoshikacho": ({"6A", "7A", "10A"}, 6),
    "teppo": ({"3L", "8L", "9A"}, 6),
    "kusa": ({"4R", "5R", "7R"}, 5),
    "omote_sugawara": ({"1L", "2A", "3L"}, 4),
    "tsukimi": ({"8L", "9A"}, 2),
    "hanami": ({"3L", "9A"}, 2),
}
LIGHT_YAKU = ("goko", "shiko", "ameshiko", "sanko")
CUP_YAKU = ("teppo", "tsukimi", "hanami")
DRY_LIGHTS = {"1L", "3L", "8L", "12L"}

SEASON_POINTS = 5
YEAR_POINTS = 5
NEEDED_IN_A_REPLAY = 3
MONTHS_OF_A_YEAR = 12
MAX_ADDED_MONTHS = 24
LAST_ATTEMPT = 20


def check(transcript: Transcript) -> None:
    """Play a transcript again from its decks, picks and actions; AssertionError says where it differs."""
    table = RecordedTable(transcript, "kyogi")
    table.compare(play_match(table, transcript["options"], transcript["seed"]))


def play(options: Options, rng: random.Random, seed_hex: str | None = None) -> Transcript:
    """A random match; there are no options."""
    return play_match(RandomTable(rng), {**OPTIONS, **options}, seed_hex or rng.randbytes(32).hex())


def play_match(table: Table, options: Options, seed: str = "") -> Transcript:
    """A whole year on a table."""
    assert table.seats == 2, f"seats: 2, not {table.seats}"
    assert set(options) == set(OPTIONS), f"options that differ: {sorted(set(options) ^ set(OPTIONS))}"
    # The later month is the tentative second.
    first = seat_of_the_earlier_month(table)
    year = Year()
    dealer = first
    while not year.is_over():
        dealer = play_month(table, year, dealer)
    return table.transcript("kyogi", options, seed, first, year.totals, year.result())


class Year:
    """Who won which month, and the points."""

    def __init__(self) -> None:
        self.totals = [0, 0]
        self.winners: list[int | None] = []

    @property
    def month(self) -> int:
        """The month to be played now, 13 and on in added seasons."""
        return len(self.winners) + 1

    def won(self, winner: int | None, points: int) -> list[int]:
        """Close the month; what it changed in every seat's total, a season's points included."""
        self.winners.append(winner)
        scores = [0, 0]
        if winner is not None:
            scores[winner] += points
            is_last_of_season = len(self.winners) % 3 == 0
            if is_last_of_season and self.winners[-3:] == [winner, winner, winner]:
                scores[winner] += SEASON_POINTS
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        return scores

    def is_over(self) -> bool:
        """Whether the year, with the seasons that equal totals add, is through."""
        played = len(self.winners)
        if played < MONTHS_OF_A_YEAR or played % 3 != 0:
            return False
        return self.totals[0] != self.totals[1] or played == MONTHS_OF_A_YEAR + MAX_ADDED_MONTHS

    def result(self) -> list[int]:
        """The totals, and for the year's winner the ginmi."""
        result = list(self.totals)
        if result[0] != result[1]:
            best = 0 if result[0] > result[1] else 1
            result[best] += YEAR_POINTS + self.winners.count(best)
        return result


def found_dealer(field: Sequence[str], tentative: int) -> int:
    """The dealer of January, from the field in the order of the deal."""
    own, other = field[0:4], field[4:8]

    def last_digits(cards: Sequence[str]) -> int:
        return sum(month_of(card) if month_of(card) < 10 else 0 for card in cards)

    def months(cards: Sequence[str]) -> int:
        return sum(month_of(card) for card in cards)

    def kind(card: str) -> int:
        """The better the higher."""
        return 3 if card in LIGHTS else 2 if card in ANIMALS else 1 if card in RIBBONS else 0

    def best_kind(cards: Sequence[str]) -> int:
        return max(kind(card) for card in cards)

    def its_month(cards: Sequence[str]) -> int:
        return min(month_of(card) for card in cards if kind(card) == best_kind(cards))

    if last_digits(own) != last_digits(other):
        own_deals = last_digits(own) > last_digits(other)
    elif months(own) != months(other):
        own_deals = months(own) > months(other)
    elif best_kind(own) != best_kind(other):
        own_deals = best_kind(own) > best_kind(other)
    else:
        own_deals = its_month(own) <= its_month(other)
    return tentative if own_deals else 1 - tentative


def is_ten_with_the_cup(pile: Iterable[str]) -> bool:
    """Whether a pile's kasu are exactly ten, the sake cup among them."""
    pile = set(pile)
    return "9A" in pile and len(pile & CHAFF) == 9


def complete(pile: Iterable[str]) -> dict[str, int]:
    """Every row of the table whose cards a pile holds, with its points: neither rain nor a dearer row matters here."""
    pile = set(pile)
    found: dict[str, int] = {}
    dry = len(pile & DRY_LIGHTS)
    if dry == 4 and "11L" in pile:
        found["goko"] = 24
    if dry == 4:
        found["shiko"] = 16
    if dry >= 3 and "11L" in pile:
        found["ameshiko"] = 9
    if dry >= 3:
        found["sanko"] = 6
    for name, (cards, points) in SETS.items():
        if cards <= pile:
            found[name] = points
    animals, ribbons, chaff = len(pile & ANIMALS), len(pile & RIBBONS), len(pile & (CHAFF | {"9A"}))
    if animals >= 5:
        found["tane"] = 1 + animals - 5
    if ribbons >= 5:
        found["tan"] = 1 + ribbons - 5
    if chaff >= 10:
        found["kasu"] = 1 + chaff - 10
    return found


def yaku(pile: Iterable[str]) -> dict[str, int]:
    """The yaku that a pile is worth: no cup yaku in the rain, and no row beside the dearer one that it is part of."""
    pile = set(pile)
    rows = complete(pile)
    rain = any(month_of(card) == 11 for card in pile)
    sunrise = "1L" in pile
    if rain and not sunrise:
        rows = {name: points for name, points in rows.items() if name not in CUP_YAKU}
    lights = [name for name in LIGHT_YAKU if name in rows]
    for name in lights[1:]:
        del rows[name]
    if "teppo" in rows:
        del rows["hanami"], rows["tsukimi"]
    if "otori" in rows:
        del rows["kotori"]
    return rows


def declarable(before: Iterable[str], after_hand: Iterable[str], after_turn: Iterable[str]) -> set[str]:
    """What a turn lets its seat declare, by its pile before the turn, after the hand card and after the turned card."""
    before, after_hand, after_turn = set(before), set(after_hand), set(after_turn)
    reasons = set()
    for earlier, later in ((before, after_hand), (after_hand, after_turn)):
        for name, points in complete(later).items():
            is_made = points > complete(earlier).get(name, 0)
            if is_made and name in yaku(later) and name in yaku(after_turn):
                reasons.add(name)
    if is_ten_with_the_cup(after_turn):
        reasons.discard("kasu")
    return reasons


def can_stop(before: Iterable[str], after_hand: Iterable[str], after_turn: Iterable[str], is_replay: bool) -> bool:
    """Whether a turn lets its seat choose; in a replayed month three mon are needed."""
    after_turn = set(after_turn)
    rows = yaku(after_turn)
    if is_ten_with_the_cup(after_turn):
        del rows["kasu"]
    enough = not is_replay or sum(rows.values()) >= NEEDED_IN_A_REPLAY
    return enough and bool(declarable(before, after_hand, after_turn))


def play_month(table: Table, year: Year, dealer: int) -> int:
    """A month with all its replays; the next month's dealer. In January the one given is the tentative dealer."""
    tentative = dealer
    no_card_played_in_january = year.month == 1
    for attempt in range(LAST_ATTEMPT + 1):
        deck = table.deal(year.month, attempt)
        if no_card_played_in_january:
            dealer = found_dealer(deck[16:24], tentative)
        table.dealer_is(dealer)
        deal = Deal(table, deck, dealer, is_replay=attempt > 0)
        deal.play()
        if deal.winner is not None:
            scores = year.won(deal.winner, deal.points)
            table.end_month(deal.ended, deal.winner, deal.rows.items(), scores)
            return deal.winner
        no_card_played_in_january = no_card_played_in_january and not deal.card_played
        tentative = 1 - tentative
        dealer = 1 - dealer
        if attempt < LAST_ATTEMPT:
            table.end_month("run_out", None, [], [0, 0])
    scores = year.won(None, 0)
    table.end_month("safeguard", None, [], scores)
    return dealer


class Deal:
    """One deal; after `play` the winner (None when it has run out), and what it won with."""

    def __init__(self, table: Table, deck: Sequence[str], dealer: int, is_replay: bool) -> None:
        self.table = table
        self.dealer = dealer
        self.is_replay = is_replay
        self.hands = [set(deck[0:8]), set(deck[8:16])]
        self.field = set(deck[16:24])
        self.stock = list(deck[24:])
        self.piles: list[set[str]] = [set(), set()]
        self.card_played = False
        self.winner: int | None = None
        self.ended = "run_out"
        self.rows: dict[str, int] = {}
        self.points = 0

    def play(self) -> None:
        """Dealt hands, then the turns."""
        declared = self.declared_hands()
        if declared:
            self.settle_declared(declared)
            return
        if has_four_of_a_month(self.field):
            return
        seat = self.dealer
        while self.hands[seat]:
            self.card_played = True
            if self.turn(seat):
                self.winner, self.ended, self.rows = seat, "stop", yaku(self.piles[seat])
                self.points = sum(self.rows.values())
                return
            seat = 1 - seat

    def declared_hands(self) -> dict[int, tuple[str, int]]:
        """The dealt hands that are declared, by seat."""
        declared = {}
        for seat in (self.dealer, 1 - self.dealer):
            dealt = DEALT_HANDS.get(pattern(self.hands[seat]))
            if dealt is not None and self.table.ask(seat, ["pass", "declare"]) == "declare":
                declared[seat] = dealt
        return declared

    def settle_declared(self, declared: Mapping[int, tuple[str, int]]) -> None:
        """The dearer hand wins, less the other's points; equal hands run out."""
        points = [declared[seat][1] if seat in declared else 0 for seat in (0, 1)]
        if points[0] == points[1]:
            return
        self.winner = 0 if points[0] > points[1] else 1
        self.ended = "declare"
        self.rows = dict([declared[self.winner]])
        self.points = abs(points[0] - points[1])

    def turn(self, seat: int) -> bool:
        """A turn of a seat; True when it stops."""
        before = set(self.piles[seat])
        ways = plays(self.hands[seat], self.field)
        card, taken = ways[self.table.ask(seat, list(ways))]
        self.hands[seat].remove(card)
        self.lands(seat, card, taken)
        after_hand = set(self.piles[seat])

        turned = self.stock.pop(0)
        choices = {turn_text(cards): cards for cards in landings(turned, self.field)}
        answer = self.table.ask(seat, list(choices)) if len(choices) == 2 else next(iter(choices))
        self.lands(seat, turned, choices[answer])

        if not can_stop(before, after_hand, self.piles[seat], self.is_replay):
            return False
        return self.table.ask(seat, ["stop", "koi"]) == "stop"

    def lands(self, seat: int, card: str, taken: Iterable[str]) -> None:
        """Land a card: it takes, or it stays."""
        if taken:
            self.field -= set(taken)
            self.piles[seat] |= {card, *taken}
        else:
            self.field.add(card)
