"""What a reference match is played on: where decks, blind picks and answers come from, and the transcript it leaves.

The rules of a variant are one function over a `Table`. On a `RecordedTable` they follow a transcript and notice any
difference; on a `RandomTable` they make one; on an `ArrangedTable` they meet the cards that a test has laid out.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference_cards import CARDS, in_order, month_of, placing

Transcript = dict[str, Any]
Action = dict[str, Any]

FORMAT = "hanafuda-transcript/1"
RULES_VERSIONS = {"koikoi": 1, "koikoi45": 2, "kyogi": 1, "hachihachi": 2, "sangohana": 1}
"""The version of each variant's rules that is written down here."""
_KEYS = {
    "format",
    "variant",
    "rules_version",
    "options",
    "seats",
    "seed",
    "first",
    "months",
    "totals",
    "result",
    "placing",
}
_DEAL_KEYS = {"month", "attempt", "dealer", "deck", "picks", "actions", "ended", "winner", "yaku", "scores"}


class Table(ABC):
    """Keeps the record of a match. What the outside decides is left to `_draw`, `_shuffle`, `_blind` and `_answer`."""

    def __init__(self, seats: int = 2, cards: Iterable[str] = CARDS) -> None:
        self.seats = seats
        self.cards = tuple(cards)
        self.draws: list[list[Any]] = []
        self.months: list[dict[str, Any]] = []

    @property
    def undrawn(self) -> int:
        """How many cards the deck of the first draws still has."""
        return len(self.cards) - len(self.draws)

    @property
    def where(self) -> str:
        """The place in the match, for messages."""
        if not self.months:
            return "before month 1"
        now = self.months[-1]
        return f"month {now['month']} attempt {now['attempt']} action {len(now['actions'])}"

    def draw(self, seat: int) -> str:
        """The card that a seat draws for the first deal."""
        card = self._draw(seat)
        self.draws.append([seat, card])
        return card

    def deal(self, month: int, attempt: int) -> list[str]:
        """Begin a deal: its whole deck, top first."""
        deck = self._shuffle(month, attempt)
        assert in_order(deck) == in_order(self.cards), f"month {month} attempt {attempt}: not a whole deck"
        self.months.append(
            {"month": month, "attempt": attempt, "dealer": None, "deck": " ".join(deck), "picks": [], "actions": []}
        )
        return deck

    def dealer_is(self, dealer: int) -> None:
        """Say who plays first in the deal that has begun."""
        self.months[-1]["dealer"] = dealer

    def pick(self, cards: Iterable[str]) -> str:
        """The one of the cards that is picked blindly."""
        card = self._blind(in_order(cards))
        self.months[-1]["picks"].append(card)
        return card

    def ask(self, seat: int, legal: Sequence[str]) -> str:
        """Ask a seat; `legal` is in the order of the actions."""
        action = self._answer(seat, list(legal))
        self.months[-1]["actions"].append({"seat": seat, "action": action, "legal": list(legal)})
        return action

    def end_month(self, ended: str, winner: int | None, yaku: Iterable[tuple[str, int]], scores: Sequence[int]) -> None:
        """Say how the deal ended."""
        self.months[-1] |= {
            "ended": ended,
            "winner": winner,
            "yaku": [list(row) for row in yaku],
            "scores": list(scores),
        }

    def transcript(
        self, variant: str, options: Mapping[str, Any], seed: str, dealer: int, totals: list[int], result: list[int]
    ) -> Transcript:
        """The whole match; `dealer` is the first."""
        return {
            "format": FORMAT,
            "variant": variant,
            "rules_version": RULES_VERSIONS[variant],
            "options": dict(options),
            "seats": self.seats,
            "seed": seed,
            "first": {"draws": self.draws, "dealer": dealer},
            "months": self.months,
            "totals": list(totals),
            "result": list(result),
            "placing": placing(list(result)),
        }

    @abstractmethod
    def _draw(self, seat: int) -> str:
        """The next card of the deck of the first draws."""

    @abstractmethod
    def _shuffle(self, month: int, attempt: int) -> list[str]:
        """The deck of a deal, top first."""

    @abstractmethod
    def _blind(self, cards: list[str]) -> str:
        """One of the cards."""

    @abstractmethod
    def _answer(self, seat: int, legal: list[str]) -> str:
        """One of the legal actions."""


def seat_of_the_earlier_month(table: Table) -> int:
    """Two seats draw for the first deal: who draws the earlier month; equal months draw again."""
    while table.undrawn >= 2:
        months = month_of(table.draw(0)), month_of(table.draw(1))
        if months[0] != months[1]:
            return 0 if months[0] < months[1] else 1
    return 0


class RandomTable(Table):
    """Every deck, pick and answer by chance."""

    def __init__(self, rng: random.Random, seats: int = 2, cards: Iterable[str] = CARDS) -> None:
        super().__init__(seats, cards)
        self.rng = rng
        self._first_deck = self._shuffle(0, 0)

    def _draw(self, seat: int) -> str:
        return self._first_deck[len(self.draws)]

    def _shuffle(self, month: int, attempt: int) -> list[str]:
        return self.rng.sample(self.cards, len(self.cards))

    def _blind(self, cards: list[str]) -> str:
        return self.rng.choice(cards)

    def _answer(self, seat: int, legal: list[str]) -> str:
        return self.rng.choice(legal)


class Unanswered(Exception):  # noqa: N818 - the end of what a test wants to see, not an error
    """An arranged table has no answer left: the seat that is asked, and what it may do."""

    def __init__(self, seat: int, legal: list[str]) -> None:
        super().__init__(f"seat {seat} is asked {legal}")
        self.seat = seat
        self.legal = legal


class ArrangedTable(Table):
    """Decks, draws, picks and answers as given, each used in turn; the last deck is dealt again and again."""

    def __init__(
        self,
        decks: Sequence[Sequence[str]],
        answers: Iterable[str] = (),
        draws: str = "",
        picks: str = "",
        cards: Iterable[str] = CARDS,
        seats: int = 2,
    ) -> None:
        super().__init__(seats, cards)
        self.decks = [list(deck) for deck in decks]
        self.answers = list(answers)
        self.drawn = draws.split()
        self.picks = picks.split()

    def _draw(self, seat: int) -> str:
        return self.drawn.pop(0)

    def _shuffle(self, month: int, attempt: int) -> list[str]:
        return self.decks.pop(0) if len(self.decks) > 1 else list(self.decks[0])

    def _blind(self, cards: list[str]) -> str:
        pick = self.picks.pop(0)
        assert pick in cards, f"{self.where}: the pick {pick} is none of {cards}"
        return pick

    def _answer(self, seat: int, legal: list[str]) -> str:
        if not self.answers:
            raise Unanswered(seat, legal)
        answer = self.answers.pop(0)
        assert answer in legal, f"{self.where}: seat {seat} is asked {legal}, not {answer!r}"
        return answer


def arranged_deck(*parts: tuple[int, str], cards: Iterable[str] = CARDS) -> list[str]:
    """A whole deck: each part (how many cards, and those that matter) is filled up with what is left, in id order.

    The last part is usually the stock, whose given cards come first.
    """
    named = [card for _, text in parts for card in text.split()]
    assert len(set(named)) == len(named), "a card lies in two places"
    rest = [card for card in cards if card not in named]
    deck: list[str] = []
    for size, text in parts:
        given = text.split()
        deck += given + [rest.pop(0) for _ in range(size - len(given))]
    return deck


class RecordedTable(Table):
    """Decks, picks and answers from a transcript; who is asked, and for what, must be as it says."""

    def __init__(self, transcript: Transcript, variant: str, cards: Iterable[str] = CARDS) -> None:
        assert set(transcript) == _KEYS, f"the keys of a transcript are {sorted(_KEYS)}"
        for entry in transcript["months"]:
            assert set(entry) == _DEAL_KEYS, f"the keys of a deal are {sorted(_DEAL_KEYS)}"
        assert transcript["format"] == FORMAT, f"format {transcript['format']!r}"
        assert transcript["variant"] == variant, f"variant {transcript['variant']!r}, not {variant!r}"
        assert re.fullmatch("[0-9a-f]{64}", transcript["seed"]), "the seed is not 64 hex digits"
        super().__init__(transcript["seats"], cards)
        self.record = transcript

    @property
    def _entry(self) -> dict[str, Any]:
        entry: dict[str, Any] = self.record["months"][len(self.months) - 1]
        return entry

    def _draw(self, seat: int) -> str:
        draws = self.record["first"]["draws"]
        number = len(self.draws)
        assert number < len(draws), f"first draws: seat {seat} draws again, the transcript has {number} draws"
        said, card = draws[number]
        assert said == seat, f"first draws: draw {number} is seat {seat}'s, the transcript says {said}"
        assert card in self.cards, f"first draws: {card} is no card of this deck"
        assert all(card != drawn for _, drawn in self.draws), f"first draws: {card} is drawn twice"
        return str(card)

    def _shuffle(self, month: int, attempt: int) -> list[str]:
        number = len(self.months)
        if number == 0:
            drawn, recorded = len(self.draws), len(self.record["first"]["draws"])
            assert drawn == recorded, f"first draws: {drawn} decide, the transcript has {recorded}"
        else:
            self._compare_ended()
        months = self.record["months"]
        assert number < len(months), f"month {month} attempt {attempt} is to be played, the transcript has ended"
        said = (months[number]["month"], months[number]["attempt"])
        assert said == (month, attempt), f"month {month} attempt {attempt} is to be played, the transcript has {said}"
        return str(months[number]["deck"]).split()

    def dealer_is(self, dealer: int) -> None:
        super().dealer_is(dealer)
        said = self._entry["dealer"]
        assert said == dealer, f"{self.where}: dealer {dealer}, the transcript says {said}"

    def _blind(self, cards: list[str]) -> str:
        number, picks = len(self.months[-1]["picks"]), self._entry["picks"]
        assert number < len(picks), f"{self.where}: a pick from {cards}, the transcript has {number} picks"
        assert picks[number] in cards, f"{self.where}: the pick {picks[number]} is none of {cards}"
        return str(picks[number])

    def _answer(self, seat: int, legal: list[str]) -> str:
        number, actions = len(self.months[-1]["actions"]), self._entry["actions"]
        assert number < len(actions), f"{self.where}: seat {seat} is asked {legal}, the transcript has no more actions"
        said = actions[number]
        assert said["seat"] == seat, f"{self.where}: seat {seat} is asked {legal}, the transcript asks {said['seat']}"
        if "legal" in said:
            extra, missing = set(said["legal"]) - set(legal), set(legal) - set(said["legal"])
            assert not extra, f"{self.where}: seat {seat} may not {sorted(extra)}"
            assert not missing, f"{self.where}: seat {seat} may also {sorted(missing)}"
            assert said["legal"] == legal, f"{self.where}: the actions in order are {legal}, not {said['legal']}"
        action = said["action"]
        assert action in legal, f"{self.where}: seat {seat} does {action!r}, legal are {legal}"
        return str(action)

    def _compare_ended(self) -> None:
        """The deal just ended, as played and as the transcript says."""
        played, said = self.months[-1], self._entry
        at = f"month {played['month']} attempt {played['attempt']}"
        for key in ("actions", "picks"):
            there, used = len(said[key]), len(played[key])
            assert there == used, f"{at}: has ended after {used} {key}, the transcript has {there}"
        for key in ("ended", "winner", "scores"):
            assert said[key] == played[key], f"{at}: {key} {played[key]!r}, the transcript says {said[key]!r}"
        assert sorted(map(list, said["yaku"])) == sorted(played["yaku"]), (
            f"{at}: yaku {played['yaku']}, the transcript says {said['yaku']}"
        )

    def compare(self, played: Transcript) -> None:
        """The whole match as played against the transcript; call it when the rules are through."""
        self._compare_ended()
        there, used = len(self.record["months"]), len(self.months)
        assert there == used, f"the match has ended after {used} deals, the transcript has {there}"
        for key in ("rules_version", "options", "seats", "totals", "result", "placing"):
            assert self.record[key] == played[key], f"{key} {played[key]!r}, the transcript says {self.record[key]!r}"
        said, dealer = self.record["first"]["dealer"], played["first"]["dealer"]
        assert said == dealer, f"first draws: dealer {dealer}, the transcript says {said}"
