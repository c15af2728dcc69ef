"""The rules of koikoi45, written once more: slow and plain, to hold against the engine."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference_cards import (
    ANIMALS,
    CARDS,
    CHAFF,
    LIGHTS,
    RIBBONS,
    landings,
    of_month,
    pattern,
    plays,
    turn_text,
)
from reference_table import RandomTable, RecordedTable, Table, Transcript, seat_of_the_earlier_month

Options = Mapping[str, Any]

DECK = tuple(card for card in CARDS if card not in ("12x", "12y", "12z"))

POINTS = {
    "goko": 10,
    "shiko": 8,
    "ameshiko": 7,
    "sanko": 5,
    "tsukihanami": 10,
    "hanami": 5,
    "tsukimi": 5,
    "inoshikacho": 5,
    "akatan": 5,
    "aotan": 5,
    "tane": 1,
    "tan": 1,
    "kasu": 1,
    "teshi": 6,
    "nikoniko": 6,
}
OPTIONS: Options = {"birth_months": [0, 0], "kasu_koi": "grow"} | {
    f"points.{name}": points for name, points in POINTS.items()
}

DRY_LIGHTS = {"1L", "3L", "8L", "12L"}
CUP_YAKU = {"tsukihanami", "hanami", "tsukimi"}
MONTHS = 12
MAX_EXCHANGES = 21


def check(transcript: Transcript) -> None:
    """Play a transcript again from its decks, picks and actions; AssertionError says where it differs."""
    table = RecordedTable(transcript, "koikoi45", DECK)
    table.compare(play_match(table, transcript["options"], transcript["seed"]))


def play(options: Options, rng: random.Random, seed_hex: str | None = None) -> Transcript:
    """A random match; options that are not given have their defaults."""
    return play_match(RandomTable(rng, cards=DECK), {**OPTIONS, **options}, seed_hex or rng.randbytes(32).hex())


def play_match(table: Table, options: Options, seed: str = "") -> Transcript:
    """Twelve months on a table."""
    assert table.seats == 2, f"seats: 2, not {table.seats}"
    assert set(options) == set(OPTIONS), f"options that differ: {sorted(set(options) ^ set(OPTIONS))}"
    first = dealer = seat_of_the_earlier_month(table)
    totals = [0, 0]
    for number in range(1, MONTHS + 1):
        winner, points = Month(table, options, number, dealer).play()
        if winner is not None:
            totals[winner] += points
            dealer = winner
    return table.transcript("koikoi45", options, seed, first, totals, totals)


def yaku(pile: Iterable[str], options: Options = OPTIONS, cup_void: bool = False) -> dict[str, int]:
    """The yaku of a pile with their points, in the order of the table."""
    pile = set(pile)
    found: dict[str, int] = {}

    def is_on(name: str) -> bool:
        return bool(options[f"points.{name}"])

    def add(name: str, extra: int = 0) -> None:
        if is_on(name):
            found[name] = options[f"points.{name}"] + extra

    dry = len(pile & DRY_LIGHTS)
    rain = "11L" in pile
    light_yaku = []
    if dry == 4 and rain:
        light_yaku.append("goko")
    if dry == 4:
        light_yaku.append("shiko")
    if dry >= 3 and rain:
        light_yaku.append("ameshiko")
    if dry >= 3:
        light_yaku.append("sanko")
    if light_yaku:
        add(max(light_yaku, key=lambda name: int(options[f"points.{name}"])))

    if not cup_void:
        if {"3L", "8L", "9A"} <= pile and is_on("tsukihanami"):
            add("tsukihanami")
        else:
            if {"3L", "9A"} <= pile:
                add("hanami")
            if {"8L", "9A"} <= pile:
                add("tsukimi")
    if {"6A", "7A", "10A"} <= pile:
        add("inoshikacho")
    if {"1R", "2R", "3R"} <= pile:
        add("akatan")
    if {"6R", "9R", "10R"} <= pile:
        add("aotan")

    animals = len(pile & ANIMALS)
    ribbons = len(pile & RIBBONS)
    chaff = len(pile & (CHAFF | {"9A", "12L"}))
    if animals >= 5:
        add("tane", animals - 5)
    if ribbons >= 5:
        add("tan", ribbons - 5)
    if chaff >= 10:
        add("kasu", chaff - 10)
    return found


def made(before: Mapping[str, int], after: Mapping[str, int]) -> bool:
    """Whether a yaku is new, or worth more."""
    return any(points > before.get(name, 0) for name, points in after.items())


def dealt_hands(hand: Iterable[str]) -> set[tuple[str, int]]:
    """The teshi of a hand, each with its month, and its nikoniko (month 0)."""
    hand = list(hand)
    found = {("teshi", month) for month in range(1, 13) if len(of_month(month, hand)) == 4}
    if pattern(hand) == (2, 2, 2, 2):
        found.add(("nikoniko", 0))
    return found


def exchanges(hand: Iterable[str]) -> dict[str, list[str]]:
    """Every exchange of a hand by its action text, and the three cards that are laid down."""
    hand = list(hand)
    found = {}
    for month in range(1, 13):
        cards = of_month(month, hand)
        if len(cards) == 3:
            found[f"exchange:{month}"] = cards
        if len(cards) == 4:
            for kept in cards:
                found[f"exchange:{month}:{kept}"] = [card for card in cards if card != kept]
    return found


def multiplier(month: int, field: Iterable[str], birth_months: Sequence[int]) -> int:
    """What a month's points are multiplied by before any `koi`."""
    doublings = int(month == 1) + int(month == 12) + list(birth_months).count(month) + len(set(field) & LIGHTS)
    return int(2**doublings)


class Month:
    """One month, from the deal to its end."""

    def __init__(self, table: Table, options: Options, number: int, dealer: int) -> None:
        self.table = table
        self.options = options
        self.number = number
        self.dealer = dealer
        self.order = (dealer, 1 - dealer)
        deck = table.deal(number, 0)
        table.dealer_is(dealer)
        self.hands = [set(deck[0:8]), set(deck[8:16])]
        self.field = set(deck[16:24])
        self.stock = deck[24:]
        self.piles: list[set[str]] = [set(), set()]
        self.times = multiplier(number, self.field, options["birth_months"])
        self.cup_void = False

    def play(self) -> tuple[int | None, int]:
        """The month's winner, or None, and its score."""
        for seat in self.order:
            if self.declares(seat, dealt_hands(self.hands[seat])):
                return self.wins_by_hand(seat)
        for seat in reversed(self.order):
            if self.exchanges_and_declares(seat):
                return self.wins_by_hand(seat)
        self.clear_field()
        return self.turns(self.dealer)

    def turns(self, seat: int) -> tuple[int | None, int]:
        """Turn by turn, from a seat's on: the month's winner, or None, and its score."""
        while self.hands[seat]:
            winner = self.turn(seat)
            if winner is not None:
                return self.wins(winner, "stop", self.yaku(seat), self.times)
            seat = 1 - seat
        self.table.end_month("run_out", None, [], [0, 0])
        return None, 0

    def declares(self, seat: int, hands: set[tuple[str, int]]) -> bool:
        """Ask for a dealt hand, if there is one that counts."""
        return (
            any(self.options[f"points.{name}"] for name, _ in hands)
            and self.table.ask(seat, ["pass", "declare"]) == "declare"
        )

    def exchanges_and_declares(self, seat: int) -> bool:
        """All exchanges of a seat; True when it declares a hand that it was given by one."""
        hand = self.hands[seat]
        for _ in range(MAX_EXCHANGES):
            possible = exchanges(hand)
            if not possible:
                return False
            action = self.table.ask(seat, ["pass", *possible])
            if action == "pass":
                return False
            held = dealt_hands(hand)
            picked = self.table.pick(possible[action])
            hand.remove(picked)
            self.stock.append(picked)
            hand.add(self.stock.pop(0))
            if self.declares(seat, dealt_hands(hand) - held):
                return True
        return False

    def clear_field(self) -> None:
        """The phoenix and every four of a month go to the dealer."""
        for month in range(1, 13):
            cards = set(of_month(month, self.field))
            if len(cards) == 4 or cards == {"12L"}:
                self.field -= cards
                self.piles[self.dealer] |= cards

    def yaku(self, seat: int) -> dict[str, int]:
        """The yaku that a seat's pile holds now."""
        return yaku(self.piles[seat], self.options, self.cup_void)

    def turn(self, seat: int) -> int | None:
        """A turn of a seat; the seat that ends the month with it, or None."""
        before = self.yaku(seat)
        ways = plays(self.hands[seat], self.field)
        card, taken = ways[self.table.ask(seat, list(ways))]
        self.hands[seat].remove(card)
        rain = self.lands(seat, card, taken)

        turned = self.stock.pop(0)
        choices = {turn_text(cards): cards for cards in landings(turned, self.field)}
        answer = self.table.ask(seat, list(choices)) if len(choices) == 2 else next(iter(choices))
        rain = self.lands(seat, turned, choices[answer]) or rain

        after = self.yaku(seat)
        asks_again = self.options["kasu_koi"] == "every_turn" and "kasu" in after
        if not rain and not asks_again and not made(before, after):
            return None
        chooser = 1 - seat if rain else seat
        is_last = not self.hands[0] and not self.hands[1]
        if is_last or self.table.ask(chooser, ["stop", "koi"]) == "stop":
            return chooser
        self.times *= 2
        self.cup_void = self.cup_void or rain
        return None

    def lands(self, seat: int, card: str, taken: Iterable[str]) -> bool:
        """Land a card; True when it brings the rain man to a seat that holds a cup yaku."""
        held_cup = bool(CUP_YAKU & set(self.yaku(seat)))
        captured = {card, *taken} if taken or card == "12L" else set()
        self.field = self.field - captured if captured else self.field | {card}
        self.piles[seat] |= captured
        return held_cup and "11L" in captured

    def wins_by_hand(self, seat: int) -> tuple[int, int]:
        """A seat wins with the hand that it has declared."""
        name = min(name for name, _ in dealt_hands(self.hands[seat]))
        return self.wins(seat, "declare", {name: self.options[f"points.{name}"]}, 1)

    def wins(self, seat: int, ended: str, rows: Mapping[str, int], times: int) -> tuple[int, int]:
        """A seat wins the month."""
        points = sum(rows.values()) * times
        self.table.end_month(ended, seat, rows.items(), [points if each == seat else 0 for each in (0, 1)])
        return seat, points
