"""From the end of a match to the points of a table in a round."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from arena.league.errors import ResultsError
from arena.league.values import MatchOutcome, PlayedRound, parts

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


def by_place(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Half points by place, the larger value first, equal values sharing theirs; counted in `parts`.

    Two to four values, so every share is a whole number of parts.
    """
    ahead = [sum(other > value for other in values) - sum(other < value for other in values) for value in values]
    last = len(values) - 1
    return tuple((last - difference) * parts(len(values)) // last for difference in ahead)


class TableResult(msgspec.Struct, frozen=True):
    """A meeting of two bots in a round; every tuple is by bot.

    `match_points` are 2, 1 or 0, by the sum of half points, then by the sum of margins; `game_points` are the half
    points; `margins` are summed over the table's matches.
    """

    round: int
    table: int
    bots: tuple[str, str]
    match_points: tuple[int, int]
    game_points: tuple[int, int]
    margins: tuple[int, int]


def table_results(played: PlayedRound) -> tuple[TableResult, ...]:
    """The result of each table of a round, by table number."""
    by_table: dict[int, list[MatchOutcome]] = defaultdict(list)
    for outcome in played.outcomes:
        by_table[outcome.table].append(outcome)
    return tuple(_table_result(by_table[table]) for table in sorted(by_table))


def _table_result(outcomes: Sequence[MatchOutcome]) -> TableResult:
    first, second = outcomes[0].seating
    half_points, margins = _sums(outcomes, {first: 0, second: 1})
    ahead = (half_points[0] - half_points[1]) or (margins[0] - margins[1])
    won = WIN if ahead > 0 else LOSS if ahead < 0 else DRAW
    return TableResult(outcomes[0].round, outcomes[0].table, (first, second), (won, WIN - won), half_points, margins)


def _sums(outcomes: Iterable[MatchOutcome], place: dict[str, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    half_points, margins = [0, 0], [0, 0]
    for outcome in outcomes:
        if set(outcome.seating) != place.keys():
            raise ResultsError(f"table {outcome.table} of round {outcome.round} seats others too: {outcome.seating}")
        for bot, half, margin in zip(outcome.seating, outcome.half_points, outcome.margins, strict=True):
            half_points[place[bot]] += half
            margins[place[bot]] += margin
    return (half_points[0], half_points[1]), (margins[0], margins[1])


def bye_game_points(boards: int) -> int:
    """Game points of a bye when a table plays `boards` board sets: those of the narrowest win.

    A table of n board sets has 2n matches and 4n half points, so the narrowest win has 2n + 1. More would put a bot
    that sat out before bots that won by playing.
    """
    return 2 * boards + 1
