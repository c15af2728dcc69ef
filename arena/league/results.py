"""From the end of a match to the points of a table in a round."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

import msgspec

from arena.league.errors import ResultsError
from arena.league.spec import Division
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound, parts

WIN, DRAW = 2, 1


class MatchScore(msgspec.Struct, frozen=True):
    """Half points and margins of a match, by seat, both counted in `parts` of its seats."""

    half_points: tuple[int, ...]
    margins: tuple[int, ...]


def score_match(balances: Sequence[int], forfeiter: int | None = None) -> MatchScore:
    """Score a match of two to four seats from its balances by seat, in the variant's points.

    A seat's margin is its balance less the mean of the others'. The half points go by place, the larger balance first,
    from 2 for the first to 0 for the last in equal steps, and seats with the same balance share theirs. Three and four
    seats are counted in sixths (`arena.league.values.parts`).

    The forfeiter has the last place whatever the balances are, and a lead that it had is taken away: its balance
    counts as the mean of the others', rounded down, where it is more.
    """
    seats = len(balances)
    if not 2 <= seats <= 4 or not (forfeiter is None or 0 <= forfeiter < seats):
        raise ResultsError(f"a match has two to four seats, and no seat {forfeiter} of {seats}")
    counted = list(balances)
    if forfeiter is not None:
        others = sum(balances) - balances[forfeiter]
        counted[forfeiter] = min(balances[forfeiter], others // (seats - 1))
    total = sum(counted)
    return MatchScore(
        by_place([(seat != forfeiter, balance) for seat, balance in enumerate(counted)]),
        tuple((seats * balance - total) * parts(seats) // (seats - 1) for balance in counted),
    )


def score_plan(plan: MatchPlan, balances: Sequence[int], end: str, forfeiter: int | None = None) -> MatchOutcome:
    """The outcome of a planned match from how it ended, as `score_match`."""
    score = score_match(balances, forfeiter)
    at_fault = None if forfeiter is None else plan.seating[forfeiter]
    place = (plan.round, plan.table, plan.board, plan.seating)
    return MatchOutcome(*place, score.half_points, score.margins, end, at_fault)


def by_place(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Half points by place, the larger value first, equal values sharing theirs; counted in `parts`.

    Two to four values, so every share is a whole number of parts.
    """
    order = sorted(values)
    unit, last = parts(len(values)), len(values) - 1
    # A value has behind it the ones left of it, and not before it those up to itself and its equals.
    return tuple([(bisect_left(order, value) + bisect_right(order, value) - 1) * unit // last for value in values])


def table_points(played: PlayedRound) -> list[dict[str, int]]:
    """What the bots of each table of a round won, by table number: match points in `parts` of the table's seats.

    They go by place like the half points of a match, 2 for the first to 0 for the last: by the sum of half points over
    the table's matches, then by the sum of margins.
    """
    tables: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
    for outcome in played.outcomes:
        sums = tables[outcome.table]
        for bot, half, margin in zip(outcome.seating, outcome.half_points, outcome.margins, strict=True):
            halves, margins = sums.get(bot, (0, 0))
            sums[bot] = halves + half, margins + margin
    return [dict(zip(sums, by_place([*sums.values()]), strict=True)) for _, sums in sorted(tables.items())]


def bye_game_points(division: Division) -> int:
    """Game points of a bye: those of the narrowest win at a table, in parts.

    Half of what can be won at a table of two is the mean of all tables, and one more is the narrowest win; with more
    seats the least step is that between two places that are shared. More would put a bot that sat out before bots
    that won by playing.
    """
    matches = division.boards * (division.seats if division.board_sets == "mirror" else 1)
    return parts(division.seats) * matches + parts(division.seats) // (division.seats - 1)
