"""What stands beside the moves of a match that was analysed, and how its seats did."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.analysis.mistakes import Verdict
from arena.web.viewer.analysis.findings import Findings, Judged
from arena.web.viewer.scene import Document

SYMBOLS = {Verdict.GOOD: "", Verdict.INACCURACY: "?!", Verdict.MISTAKE: "?", Verdict.BLUNDER: "??"}


class Mark(NamedTuple):
    """What is said of a decision: at its step, by indexes into the document's actions. `symbol` is "" of good ones."""

    at: int
    seat: int
    month: int
    symbol: str
    verdict: str
    action: int
    better: int
    cards: frozenset[int]
    """Of the better action, where the choice was marked."""
    loss: float
    loss_half: float
    """Half of the 95 % interval of the loss."""
    chance_loss: float
    chance: float
    """With the better action."""


class Seat(NamedTuple):
    """How a seat did: its margin, what of it was luck and play, and how many marks of each kind it has."""

    margin: float
    luck: float
    play: float
    counts: Mapping[str, int]


def marks_of(document: Document, findings: Findings) -> dict[int, Mark]:
    """Return what is said of each decision that left a choice, by its number."""
    steps = {step["decision"]: at for at, step in enumerate(document["steps"]) if step["decision"]}
    actions = {text: index for index, (text, _) in enumerate(document["actions"])}
    return {one.number: _mark(document, actions, steps[one.number], one) for one in findings.judged}


def _mark(document: Document, actions: Mapping[str, int], at: int, one: Judged) -> Mark:
    symbol = SYMBOLS[one.verdict]
    better = actions[one.best]
    parts = document["actions"][better][1]
    cards = {card for part in parts if isinstance(part, dict) for card in part["cards"]} if symbol else set()
    return Mark(
        at,
        one.seat,
        one.month,
        symbol,
        one.verdict.value,
        actions[one.action],
        better,
        frozenset(cards),
        one.loss,
        1.96 * one.loss_error,
        one.chance_loss,
        one.chance,
    )


def worst_first(marks: Mapping[int, Mark]) -> list[Mark]:
    """Return the marked decisions, those first that lost most."""
    return sorted((mark for mark in marks.values() if mark.symbol), key=lambda mark: -mark.loss)


def seats_of(findings: Findings) -> list[Seat]:
    """Return how each seat did."""
    seats = []
    for seat, luck in enumerate(findings.luck):
        verdicts = [one.verdict for one in findings.judged if one.seat == seat]
        counts = {symbol: verdicts.count(verdict) for verdict, symbol in SYMBOLS.items() if symbol}
        seats.append(Seat(luck.margin, luck.luck, luck.play, counts))
    return seats
