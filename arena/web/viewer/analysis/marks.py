"""What stands beside the moves of a match that was analysed, and how its seats did."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.analysis.mistakes import Verdict
from arena.web.viewer.analysis.findings import Findings, Judged
from arena.web.viewer.scene import Document

SYMBOLS = {Verdict.GOOD: "", Verdict.INACCURACY: "?!", Verdict.MISTAKE: "?", Verdict.BLUNDER: "??"}


class Mark(NamedTuple):
    """What is said of a decision: at its step, by indexes into the document's actions. `symbol` is "" of good ones."""

    step: int
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
    steps = {step["decision"]: index for index, step in enumerate(document["steps"]) if step["decision"]}
    actions = {text: index for index, (text, _) in enumerate(document["actions"])}
    return {judged.number: _mark(document, actions, steps[judged.number], judged) for judged in findings.judged}


def _mark(document: Document, actions: Mapping[str, int], step: int, judged: Judged) -> Mark:
    symbol = SYMBOLS[judged.verdict]
    better = actions[judged.best]
    parts = document["actions"][better][1]
    cards = {card for part in parts if isinstance(part, dict) for card in part["cards"]} if symbol else set()
    return Mark(
        step,
        judged.seat,
        judged.month,
        symbol,
        judged.verdict.value,
        actions[judged.action],
        better,
        frozenset(cards),
        judged.loss,
        1.96 * judged.loss_error,
        judged.chance_loss,
        judged.chance,
    )


def worst_first(marks: Mapping[int, Mark]) -> list[Mark]:
    """Return the marked decisions, those first that lost most."""
    return sorted((mark for mark in marks.values() if mark.symbol), key=lambda mark: -mark.loss)


def seats_of(findings: Findings) -> list[Seat]:
    """Return how each seat did."""
    seats = []
    for seat, luck in enumerate(findings.luck):
        verdicts = [judged.verdict for judged in findings.judged if judged.seat == seat]
        counts = {symbol: verdicts.count(verdict) for verdict, symbol in SYMBOLS.items() if symbol}
        seats.append(Seat(luck.margin, luck.luck, luck.play, counts))
    return seats
