"""Is B better than A? Sequential probability ratio tests, read after every board set, that stop by themselves.

Two hypotheses are weighed by a log-likelihood ratio: B's strength is `low` against B's strength is `high`. The test
ends when the ratio leaves Wald's bounds, which `alpha` and `beta` give. What a hypothesis leaves open is set to what
makes the results most likely under it (a generalised test), so no distribution of results needs to be known.

- `pentanomial_reading`: by the results of mirrored pairs. The two games of a pair share their cards, so the pair is
  the observation, with five outcomes. The ratio is that of the exact multinomial maximum likelihoods under a
  constraint on the mean (`Model.LOGISTIC`), or on the mean in standard deviations (`Model.NORMALISED`); Michel Van den
  Bergh, "Comments on Normalized Elo", propositions 1.1 and 4.1. fastchess computes the same.
- `margin_reading`: by the mean margins of board sets, in the variant's points. The ratio is that of the empirical
  likelihoods under a constraint on the mean: the same exact multinomial, over the margins that were seen, so skew
  margins need no other treatment. It is adjusted by one more margin on the far side of each hypothesis, which also
  takes in hypotheses that no margin seen lies beyond; Chen, Variyath and Abraham, "Adjusted Empirical Likelihood and
  its Properties" (2008).
"""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import mul

import msgspec

from arena.league.errors import StatisticsError

# No verdict on margins before so many differ from the one that came most often: of versions that play almost alike most
# boards say nothing, and of a few boards a loss that is large and rare (one in twenty) is too often no part yet.
MIN_MARGINS = 64
# Wald's bounds hold for a distribution that is known up to its mean. That of margins is estimated from the margins, so
# their bounds are wider by as much as brings the measured errors to those that are accepted (docs/leagues.md).
_MARGIN_BOUNDS = 1.05

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a mirrored pair, in the order of `Pentanomial.middle`."""
_NO_COUNT = 1e-3  # stands for an outcome not seen yet, as in fastchess: the likelihoods stay finite
_ELO_SCALE = 800 / math.log(10)  # normalised Elo to one standard deviation of a game
_ITERATIONS = 200
_TOLERANCE = 1e-7  # of a probability; those of outcomes hardly seen come no nearer, and weigh next to nothing
_LARGEST = {"normalised": 200.0, "logistic": 1_000.0, "points": math.inf}


class Model(StrEnum):
    """What the numbers of the hypotheses mean.

    Results take NORMALISED and LOGISTIC, margins POINTS. Normalised Elo is the mean of a game over its standard
    deviation, times 800 / ln 10: what a test needs to know, whatever the variant's share of draws. POINTS is the mean
    margin a match in the variant's points.
    """

    NORMALISED = "normalised"
    LOGISTIC = "logistic"
    POINTS = "points"


class Verdict(StrEnum):
    """BETTER: at least `high` rather than `low`. NOT_BETTER: at most `low` rather than `high`. OPEN: play on."""

    BETTER = "better"
    NOT_BETTER = "not better"
    OPEN = "open"


class Hypotheses(msgspec.Struct, frozen=True):
    """The two strengths between which the test decides, and the chances of error that are accepted.

    `alpha` is the chance of BETTER at a strength of `low` (or less), `beta` that of NOT_BETTER at `high` (or more).
    """

    low: float = 0.0
    high: float = 5.0
    model: Model = Model.NORMALISED
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise StatisticsError(f"the hypotheses must be two numbers in order, not {self.low} and {self.high}")
        if max(abs(self.low), abs(self.high)) > _LARGEST[self.model]:
            raise StatisticsError(
                f"{self.model} hypotheses reach from {-_LARGEST[self.model]} to {_LARGEST[self.model]}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise StatisticsError(
                f"alpha and beta must be above 0 and their sum below 1, not {self.alpha} and {self.beta}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio: at or beyond them the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Pentanomial(msgspec.Struct, frozen=True):
    """How often each outcome of a mirrored pair came, as one bot saw it: two losses, a loss and a draw, ... two wins.

    A win with a loss and two draws score the same and are one outcome to the test.
    """

    ll: int = 0
    ld: int = 0
    wl: int = 0
    dd: int = 0
    wd: int = 0
    ww: int = 0

    @property
    def pairs(self) -> int:
        """How many pairs were counted."""
        return sum(self.middle)

    @property
    def middle(self) -> tuple[int, int, int, int, int]:
        """The counts by score, from none to both points."""
        return self.ll, self.ld, self.wl + self.dd, self.wd, self.ww


class Reading(msgspec.Struct, frozen=True):
    """Where a test stands: its log-likelihood ratio between its bounds, after `board_sets` board sets."""

    llr: float
    lower: float
    upper: float
    board_sets: int
    verdict: Verdict


def pair_outcome(half_points: Sequence[int]) -> str:
    """The outcome of a pair, as a field of `Pentanomial`, from the half points of its two games."""
    return "".join("ldw"[half] for half in sorted(half_points, reverse=True)).replace("dl", "ld")


def pentanomial_reading(counts: Pentanomial, hypotheses: Hypotheses) -> Reading:
    """Read the test on results; StatisticsError when the model is not one of results."""
    return _reading(pentanomial_llr(counts, hypotheses), counts.pairs, hypotheses.bounds)


def margin_reading(margins: Mapping[float, int], hypotheses: Hypotheses) -> Reading:
    """Read the test on the mean margins of board sets, given by how often each came.

    Its bounds are a little wider than Wald's. It stays open until `MIN_MARGINS` margins differ from the most frequent
    one. StatisticsError when the model is not one of margins.
    """
    llr = margin_llr(margins, hypotheses) if telling_margins(margins) >= MIN_MARGINS else 0.0
    lower, upper = hypotheses.bounds
    return _reading(llr, sum(margins.values()), (_MARGIN_BOUNDS * lower, _MARGIN_BOUNDS * upper))


def telling_margins(margins: Mapping[float, int]) -> int:
    """Return how many margins differ from the one that came most often."""
    return sum(margins.values()) - max(margins.values(), default=0)


def _reading(llr: float, board_sets: int, bounds: tuple[float, float]) -> Reading:
    lower, upper = bounds
    verdict = Verdict.BETTER if llr >= upper else Verdict.NOT_BETTER if llr <= lower else Verdict.OPEN
    return Reading(llr, lower, upper, board_sets, verdict)


def pentanomial_llr(counts: Pentanomial, hypotheses: Hypotheses) -> float:
    """The log-likelihood ratio of the counts, `high` against `low`; positive speaks for `high`."""
    if not counts.pairs:
        return 0.0
    seen = [count or _NO_COUNT for count in counts.middle]
    total = sum(seen)
    shares = [count / total for count in seen]
    match hypotheses.model:
        case Model.NORMALISED:
            low, high = (_at_t(shares, normalised_t(elo)) for elo in (hypotheses.low, hypotheses.high))
        case Model.LOGISTIC:
            low, high = (_at_mean(shares, expected_score(elo)) for elo in (hypotheses.low, hypotheses.high))
        case Model.POINTS:
            raise StatisticsError("results are not counted in points: use normalised or logistic Elo")
    return total * _divergence(shares, high, low)


def margin_llr(margins: Mapping[float, int], hypotheses: Hypotheses) -> float:
    """Return the log-likelihood ratio of margins, given by how often each came, `high` against `low`.

    It is 0 while all margins are equal: they say nothing about their spread yet. Hypotheses that both lie more than a
    standard deviation from the mean, on one side of it, are moved up to there: any two such margins are about as
    unlikely as each other, so between them as they are hardly anything would be decided, however clear the case.
    """
    if hypotheses.model is not Model.POINTS:
        raise StatisticsError("margins are counted in points: they have no Elo")
    if len(margins) < 2:
        return 0.0
    count = sum(margins.values())
    mean = math.fsum(margin * times for margin, times in margins.items()) / count
    deviation = math.sqrt(math.fsum((margin - mean) ** 2 * times for margin, times in margins.items()) / count)
    moved = max(mean - deviation - hypotheses.high, 0.0) or min(mean + deviation - hypotheses.low, 0.0)
    shares = [times / (count + 1) for times in (*margins.values(), 1)]
    reach = max(1.0, math.log(count) / 2)

    def tilted_at(hypothesis: float) -> list[float]:
        pulls = [margin - hypothesis for margin in margins]
        return _tilted(shares, [*pulls, -reach * (mean - hypothesis)])

    return (count + 1) * _divergence(shares, tilted_at(hypotheses.high + moved), tilted_at(hypotheses.low + moved))


def _divergence(shares: Sequence[float], high: Sequence[float], low: Sequence[float]) -> float:
    """How much better `high` explains an observation of these shares than `low`, on an average."""
    return math.fsum(share * math.log(p / q) for share, p, q in zip(shares, high, low, strict=True))


def normalised_t(elo: float) -> float:
    """Normalised Elo as the mean of a pair over its standard deviation, a pair being two games."""
    return math.sqrt(2) * elo / _ELO_SCALE


def normalised_elo(t: float) -> float:
    """The normalised Elo of pairs, or board sets of two games, whose mean is so many standard deviations."""
    return t * _ELO_SCALE / math.sqrt(2)


def expected_score(elo: float) -> float:
    """Return the mean score of a game at a logistic Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def _at_mean(shares: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution with this mean, by score."""
    return _tilted(shares, [score - mean for score in SCORES])


def _at_t(shares: Sequence[float], t: float) -> list[float]:
    """The most likely distribution whose mean is `t` standard deviations above one half, by fixed-point iteration."""
    probabilities = [1 / len(SCORES)] * len(SCORES)
    for _ in range(_ITERATIONS):
        mean = sum(score * p for score, p in zip(SCORES, probabilities, strict=True))
        sigma = math.sqrt(sum(p * (score - mean) ** 2 for score, p in zip(SCORES, probabilities, strict=True)))
        pulls = [score - 0.5 - t * sigma * (1 + ((score - mean) / sigma) ** 2) / 2 for score in SCORES]
        if not min(pulls) < 0 < max(pulls):
            break
        before, probabilities = probabilities, _tilted(shares, pulls)
        if max(abs(p - q) for p, q in zip(probabilities, before, strict=True)) < _TOLERANCE:
            return probabilities
    raise StatisticsError(f"no distribution near these results lies {t:.3g} standard deviations above one half")


def _tilted(shares: Sequence[float], pulls: Sequence[float]) -> list[float]:
    """The distribution nearest to the shares (in likelihood) in which the pulls balance: p = share / (1 + x * pull).

    x is the root of a falling function between the poles that the outermost pulls make. Newton's steps are taken on the
    function times its poles, which is all but straight, and halve the bracket where they would leave it.
    """
    least, highest = min(pulls), max(pulls)
    low, high = -1 / highest, -1 / least
    x = 0.0
    for _ in range(_ITERATIONS):
        terms = [pull / (1 + x * pull) for pull in pulls]
        weighed = list(map(mul, shares, terms))
        value = sum(weighed)
        slope = -sum(map(mul, weighed, terms))
        poles, poles_slope = (1 + x * least) * (1 + x * highest), least * (1 + x * highest) + highest * (1 + x * least)
        following = x - value * poles / (slope * poles + value * poles_slope)
        if math.isclose(following, x, rel_tol=1e-14, abs_tol=1e-15):
            break
        low, high = (x, high) if value > 0 else (low, x)
        x = following if low < following < high else (low + high) / 2
    return [share / (1 + x * pull) for share, pull in zip(shares, pulls, strict=True)]
