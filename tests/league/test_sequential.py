"""Sequential trials err about as rarely as they promise."""

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from margin_errors import CRASHES, LUCK

from arena.league.errors import StatisticsError
from arena.sprt.sequential import (
    MIN_MARGINS,
    Hypotheses,
    Model,
    Pentanomial,
    Reading,
    Verdict,
    margin_llr,
    margin_reading,
    pair_outcome,
    pentanomial_llr,
    pentanomial_reading,
)

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
FEW_DRAWS = (0.25, 0.02, 0.46, 0.02, 0.25)
MANY_DRAWS = (0.01, 0.2, 0.58, 0.2, 0.01)
TRIALS = 80

counts = st.builds(Pentanomial, *[st.integers(0, 10_000)] * 6)
margins_seen = st.dictionaries(st.integers(-60, 60).map(float), st.integers(1, 30), min_size=2, max_size=40).map(
    Counter
)


@pytest.mark.parametrize(
    ("seen", "low", "high", "model", "llr"),
    [
        ((365, 16618, 36029, 200, 16974, 390), 0, 2, Model.NORMALISED, 2.25),
        ((127, 4883, 10311, 401, 5150, 104), -1.75, 0.25, Model.NORMALISED, 3.01),
        ((223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, Model.LOGISTIC, -3.07),
        ((871, 26175, 55003, 980, 26678, 821), 0, 2, Model.LOGISTIC, -4.98),
    ],
)
def test_the_ratio_is_the_one_that_fastchess_publishes(
    seen: tuple[int, ...], low: float, high: float, model: Model, llr: float
) -> None:
    assert round(pentanomial_llr(Pentanomial(*seen), Hypotheses(low, high, model)), 2) == llr


def test_the_bounds_are_walds() -> None:
    lower, upper = Hypotheses(alpha=0.05, beta=0.05).bounds
    assert (lower, upper) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    assert Hypotheses(alpha=0.01, beta=0.2).bounds == (pytest.approx(math.log(0.2 / 0.99)), pytest.approx(math.log(80)))


@given(counts, st.floats(-150, 150), st.floats(0.1, 50), st.sampled_from([Model.NORMALISED, Model.LOGISTIC]))
def test_the_other_bot_sees_the_same_test_from_the_other_side(
    seen: Pentanomial, low: float, width: float, model: Model
) -> None:
    turned = Pentanomial(seen.ww, seen.wd, seen.wl, seen.dd, seen.ld, seen.ll)
    ours = pentanomial_llr(seen, Hypotheses(low, low + width, model))
    theirs = pentanomial_llr(turned, Hypotheses(-low - width, -low, model))
    assert ours == pytest.approx(-theirs, rel=1e-5, abs=1e-5)


@given(counts, st.sampled_from([Model.NORMALISED, Model.LOGISTIC]))
def test_more_wins_speak_for_the_higher_hypothesis(seen: Pentanomial, model: Model) -> None:
    hypotheses = Hypotheses(-5, 5, model)
    more = Pentanomial(seen.ll, seen.ld, seen.wl, seen.dd, seen.wd, seen.ww + 1 + seen.pairs)
    fewer = Pentanomial(seen.ll + 1 + seen.pairs, seen.ld, seen.wl, seen.dd, seen.wd, seen.ww)
    assert pentanomial_llr(more, hypotheses) > 0 > pentanomial_llr(fewer, hypotheses)


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.integers(1, 40), min_size=5, max_size=5), st.floats(0.35, 0.6))
def test_the_likelihood_under_a_hypothesis_is_the_largest_with_its_mean(seen: list[int], mean: float) -> None:
    # Among random distributions with this mean none is more likely than the one that the ratio is made from: its
    # logarithm is that of the most likely one of all less what the ratio of the mean seen to `mean` says.
    total = sum(seen)
    shares = [count / total for count in seen]
    score = sum(share * at for share, at in zip(shares, SCORES, strict=True))
    elo = -400 * math.log10(1 / mean - 1)
    seen_elo = -400 * math.log10(1 / score - 1)
    low, high = sorted((elo, seen_elo))
    if high - low < 0.1:
        return
    llr = pentanomial_llr(Pentanomial(*seen[:3], 0, *seen[3:]), Hypotheses(low, high, Model.LOGISTIC))
    most = sum(count * math.log(share) for count, share in zip(seen, shares, strict=True)) - abs(llr)
    rng = random.Random(total)
    for _ in range(200):
        weights = [share * rng.uniform(0.5, 2) for share in shares]
        p = tilted(tuple(weights), lambda p: mean_of(p) - mean)
        assert sum(count * math.log(share) for count, share in zip(seen, p, strict=True)) <= most + 1e-6


def mean_of(p: tuple[float, ...]) -> float:
    return sum(share * at for share, at in zip(p, SCORES, strict=True))


def deviations_of(p: tuple[float, ...]) -> float:
    mean = mean_of(p)
    return (mean - 0.5) / math.sqrt(sum(share * (at - mean) ** 2 for share, at in zip(p, SCORES, strict=True)))


def tilted(base: tuple[float, ...], excess: Callable[[tuple[float, ...]], float]) -> tuple[float, ...]:
    """The base made stronger or weaker, exponentially in the score, until the excess over the target is nothing."""
    low, high = -40.0, 40.0
    while True:
        tilt = (low + high) / 2
        weights = [share * math.exp(tilt * at) for share, at in zip(base, SCORES, strict=True)]
        p = tuple(weight / sum(weights) for weight in weights)
        if high - low < 1e-12:
            return p
        low, high = (tilt, high) if excess(p) < 0 else (low, tilt)


def run(draw: Callable[[], Reading]) -> Verdict:
    while (reading := draw()).verdict is Verdict.OPEN:
        assert reading.lower < reading.llr < reading.upper
    return reading.verdict


def wrong_verdicts(start: Callable[[random.Random], Callable[[], Reading]], wrong: Verdict) -> int:
    return sum(run(start(random.Random(trial))) is wrong for trial in range(TRIALS))


def at_most(chance: float) -> float:
    """The count that a binomial of `TRIALS` exceeds once in some thousands."""
    return TRIALS * chance + 4 * math.sqrt(TRIALS * chance)


@pytest.mark.parametrize("base", [FEW_DRAWS, MANY_DRAWS])
@pytest.mark.parametrize(("true", "wrong"), [(0.0, Verdict.BETTER), (120.0, Verdict.NOT_BETTER)])
def test_the_test_on_results_errs_about_as_rarely_as_it_promises(
    base: tuple[float, ...], true: float, wrong: Verdict
) -> None:
    target = true * math.log(10) / 800 * math.sqrt(2)
    p = tilted(base, lambda p: deviations_of(p) - target)

    def start(rng: random.Random) -> Callable[[], Reading]:
        seen = [0] * 5

        def draw() -> Reading:
            seen[rng.choices(range(5), p)[0]] += 1
            return pentanomial_reading(Pentanomial(*seen[:3], 0, *seen[3:]), Hypotheses(0, 120))

        return draw

    errors = wrong_verdicts(start, wrong)
    assert 0 < errors <= at_most(0.05)


@pytest.mark.parametrize("luck", list(LUCK))
@pytest.mark.parametrize(("true", "wrong"), [(0.0, Verdict.BETTER), (4.0, Verdict.NOT_BETTER)])
def test_the_test_on_margins_errs_about_as_rarely_as_it_promises(luck: str, true: float, wrong: Verdict) -> None:
    def start(rng: random.Random) -> Callable[[], Reading]:
        margins: Counter[float] = Counter()

        def draw() -> Reading:
            margins[true + LUCK[luck](rng)] += 1
            return margin_reading(margins, Hypotheses(0, 4, Model.POINTS))

        return draw

    assert wrong_verdicts(start, wrong) <= at_most(0.06)


@given(margins_seen, st.floats(-20, 20), st.floats(0.1, 10))
def test_the_other_bot_sees_the_same_test_on_margins_from_the_other_side(
    margins: Counter[float], low: float, width: float
) -> None:
    turned = Counter({-margin: times for margin, times in margins.items()})
    ours = margin_llr(margins, Hypotheses(low, low + width, Model.POINTS))
    theirs = margin_llr(turned, Hypotheses(-low - width, -low, Model.POINTS))
    assert ours == pytest.approx(-theirs, rel=1e-6, abs=1e-6)


@given(margins_seen, st.floats(0.1, 10))
def test_the_unit_of_margins_changes_nothing(margins: Counter[float], unit: float) -> None:
    scaled = Counter({margin * unit: times for margin, times in margins.items()})
    ours = margin_llr(margins, Hypotheses(0, 3, Model.POINTS))
    theirs = margin_llr(scaled, Hypotheses(0, 3 * unit, Model.POINTS))
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("true", [200.0, -200.0])
def test_a_strength_far_beyond_both_hypotheses_gets_its_verdict_too(true: float) -> None:
    rng = random.Random(5)
    margins: Counter[float] = Counter()

    def draw() -> Reading:
        margins[rng.gauss(true, 10)] += 1
        return margin_reading(margins, Hypotheses(0, 4, Model.POINTS))

    assert run(draw) is (Verdict.BETTER if true > 0 else Verdict.NOT_BETTER)
    assert sum(margins.values()) < 150


def test_many_margins_are_weighed_as_with_a_known_variance() -> None:
    rng = random.Random(4)
    margins = [rng.gauss(1, 10) for _ in range(20_000)]
    known = sum((margin - 0.5) / 100 for margin in margins)
    assert margin_llr(Counter(margins), Hypotheses(0, 1, Model.POINTS)) == pytest.approx(known, rel=0.03)


def test_the_ratio_of_margins_is_that_of_the_most_likely_weights() -> None:
    # Margins 0 (thrice) and 1 (once) against a mean of 1/2: the added margin lies at 1/2 + (1/2 - 1/4) = 3/4, and the
    # weights p of 0, q of 1 and r of 3/4 that make p^3 q r largest with a mean of 1/2 are found by a search.
    def largest(at: float, added: float) -> float:
        best = -math.inf
        for step in range(1, 200_000):
            q = step / 200_000
            # p * (0 - at) + q * (1 - at) + r * (added - at) = 0 and p + q + r = 1
            r = (at - q) / added
            p = 1 - q - r
            if p > 0 and r > 0:
                best = max(best, 3 * math.log(p) + math.log(q) + math.log(r))
        return best

    expected = largest(0.5, 0.75) - largest(0.3, 0.35)
    found = margin_llr(Counter({0.0: 3, 1.0: 1}), Hypotheses(0.3, 0.5, Model.POINTS))
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("true", "wrong"), [(0.0, Verdict.BETTER), (4.0, Verdict.NOT_BETTER)])
def test_crashes_on_the_first_boards_do_not_decide_the_test_on_margins(true: float, wrong: Verdict) -> None:
    def start(rng: random.Random) -> Callable[[], Reading]:
        margins = Counter([0.0] * CRASHES)

        def draw() -> Reading:
            margins[true + LUCK["normal"](rng)] += 1
            return margin_reading(margins, Hypotheses(0, 4, Model.POINTS))

        return draw

    assert wrong_verdicts(start, wrong) <= at_most(0.06)


def test_too_few_telling_margins_leave_the_test_open() -> None:
    hypotheses = Hypotheses(0, 1, Model.POINTS)
    clear = Counter({9.0 + place / 100: 1 for place in range(MIN_MARGINS)})
    assert margin_reading(clear, hypotheses).verdict is Verdict.OPEN
    assert margin_reading(clear + Counter([9.0]), hypotheses).verdict is Verdict.OPEN, "9.0 came most often"
    assert margin_reading(clear + Counter([8.0]), hypotheses).llr > 0
    for count in (0, 100):
        reading = margin_reading(Counter({10.0: count}), hypotheses)
        assert (reading.llr, reading.board_sets, reading.verdict) == (0, count, Verdict.OPEN)
        assert (reading.lower, reading.upper) == pytest.approx([1.05 * bound for bound in hypotheses.bounds])


def test_pairs_are_named_by_their_two_results() -> None:
    pairs = {(0, 0): "ll", (0, 1): "ld", (0, 2): "wl", (1, 0): "ld", (1, 1): "dd", (1, 2): "wd", (2, 2): "ww"}
    assert {halves: pair_outcome(halves) for halves in pairs} == pairs


def test_before_the_first_pair_nothing_is_known() -> None:
    assert pentanomial_reading(Pentanomial(), Hypotheses()) == Reading(0.0, *Hypotheses().bounds, 0, Verdict.OPEN)


@pytest.mark.parametrize(
    ("low", "high", "model", "alpha", "beta"),
    [
        (5, 0, Model.NORMALISED, 0.05, 0.05),
        (0, math.inf, Model.POINTS, 0.05, 0.05),
        (0, 201, Model.NORMALISED, 0.05, 0.05),
        (0, 5, Model.LOGISTIC, 0.0, 0.05),
        (0, 5, Model.LOGISTIC, 0.5, 0.5),
    ],
)
def test_hypotheses_that_cannot_be_told_apart_are_refused(
    low: float, high: float, model: Model, alpha: float, beta: float
) -> None:
    with pytest.raises(StatisticsError):
        Hypotheses(low, high, model, alpha, beta)


def test_a_model_of_the_other_kind_of_test_is_refused() -> None:
    with pytest.raises(StatisticsError, match="points"):
        pentanomial_llr(Pentanomial(ww=1), Hypotheses(0, 1, Model.POINTS))
    with pytest.raises(StatisticsError, match="no Elo"):
        margin_llr(Counter([1.0, 2.0]), Hypotheses(0, 1, Model.LOGISTIC))
