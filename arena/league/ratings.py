"""Ratings by the Bradley-Terry model of Weng and Lin with full pairing (openskill), and how far they may be off.

A bot's version is frozen, so its strength does not drift: nothing is added to its deviation between matches (`tau` is
0), and a rating is an estimate of one number from all matches so far. The model knows nothing of cards that matches
share, so its own deviation is too sure; what is shown are error bars from a bootstrap over board sets.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations

import msgspec
import numpy as np
import numpy.typing as npt
from openskill.models import BradleyTerryFull

from arena.league.errors import StatisticsError
from arena.league.statistics import LEVEL, RESAMPLES
from arena.league.values import MatchOutcome

BoardSet = tuple[MatchOutcome, ...]
_Floats = npt.NDArray[np.float64]


class Rating(msgspec.Struct, frozen=True):
    """A bot's rating on openskill's scale, where a bot that never played has 25 with a deviation of 25 / 3.

    `low` and `high` are the ends of the error bars of `mu`; a single board set in all gives none.
    """

    mu: float
    sigma: float
    low: float | None
    high: float | None
    matches: int


@cache
def _model() -> BradleyTerryFull:
    return BradleyTerryFull(tau=0.0)


def board_sets(outcomes: Iterable[MatchOutcome]) -> tuple[BoardSet, ...]:
    """The matches of one division by the board they were played on, in order of round and board.

    The matches of a field board set are those of all tables that have the board.
    """
    found: dict[tuple[int, int], list[MatchOutcome]] = defaultdict(list)
    for outcome in outcomes:
        found[outcome.round, outcome.board].append(outcome)
    return tuple(
        tuple(sorted(found[key], key=lambda outcome: (outcome.table, outcome.seating))) for key in sorted(found)
    )


def over_all(divisions: Mapping[str, Iterable[MatchOutcome]]) -> tuple[BoardSet, ...]:
    """The board sets of a league's divisions, by variant, in one order: by round, then variant and board."""
    tagged = [
        (board_set[0].round, variant, place, board_set)
        for variant, outcomes in divisions.items()
        for place, board_set in enumerate(board_sets(outcomes))
    ]
    return tuple(board_set for _, _, _, board_set in sorted(tagged, key=lambda row: row[:3]))


def ratings(sets: Sequence[BoardSet], seed: str, resamples: int = RESAMPLES, level: float = LEVEL) -> dict[str, Rating]:
    """Each bot's rating after these board sets in this order, with error bars; the seed decides the bars alone.

    Every match is rated by the places of its bots, equal half points being a draw. For the bars the board sets are
    drawn anew with replacement `resamples` times, kept in order, and rated from the start; the bars hold the middle
    `level` of a bot's ratings.
    """
    if resamples < 1 or not 0 < level < 1:
        raise StatisticsError("error bars need at least one resample and a level between 0 and 1")
    model = _model()
    rated: dict[str, tuple[float, float]] = {}
    matches: dict[str, int] = defaultdict(int)
    for outcome in (outcome for board_set in sets for outcome in board_set):
        before = [[model.rating(*rated.get(name, ()))] for name in outcome.seating]
        after = model.rate(before, ranks=[-half for half in outcome.half_points])
        for name, [bot] in zip(outcome.seating, after, strict=True):
            rated[name] = (bot.mu, bot.sigma)
            matches[name] += 1
    bars = _bars(sets, seed, resamples, level) if len(sets) > 1 else {}
    found = {}
    for name, (mu, sigma) in sorted(rated.items()):
        low, high = bars.get(name, (None, None))
        found[name] = Rating(mu, sigma, low, high, matches[name])
    return found


def _bars(sets: Sequence[BoardSet], seed: str, resamples: int, level: float) -> dict[str, tuple[float, float]]:
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest())))
    names = {name for board_set in sets for outcome in board_set for name in outcome.seating}
    leagues = _Resampled(sorted(names), resamples)
    left = np.full(resamples, len(sets))
    for place, board_set in enumerate(sets):
        # Row by row these are the counts of drawing as many board sets as there are, each alike.
        drawn = generator.binomial(left, 1 / (len(sets) - place))
        left -= drawn
        for times in range(drawn.max()):
            rows = np.flatnonzero(drawn > times)
            for outcome in board_set:
                leagues.rate(outcome, rows)
    edges = np.quantile(leagues.mu, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return {name: (float(edges[0, row]), float(edges[1, row])) for name, row in leagues.row.items()}


class _Resampled:
    """The model's update of many leagues at once: `mu` and `sigma` are by bot, then by resample.

    One match at a time openskill takes 25 microseconds, which two thousand resamples make minutes. The tests hold this
    update equal to openskill's.
    """

    def __init__(self, names: Sequence[str], resamples: int) -> None:
        model = _model()
        self.row = {name: row for row, name in enumerate(names)}
        self.mu = np.full((len(names), resamples), model.mu)
        self.sigma = np.full((len(names), resamples), model.sigma)

    def rate(self, outcome: MatchOutcome, leagues: npt.NDArray[np.intp]) -> None:
        """Rate a match in these leagues."""
        model = _model()
        rows = np.array([self.row[name] for name in outcome.seating])[:, None]
        mu, sigma = self.mu[rows, leagues], self.sigma[rows, leagues]
        square = sigma**2
        step, shrink = np.zeros_like(mu), np.zeros_like(mu)
        for one, other in combinations(range(len(rows)), 2):
            spread: _Floats = square[one] + square[other] + 2 * model.beta**2
            root = np.sqrt(spread)
            expected = 1 / (1 + np.exp((mu[other] - mu[one]) / root))
            ahead = outcome.half_points[one] - outcome.half_points[other]
            won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
            step[one] += square[one] / root * (won - expected)
            step[other] -= square[other] / root * (won - expected)
            information = expected * (1 - expected) / (spread * root)
            shrink[one] += sigma[one] * square[one] * information
            shrink[other] += sigma[other] * square[other] * information
        self.mu[rows, leagues] = mu + step
        self.sigma[rows, leagues] = sigma * np.sqrt(np.maximum(1 - shrink, model.kappa))
