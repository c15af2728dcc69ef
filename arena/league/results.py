"""From the end of a match to the points of a table in a round."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from arena.league.errors import ResultsError
from arena.league.spec import Division
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound, parts

WIN, DRAW, LOSS = 2, 1, 0


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
    return MatchOutcome(
        round=plan.round,
        table=plan.table,
        board=plan.board,
        seating=plan.seating,
        half_points=score.half_points,
        margins=score.margins,
        end=end,
        forfeiter=None if forfeiter is None else plan.seating[forfeiter],
    )


def by_place(values: Sequence[tuple[int | Fraction, ...]]) -> tuple[int, ...]:
    """Half points by place, the larger value first, equal values sharing theirs; counted in `parts`.

    Two to four values, so every share is a whole number of parts.
    """
    ahead = [sum(other > value for other in values) - sum(other < value for other in values) for value in values]
    last = len(values) - 1
    return tuple((last - difference) * parts(len(values)) // last for difference in ahead)


class TableResult(msgspec.Struct, frozen=True):
    """A meeting of two to four bots in a round; every tuple is by bot, in `parts` of the table's seats.

    `match_points` go by place like the half points of a match, 2 for the first to 0 for the last: by the sum of half
    points, then by the sum of margins. `game_points` are the half points, `margins` the sums over the table's matches.
    """

    round: int
    table: int
    bots: tuple[str, ...]
    match_points: tuple[int, ...]
    game_points: tuple[int, ...]
    margins: tuple[int, ...]

    def against(self, bot: int, other: int) -> int:
        """What one bot won from another: 2, 1 or 0, not in parts; a bot's match points are the mean of these."""
        ahead = self.match_points[bot] - self.match_points[other]
        return DRAW + (ahead > 0) - (ahead < 0)


def table_results(played: PlayedRound) -> tuple[TableResult, ...]:
    """The result of each table of a round, by table number."""
    by_table: dict[int, list[MatchOutcome]] = defaultdict(list)
    for outcome in played.outcomes:
        by_table[outcome.table].append(outcome)
    return tuple(_table_result(by_table[table]) for table in sorted(by_table))


def _table_result(outcomes: Sequence[MatchOutcome]) -> TableResult:
    first = min(outcomes, key=lambda outcome: (outcome.board, outcome.seating))
    bots = tuple(sorted(first.seating))
    place = {bot: at for at, bot in enumerate(bots)}
    half_points, margins = [0] * len(bots), [0] * len(bots)
    for outcome in outcomes:
        if set(outcome.seating) != place.keys():
            raise ResultsError(f"table {outcome.table} of round {outcome.round} seats others too: {outcome.seating}")
        for bot, half, margin in zip(outcome.seating, outcome.half_points, outcome.margins, strict=True):
            half_points[place[bot]] += half
            margins[place[bot]] += margin
    match_points = by_place(list(zip(half_points, margins, strict=True)))
    return TableResult(first.round, first.table, bots, match_points, tuple(half_points), tuple(margins))


def bye_game_points(division: Division) -> int:
    """Game points of a bye: those of the narrowest win at a table, in parts.

    Half of what can be won at a table of two is the mean of all tables, and one more is the narrowest win; with more
    seats the least step is that between two places that are shared. More would put a bot that sat out before bots
    that won by playing.
    """
    matches = division.boards * (division.seats if division.board_sets == "mirror" else 1)
    return parts(division.seats) * matches + parts(division.seats) // (division.seats - 1)
