"""How the standing of a division came about: the match points of its first bots after each round."""

from collections import Counter
from collections.abc import Sequence

from arena.league.results import WIN, table_points
from arena.league.values import PlayedRound, parts

MAX_LINES = 10
_MAX_STEPS = 60

Course = tuple[list[int], list[tuple[str, list[float]]]]
"""The rounds after which there is a value, from 0 on, and the bots with their values."""


def course(rounds: Sequence[PlayedRound], bots: Sequence[str], seats: int) -> Course:
    """Return the match points of these bots after each round, of many rounds after some of them.

    A bye counts as a table won, as in the table.
    """
    unit = parts(seats)
    points: Counter[str] = Counter()
    steps = _steps(len(rounds))
    values: dict[str, list[float]] = {bot: [0.0] for bot in bots[:MAX_LINES]}
    for played in rounds:
        for table in table_points(played):
            points.update(table)
        for bot in played.byes:
            points[bot] += WIN * unit
        if played.number in steps:
            for bot, line in values.items():
                line.append(points[bot] / unit)
    return steps, list(values.items())


def _steps(rounds: int) -> list[int]:
    apart = -(-rounds // _MAX_STEPS) or 1
    return [*range(0, rounds, apart), rounds]
