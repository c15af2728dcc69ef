"""The chances to win over a match as a curve, step by step, with a dot for each mark."""

from collections.abc import Mapping
from typing import NamedTuple

from arena.web.viewer.analysis.marks import Mark
from arena.web.viewer.scene import Document, last_step
from arena.web.viewer.score_curve import EDGE, HEIGHT, WIDTH


class Dot(NamedTuple):
    """A marked choice on the curve of its seat."""

    seat: int
    verdict: str
    x: float
    y: float


class ChanceCurve(NamedTuple):
    """What is drawn: lines by seat, dots, and the width of a step.

    Of two seats there is the first one's line alone, which the other's mirrors; it ends with the result.
    """

    lines: tuple[tuple[int, str], ...]
    dots: tuple[Dot, ...]
    across: float


def chance_curve(document: Document, marks: Mapping[int, Mark]) -> ChanceCurve:
    """Return the curve of a match."""
    last = last_step(document)
    across = WIDTH / max(1, last)
    is_duel = len(document["names"]) == 2
    lines: dict[int, list[str]] = {}
    dots = []
    for mark in marks.values():
        seat = 0 if is_duel else mark.seat
        x, y = round(mark.step * across, 1), _y(mark.chance if seat == mark.seat else 1 - mark.chance)
        lines.setdefault(seat, []).append(f"{x},{y}")
        if mark.symbol:
            dots.append(Dot(mark.seat, mark.verdict, x, y))
    if is_duel and 0 in lines:
        places = document["placing"]
        lines[0].append(f"{WIDTH},{_y(0.5 if places[0] == places[1] else float(places[0] == 1))}")
    return ChanceCurve(
        tuple((seat, " ".join(points)) for seat, points in sorted(lines.items())), tuple(dots), round(across, 3)
    )


def _y(chance: float) -> float:
    return round(HEIGHT - EDGE - chance * (HEIGHT - 2 * EDGE), 1)
