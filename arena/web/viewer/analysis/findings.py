"""What the page says of a match's decisions and luck, and how it is worked out, in another process, part by part."""

import msgspec

from arena.analysis.luck import LUCK_NAME, SeatLuck, luck_of
from arena.analysis.mistakes import Judgement, Verdict, judge
from arena.analysis.values import PLAYOUTS
from arena.analysis.weights import shipped
from arena.replays import decode

FORMAT = "marks/1"
"""Raise the number with every change of what is kept or of how it is worked out."""


class Judged(msgspec.Struct, frozen=True, array_like=True):
    """A decision that left a choice: what was best and what the choice is behind it, as `Judgement` has it.

    `chance` is the seat's chance to win with the best action (of more than two seats, to lead after the deal).
    """

    number: int
    seat: int
    month: int
    action: str
    best: str
    loss: float
    loss_error: float
    chance_loss: float
    verdict: Verdict
    chance: float

    @classmethod
    def of(cls, judgement: Judgement) -> "Judged":
        """Return what is kept of a judgement."""
        return cls(
            judgement.number,
            judgement.seat,
            judgement.month,
            judgement.action,
            judgement.best,
            round(judgement.loss, 3),
            round(judgement.loss_error, 3),
            round(judgement.chance_loss, 4),
            judgement.verdict,
            round(judgement.values[judgement.best].chance, 4),
        )


class Findings(msgspec.Struct, frozen=True, array_like=True):
    """The judged decisions of a match in their order, and by seat what its margin is made of."""

    judged: tuple[Judged, ...]
    luck: tuple[SeatLuck, ...]


def value_name(variant: str) -> str:
    """Name everything that decides the findings besides the replay. Raises WeightsError, OSError."""
    return f"{FORMAT}:{LUCK_NAME}:{PLAYOUTS}:{shipped(variant).sha256}"


def judged_of(replay: bytes, numbers: range) -> tuple[Judged, ...]:
    """Judge the decisions with these numbers. Raises ReplayError, WeightsError, CoreError, OSError."""
    return tuple(Judged.of(judgement) for judgement in judge(decode(replay), numbers=frozenset(numbers)))


def luck_in(replay: bytes) -> tuple[SeatLuck, ...]:
    """Work out the luck of a match. Raises ReplayError, WeightsError, CoreError, OSError."""
    return luck_of(decode(replay))
