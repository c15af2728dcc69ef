"""Hachihachi, as plainly as it can be written: `check` replays a transcript, `play` makes one."""

import random
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from reference_cards import CHAFF, RIBBONS, landings, month_of, of_month, plays, turn_text
from reference_hachihachi_hands import WITH_ESCAPE, Declaration, declarations, threes_for_dives
from reference_hachihachi_hatto import TOBIKOMI, WATCHED, Helped, Sight, helped, is_exempt, threes_not_stopped
from reference_hachihachi_money import (
    PAR,
    SEATS,
    SHO,
    START,
    Payment,
    Rate,
    card_points,
    difference_scores,
    field_kind,
    scores_of,
    year_result,
)
from reference_rigged import Decks, Policy, RiggedTable
from reference_seats import earliest_draw, round_from
from reference_table import RecordedTable, Table, Transcript

VARIANT = "hachihachi"
DEFAULTS: dict[str, Any] = {"menu": "A", "etsunen": False}
MONTHS = 12
LAST_MONTH = 48
"""Where a year with 越年 stops, bound or not (R8)."""

YAKU_KAN = {"goko": 20, "shiko": 12, "goun": 12, "nanatan": 10, "akatan": 7, "aotan": 7, "inoshikacho": 6}
GOUN = frozenset({"2A", "5A", "6A", "7A", "9A"})
NANATAN = 7

Row = tuple[str, int]


def check(transcript: Transcript) -> None:
    """Replay a transcript from its draws, decks and actions; raise AssertionError on any difference."""
    table = RecordedTable(transcript, VARIANT)
    table.compare(year(table, transcript["options"], transcript["seed"]))


def play(
    options: Mapping[str, Any],
    rng: random.Random,
    seats: int = SEATS,
    decks: Decks | None = None,
    policy: Policy | None = None,
) -> Transcript:
    """A whole match by chance, but for the decks that are given and the policy that answers."""
    return year(RiggedTable(rng, seats, decks, policy), DEFAULTS | dict(options), "0" * 64)


def year(table: Table, options: Mapping[str, Any], seed: str) -> Transcript:
    """A year, from the first draws to its end."""
    assert set(options) == set(DEFAULTS), f"the options are {sorted(DEFAULTS)}, not {sorted(options)}"
    assert options["menu"] in "ABCDEF", f"menu {options['menu']!r}"
    assert isinstance(options["etsunen"], bool), f"etsunen {options['etsunen']!r}"
    assert table.seats == SEATS, f"{table.seats} seats"
    balances = [START] * SEATS
    pot = 0
    bind = SHO
    first = dealer = earliest_draw(table)
    number = 1
    while True:
        month = Month(table, number, dealer, bind, options["menu"])
        end = month.play()
        scores = list(end.scores)
        decided_by_hand = end.ended in ("declare", "void")
        if not decided_by_hand:
            assert end.winner is not None
            scores[end.winner] -= 1
            pot += 1
            dealer = end.winner
        balances = [balance + score for balance, score in zip(balances, scores, strict=True)]
        table.end_month(end.ended, end.winner, end.yaku, scores)
        bind = month.bind
        goes_on = number < MONTHS or (options["etsunen"] and bind != SHO and number < LAST_MONTH)
        if decided_by_hand or not goes_on:
            break
        number += 1
    if end.ended == "void":
        result = [0] * SEATS
    else:
        shiso = end.winner if end.ended == "declare" else None
        result = year_result(balances, pot, month.order, shiso)
    return table.transcript(VARIANT, options, seed, first, balances, result)


def yaku_of(pile: Collection[str]) -> dict[str, int]:
    """The captured yaku (出来役) in a pile and their 貫; 五光 is in place of 四光."""
    held = set(pile)
    ribbons = len(held & RIBBONS)
    found = {row for row, cards in WATCHED.items() if cards <= held}
    if held >= GOUN:
        found.add("goun")
    if ribbons >= NANATAN:
        found.add("nanatan")
    if "goko" in found:
        found.discard("shiko")
    extra = {"nanatan": ribbons - NANATAN}
    return {row: kan + extra.get(row, 0) for row, kan in YAKU_KAN.items() if row in found}


class MonthEnd(NamedTuple):
    """How a month ended; the next dealer's point for the pot is not in the scores."""

    ended: str
    winner: int | None
    yaku: list[Row]
    scores: list[int]


class Mark(NamedTuple):
    """A card that a seat played to the field by 法度."""

    offender: int
    to: Helped


class Month:
    """One month. `bind` is the bind it carries on; `play` plays it to its end."""

    def __init__(self, table: Table, number: int, dealer: int, bind: int, menu: str) -> None:
        self.table = table
        deck = table.deal(number, 0)
        table.dealer_is(dealer)
        self.order = round_from(dealer, SEATS)
        self.hands = [set(deck[7 * seat : 7 * seat + 7]) for seat in range(SEATS)]
        self.field = set(deck[21:27])
        self.stock = deck[27:]
        self.piles: list[set[str]] = [set() for _ in range(SEATS)]
        kind, self.bind = field_kind(bind, self.field)
        self.rate = Rate(menu, kind)
        for month in range(1, 13):
            four = of_month(month, self.field)
            if len(four) == 4:
                self.field -= set(four)
                self.piles[dealer] |= set(four)
        self.declared: dict[int, Declaration] = {}
        self.threes: list[tuple[int, int]] = []  # (seat, month) of the declared threes that are no 飛込み yet
        self.hand_payments: list[Payment] = []  # dealt hands and 飛込み: what 吹き消し undoes
        self.payments: list[Payment] = []
        self.sage: int | None = None  # the seat whose 下げ stands
        self.marks: dict[str, Mark] = {}  # cards on the field
        self.not_stopped: dict[tuple[int, int], int] = {}  # who is at fault for a 飛込み of (seat, month)
        self.payer: list[dict[str, int]] = [{} for _ in range(SEATS)]  # by maker: who pays a yaku alone
        self.latest: list[int | None] = [None] * SEATS  # by maker: the latest offender of its earlier turns

    def play(self) -> MonthEnd:
        """The month to its end."""
        end = self.declare()
        for _ in range(7):
            for seat in self.order:
                end = end or self.turn(seat)
        return end or self.played_out()

    def declare(self) -> MonthEnd | None:
        """Ask for the dealt hands and pay them; a 四三 ends the year."""
        hands = [frozenset(hand) for hand in self.hands]
        for seat in self.order:
            ways = declarations(hands[seat])
            if ways:
                answer = self.table.ask(seat, ["pass", *ways])
                if answer != "pass":
                    self.declared[seat] = ways[answer]
        shiso = [seat for seat, declared in self.declared.items() if declared.reading.number == "shiso"]
        if len(shiso) > 1:
            return MonthEnd("void", None, [], [0] * SEATS)
        for seat, declared in self.declared.items():
            rows = declared.reading.rows
            self.hand_payments.append(Payment(seat, self.rate.points(declared.reading.kan, len(rows))))
            self.threes += [(seat, month) for month in threes_for_dives(hands[seat], declared.reading)]
        if shiso:
            rows = self.declared[shiso[0]].reading.rows
            return MonthEnd("declare", shiso[0], rows, scores_of(self.hand_payments))
        return None

    def turn(self, seat: int) -> MonthEnd | None:
        """A seat's turn: play, turn, settle."""
        before = yaku_of(self.piles[seat])
        ways = plays(self.hands[seat], self.field)
        card, taken = ways[self.table.ask(seat, list(ways))]
        self.judge(seat, card)
        self.hands[seat].remove(card)
        helpful = self.land(seat, card, taken)
        turned = self.stock.pop(0)
        choices = landings(turned, self.field)
        if len(choices) == 2:
            texts = {turn_text(choice): choice for choice in choices}
            helpful += self.land(seat, turned, texts[self.table.ask(seat, list(texts))])
        else:
            helpful += self.land(seat, turned, choices[0])
        self.dive(seat)
        after = yaku_of(self.piles[seat])
        made = [row for row in after if after[row] > before.get(row, 0)]
        self.blame(seat, made, helpful)
        return self.settle(seat, bool(made))

    def judge(self, seat: int, card: str) -> None:
        """Note the 法度 that a seat is about to commit by playing a card; exempt ones are none."""
        sight = Sight(seat, self.hands[seat], self.field, self.piles, self.threes)
        for three in threes_not_stopped(card, sight):
            self.not_stopped[three] = seat
        to = helped(card, sight)
        if to and not is_exempt(card, sight):
            self.marks[card] = Mark(seat, to)
            for maker, rows in to.items():
                if TOBIKOMI in rows:
                    self.not_stopped[maker, month_of(card)] = seat

    def land(self, seat: int, card: str, taken: Collection[str]) -> list[Mark]:
        """Land a card; the marks on the cards that it takes."""
        if not taken:
            self.field.add(card)
            return []
        self.field -= set(taken)
        self.piles[seat] |= {card, *taken}
        return [self.marks.pop(other) for other in taken if other in self.marks]

    def dive(self, seat: int) -> None:
        """飛込み: a declared three is whole in the seat's pile; paid by a standing 下げ, by 法度, or by all."""
        for three in [three for three in self.threes if three[0] == seat]:
            own = set(of_month(three[1], self.declared[seat].shown))
            if own <= self.piles[seat]:
                alone = self.not_stopped.get(three) if self.sage in (None, seat) else self.sage
                self.hand_payments.append(Payment(seat, self.rate.points(1, yaku=0), alone))
                self.threes.remove(three)

    def blame(self, seat: int, made: Collection[str], helpful: Collection[Mark]) -> None:
        """Who pays alone for the yaku made in a turn: its offender, else the latest of the earlier turns (R6)."""
        earlier = self.latest[seat]
        if earlier is not None:
            self.payer[seat] |= dict.fromkeys(made, earlier)
        for mark in helpful:
            for row in mark.to.get(seat, []):
                if row in made:
                    self.payer[seat][row] = mark.offender
                    self.latest[seat] = mark.offender

    def settle(self, seat: int, made: bool) -> MonthEnd | None:
        """The end of a turn: 上がり or 下げ, then the question whether a standing 下げ is cancelled (R4)."""
        last = not self.hands[seat]
        if made:
            if last or self.sage not in (None, seat) or self.table.ask(seat, ["stop", "koi"]) == "stop":
                return self.stop(seat)
            self.sage = seat
            return None
        if self.sage is None:
            return None
        if (last and seat == self.sage) or self.table.ask(self.sage, ["cancel", "pass"]) == "cancel":
            self.pay_captured(self.sage, half=True)
            return self.end("cancel", self.sage, list(yaku_of(self.piles[self.sage]).items()))
        return None

    def stop(self, seat: int) -> MonthEnd:
        """The seat ends the month; the seat of another's 下げ pays it alone, and is itself paid half."""
        if self.sage in (None, seat):
            self.pay_captured(seat)
        else:
            assert self.sage is not None
            self.pay_captured(seat, alone=self.sage)
            self.pay_captured(self.sage, half=True)
        return self.end("stop", seat, list(yaku_of(self.piles[seat]).items()))

    def pay_captured(self, seat: int, half: bool = False, alone: int | None = None) -> None:
        """Pay a seat all its captured yaku, each by its offender or by all, or all by one seat."""
        for row, kan in yaku_of(self.piles[seat]).items():
            points = self.rate.points(kan)
            payer = self.payer[seat].get(row) if alone is None else alone
            self.payments.append(Payment(seat, points // 2 if half else points, payer))

    def end(self, ended: str, winner: int, yaku: list[Row]) -> MonthEnd:
        """The month's end by anything but a 四三."""
        return MonthEnd(ended, winner, yaku, scores_of(self.hand_payments + self.payments))

    def played_out(self) -> MonthEnd:
        """Hands played out with no yaku standing: special yaku, else 抜け and card points."""
        points = [card_points(pile) for pile in self.piles]
        special = self.special(points)
        if special:
            self.hand_payments.clear()
            for seat, rows in special.items():
                self.payments += [Payment(seat, self.rate.points(kan)) for _, kan in rows]
            winner = next(seat for seat in self.order if seat in special)
            return self.end("run_out", winner, special[winner])
        for seat, declared in self.declared.items():
            if declared.reading.poverty in WITH_ESCAPE and points[seat] > PAR:
                self.payments.append(Payment(seat, self.rate.points(1, yaku=0)))
        scores = scores_of(self.hand_payments + self.payments)
        by_points = difference_scores(points, self.rate)
        winner = max(self.order, key=lambda seat: points[seat])
        return MonthEnd("run_out", winner, [], [a + b for a, b in zip(scores, by_points, strict=True)])

    def special(self, points: list[int]) -> dict[int, list[Row]]:
        """The special yaku by seat: 総八, 二八, 素十六."""
        found: dict[int, list[Row]] = {}
        if points == [PAR] * SEATS:
            found.setdefault(self.order[0], []).append(("sohachi", 10))
        for seat in self.order:
            if points[seat] >= 168:
                found.setdefault(seat, []).append(("futahachi", 10 + points[seat] - 168))
            chaff = sum(card in CHAFF or month_of(card) == 11 for card in self.piles[seat])
            if chaff >= 16:
                found.setdefault(seat, []).append(("sujuroku", 12 + 2 * (chaff - 16)))
        return found
