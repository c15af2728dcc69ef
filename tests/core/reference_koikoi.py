"""The rules of koikoi, written once more: slow and plain, to hold against the engine."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from reference_cards import (
    ANIMALS,
    CHAFF,
    RIBBONS,
    has_four_of_a_month,
    landings,
    month_of,
    of_month,
    plays,
    turn_text,
)
from reference_table import RandomTable, RecordedTable, Table, Transcript

Options = Mapping[str, Any]

POINTS = {
    "goko": 15,
    "shiko": 10,
    "ameshiko": 8,
    "sanko": 6,
    "inoshikacho": 5,
    "hanami": 5,
    "tsukimi": 5,
    "tane": 1,
    "akatan": 6,
    "aotan": 6,
    "tanzaku": 1,
    "kasu": 1,
    "omote_sugawara": 6,
    "yontan": 3,
    "akatan_aotan": 10,
}
LATE: Options = {
    "points.akatan_aotan": 10,
    "akatan_aotan": False,
    "cup_is_chaff": False,
    "cup_points_after_koi": 0,
    "koi_scoring": "multiply",
}
"""Options that a transcript names only where they differ."""
OPTIONS: Options = {
    "months": 12,
    "target": None,
    "field_four": "redeal",
    "teshi": True,
    "teshi_points": 6,
    "kuitsuki": True,
    "sanko": "exact",
    "koi_multiplier": 2,
    "koi_escalates": False,
    "oyaken_points": 0,
    "omote_sugawara": False,
    "yontan": False,
    **{f"points.{name}": points for name, points in POINTS.items()},
    **LATE,
}

LIGHT_YAKU = ("goko", "shiko", "ameshiko", "sanko")
LAST_ATTEMPT = 15


def check(transcript: Transcript) -> None:
    """Play a transcript again from its decks and actions; AssertionError says where it differs."""
    table = RecordedTable(transcript, "koikoi")
    table.compare(play_match(table, transcript["options"], transcript["seed"]))


def play(options: Options, rng: random.Random, seed_hex: str | None = None) -> Transcript:
    """A random match; options that are not given have their defaults."""
    return play_match(RandomTable(rng), {**OPTIONS, **options}, seed_hex or rng.randbytes(32).hex())


def play_match(table: Table, options: Options, seed: str = "") -> Transcript:
    """All months of a match on a table."""
    assert table.seats == 2, f"seats: 2, not {table.seats}"
    options = {**LATE, **options}
    assert set(options) == set(OPTIONS), f"options that differ: {sorted(set(options) ^ set(OPTIONS))}"
    written = {name: value for name, value in options.items() if name not in LATE or value != LATE[name]}
    first = dealer = first_dealer(table)
    totals = [0, 0]
    for number in range(1, options["months"] + 1):
        attempt = 0
        month = Month(table, options, number, attempt, dealer)
        while month.is_redealt():
            attempt += 1
            month = Month(table, options, number, attempt, dealer)
        winner, scores = month.play()
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        if winner is not None:
            dealer = winner
        if options["target"] is not None and max(totals) >= options["target"]:
            break
    return table.transcript("koikoi", written, seed, first, totals, totals)


def first_dealer(table: Table) -> int:
    """The seat that draws the earlier month; equal months draw again."""
    while table.undrawn >= 2:
        months = month_of(table.draw(0)), month_of(table.draw(1))
        if months[0] != months[1]:
            return 0 if months[0] < months[1] else 1
    return 0


def yaku(pile: Iterable[str], options: Options = OPTIONS, said_koi: bool = False) -> dict[str, int]:
    """The yaku of the pile of a seat with their points, in the order of the table."""
    pile = set(pile)
    chaff = pile & (CHAFF | {"9A"} if options["cup_is_chaff"] else CHAFF)
    dry = pile & {"1L", "3L", "8L", "12L"}
    rain = "11L" in pile
    held = {
        "goko": len(dry) == 4 and rain,
        "shiko": len(dry) == 4,
        "ameshiko": len(dry) >= 3 and rain,
        "sanko": len(dry) >= 3 if options["sanko"] == "any_dry" else {"1L", "3L", "8L"} <= pile,
        "inoshikacho": {"6A", "7A", "10A"} <= pile,
        "hanami": {"3L", "9A"} <= pile,
        "tsukimi": {"8L", "9A"} <= pile,
        "tane": len(pile & ANIMALS) >= 5,
        "akatan": {"1R", "2R", "3R"} <= pile,
        "aotan": {"6R", "9R", "10R"} <= pile,
        "tanzaku": len(pile & RIBBONS) >= 5,
        "kasu": len(chaff) >= 10,
        "omote_sugawara": options["omote_sugawara"] and {"1L", "2A", "3L"} <= pile,
        "yontan": options["yontan"] and len(pile & RIBBONS) >= 4,
        "akatan_aotan": options["akatan_aotan"] and {"1R", "2R", "3R", "6R", "9R", "10R"} <= pile,
    }
    more = {
        "tane": len(pile & ANIMALS) - 5,
        "tanzaku": len(pile & RIBBONS) - 5,
        "kasu": len(chaff) - 10,
    }
    found = {
        name: options[f"points.{name}"] + more.get(name, 0)
        for name, holds in held.items()
        if holds and options[f"points.{name}"]
    }
    if said_koi and options["cup_points_after_koi"]:
        found |= {name: options["cup_points_after_koi"] for name in ("hanami", "tsukimi") if name in found}
    lights = [name for name in LIGHT_YAKU if name in found]
    if lights:
        dearest = max(lights, key=found.__getitem__)
        found = {name: points for name, points in found.items() if name not in lights or name == dearest}
    if "tanzaku" in found:
        found.pop("yontan", None)
    return found


class Month:
    """One deal, from its deck to its end."""

    def __init__(self, table: Table, options: Options, number: int, attempt: int, dealer: int) -> None:
        self.table = table
        self.options = options
        self.attempt = attempt
        self.dealer = dealer
        deck = table.deal(number, attempt)
        table.dealer_is(dealer)
        self.hands = [set(deck[0:8]), set(deck[8:16])]
        self.field = set(deck[16:24])
        self.stock = deck[24:]
        self.piles: list[set[str]] = [set(), set()]
        self.said = [0, 0]
        self.at_stake: list[int | None] = [None, None]

    def is_redealt(self) -> bool:
        """Whether the field holds four of a month and may be dealt again; the deal is over then."""
        may = self.options["field_four"] == "redeal" and self.attempt < LAST_ATTEMPT
        if not (may and has_four_of_a_month(self.field)):
            return False
        self.table.end_month("redeal", None, [], [0, 0])
        return True

    def play(self) -> tuple[int | None, list[int]]:
        """The month's winner, or None, and the scores."""
        for month in range(1, 13):
            cards = set(of_month(month, self.field))
            if len(cards) == 4:
                self.field -= cards
                self.piles[self.dealer] |= cards
        for seat in (self.dealer, 1 - self.dealer):
            may = self.options["teshi"] and has_four_of_a_month(self.hands[seat])
            if may and self.table.ask(seat, ["pass", "declare"]) == "declare":
                points = self.options["teshi_points"]
                return self.ends("declare", seat, {"teshi": points}, points)
        seat = self.dealer
        while self.hands[seat]:
            if self.turn(seat):
                return self.stops(seat)
            seat = 1 - seat
        return self.runs_out()

    def turn(self, seat: int) -> bool:
        """A turn of a seat; True when it stops."""
        before = self.yaku(seat)
        ways = plays(self.hands[seat], self.field)
        card, taken = ways[self.table.ask(seat, list(ways))]
        self.hands[seat].remove(card)
        self.lands(seat, card, taken)

        turned = self.stock.pop(0)
        choices = {turn_text(cards): cards for cards in landings(turned, self.field)}
        answer = self.table.ask(seat, list(choices)) if len(choices) == 2 else next(iter(choices))
        is_third = bool(taken) and month_of(card) == month_of(turned) and not of_month(month_of(card), self.field)
        if is_third and self.options["kuitsuki"]:
            self.piles[seat].add(turned)
        else:
            self.lands(seat, turned, choices[answer])

        after = self.yaku(seat)
        if not any(points > before.get(name, 0) for name, points in after.items()):
            return False
        if not self.hands[seat] or self.table.ask(seat, ["stop", "koi"]) == "stop":
            return True
        self.said[seat] += 1
        if self.options["koi_scoring"] == "multiply":
            self.at_stake[seat] = sum(after.values())
        return False

    def lands(self, seat: int, card: str, taken: Iterable[str]) -> None:
        """Land a card: with what it takes it goes to the pile, alone it stays."""
        taken = set(taken)
        if taken:
            self.field -= taken
            self.piles[seat] |= taken | {card}
        else:
            self.field.add(card)

    def yaku(self, seat: int) -> dict[str, int]:
        """The yaku of a seat."""
        return yaku(self.piles[seat], self.options, bool(self.said[seat]))

    def stops(self, seat: int) -> tuple[int | None, list[int]]:
        """The score of a seat that stops."""
        rows = self.yaku(seat)
        points = sum(rows.values())
        if self.options["koi_scoring"] == "count":
            own = self.said[seat]
            return self.ends("stop", seat, rows, points + own if own < 4 else points * (own - 2))
        other = self.at_stake[1 - seat]
        if self.at_stake[seat] is not None and other is not None:
            points += other
        koi = sum(self.said)
        if koi:
            points *= self.options["koi_multiplier"] ** (koi if self.options["koi_escalates"] else 1)
        return self.ends("stop", seat, rows, points)

    def runs_out(self) -> tuple[int | None, list[int]]:
        """The scores when all cards are played and nobody has stopped."""
        if sum(self.said) and self.options["koi_scoring"] == "multiply":
            scores = [points or 0 for points in self.at_stake]
        else:
            scores = [self.options["oyaken_points"] if seat == self.dealer else 0 for seat in (0, 1)]
        winner = None if scores[0] == scores[1] else scores.index(max(scores))
        self.table.end_month("run_out", winner, [], scores)
        return winner, scores

    def ends(self, ended: str, seat: int, rows: Mapping[str, int], points: int) -> tuple[int | None, list[int]]:
        """A seat wins the month."""
        scores = [points if each == seat else 0 for each in (0, 1)]
        self.table.end_month(ended, seat, rows.items(), scores)
        return seat, scores
