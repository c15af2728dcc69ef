"""The scores over a match as a curve for each seat, deal by deal."""

from typing import NamedTuple

from arena.web.viewer.scene import Document

WIDTH, HEIGHT = 300, 72
EDGE = 4


class ScoreCurve(NamedTuple):
    """What is drawn: a line for each seat, where the scores began, the ends of the scale, and the width of a deal."""

    lines: tuple[str, ...]
    start: float
    lowest: int
    highest: int
    across: float


def score_curve(document: Document) -> ScoreCurve | None:
    """Return the curves of a match, None of one that has not two deals."""
    deals = document["deals"]
    if len(deals) < 2:
        return None
    scores = [deals[0]["before"], *(deal["after"] for deal in deals)]
    values: list[int] = [score for row in scores for score in row]
    lowest, highest = min(values), max(values)
    across = WIDTH / len(deals)

    def y(score: int) -> float:
        share: float = (score - lowest) / ((highest - lowest) or 1)
        return round(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE), 1)

    lines = tuple(
        " ".join(f"{round(number * across, 1)},{y(row[seat])}" for number, row in enumerate(scores))
        for seat in range(len(document["names"]))
    )
    return ScoreCurve(lines, y(scores[0][0]), lowest, highest, round(across, 2))
