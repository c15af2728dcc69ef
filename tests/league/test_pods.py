"""Every round of tables of three and four costs little: few repeats and byes, and even tables."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import scipy  # which loads its parts when they are used
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_costs import pods_cost
from pod_optimum import optimum, plain_cost, play_pods, random_state

from arena.league.errors import PairingError
from arena.league.lots import Lots
from arena.league.pairing import Contender
from arena.league.pod_costs import Cost, floated
from arena.league.pod_plan import MAX_ROUNDS
from arena.league.pods import layout, pods
from arena.league.values import Seating
from benchmarks.rematches import repeats

LOTS = Lots("a seed", "1")


def bot(name: str, score: int = 0, met: str = "", byes: int = 0, floated: int = 0, short: int = 0) -> Contender:
    return Contender(name, score, {letter: met.count(letter) for letter in met}, byes, floated, short)


def seated(pairing: Seating) -> list[str]:
    return sorted([name for pod in pairing.tables for name in pod] + list(pairing.byes))


@pytest.mark.parametrize("state", range(12))
def test_small_fields_cost_no_more_than_integer_programming_finds(state: int) -> None:
    field, sizes = random_state(random.Random(state), most_bots=15)
    assert pods_cost(field, sizes, pods(field, sizes, LOTS)) == optimum(field, sizes)


def test_thirty_bots_cost_no_more_than_integer_programming_finds() -> None:
    *_, (field, pairing) = play_pods(random.Random(1), 30, (3,), 7)
    assert pods_cost(field, (3,), pairing) == optimum(field, (3,))


@settings(max_examples=settings().max_examples // 3)
@given(st.integers(0, 2**32))
def test_the_cost_is_the_sum_of_the_terms_of_each_pod(seed: int) -> None:
    field, sizes = random_state(random.Random(seed), most_bots=14)
    pairing = pods(field, sizes, LOTS)
    bots = {one.name: one for one in field}
    groups = [*pairing.tables, *((name,) for name in pairing.byes)]
    terms = [plain_cost(tuple(bots[name] for name in group), sizes[0]) for group in groups]
    assert tuple(pods_cost(field, sizes, pairing)) == tuple(map(sum, zip(*terms, strict=True)))
    assert seated(pairing) == sorted(bots)
    assert sorted(map(len, pairing.tables)) == sorted(layout(len(field), sizes))


@pytest.mark.parametrize(("bots", "rounds", "sizes", "must"), [(10, 6, (3,), 9), (16, 5, (4, 3), 0)])
def test_a_small_field_with_its_rounds_known_repeats_no_more_meetings_than_it_must(
    bots: int, rounds: int, sizes: tuple[int, ...], must: int
) -> None:
    assert repeats(bots, rounds, sizes, 1, ahead=True) == must
    assert repeats(bots, rounds, sizes, 1, ahead=False) > must


@pytest.mark.parametrize(("bots", "sizes"), [(10, (3,)), (13, (3, 4))])
def test_looking_ahead_gives_nobody_a_bye_or_an_odd_pod_before_its_turn(bots: int, sizes: tuple[int, ...]) -> None:
    *_, (field, _) = play_pods(random.Random(1), bots, sizes, 4)
    best, ahead = pods(field, sizes, LOTS), pods(field, sizes, LOTS, 2)
    assert best != ahead
    assert pods_cost(field, sizes, ahead)[:2] == pods_cost(field, sizes, best)[:2]
    assert seated(ahead) == seated(best)


def spread_bound(field: list[Contender]) -> int:
    """No pods of three without a repeat have a smaller sum of spreads, when nobody sits out.

    Above the highest score that 15 bots share, below the lowest such score, and between them, different gaps are
    reached across, so the least of each add up: at both ends by integer programming over all pods of the few bots
    there, those of the large groups taken as strangers that are never short; between, by the gaps whose bots above do
    not fill whole pods.
    """
    sizes = Counter(one.score for one in field)
    large = [score for score, size in sizes.items() if size >= 15]
    top, bottom = max(large), min(large)
    middle = sum(
        upper - lower
        for lower, upper in zip(sorted(sizes), sorted(sizes)[1:], strict=False)
        if bottom <= lower and upper <= top and sum(one.score >= upper for one in field) % 3
    )
    above = least_of_few([one for one in field if one.score > top], top)
    below = least_of_few([one for one in field if one.score < bottom], bottom)
    return above + middle + below


def least_of_few(bots: list[Contender], strangers: int) -> int:
    groups = [group for size in (1, 2, 3) for group in combinations(range(len(bots)), size)]
    groups = [
        group for group in groups if not any(bots[other].name in bots[one].met for one, other in combinations(group, 2))
    ]
    if not groups:
        return 0
    spreads = []
    for group in groups:
        scores = [bots[at].score for at in group] + [strangers] * (len(group) < 3)
        spreads.append(max(scores) - min(scores))
    cover = np.array([[float(at in group) for group in groups] for at in range(len(bots))])
    solved = scipy.optimize.milp(
        spreads,
        constraints=scipy.optimize.LinearConstraint(cover, 1, 1),
        integrality=np.ones(len(groups)),
        bounds=scipy.optimize.Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    assert solved.success
    return round(solved.fun)


def test_a_thousand_bots_meet_nobody_again_in_nine_rounds_and_the_spread_is_at_its_lower_bound() -> None:
    rounds = 0
    for field, pairing in play_pods(random.Random(1), 999, (3,), 9, draws=0.0):
        rounds += 1
        found = pods_cost(field, (3,), pairing)
        assert (found.earlier_byes, found.repeats, pairing.byes) == (0, 0, ())
        assert found.spread == spread_bound(field), f"round {rounds}"
        assert seated(pairing) == sorted(one.name for one in field)
    assert rounds == 9


@settings(max_examples=settings().max_examples // 4)
@given(st.integers(1, 16), st.integers(1, 9), st.integers(0, 2**32))
def test_nobody_sits_out_twice_more_than_another(bots: int, rounds: int, seed: int) -> None:
    byes: Counter[str] = Counter()
    for field, pairing in play_pods(random.Random(seed), bots, (3,), rounds):
        byes.update(pairing.byes)
        assert len(pairing.byes) == bots % 3
        counts = [byes[one.name] for one in field]
        assert max(counts) - min(counts) <= 1


@settings(max_examples=settings().max_examples // 4)
@given(st.integers(0, 60), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_in_which_bots_are_given_changes_nothing(bots: int, seed: int, shuffler: random.Random) -> None:
    *_, (field, _) = play_pods(random.Random(seed), bots, (3, 4), 3)
    shuffled = list(field)
    shuffler.shuffle(shuffled)
    assert pods(shuffled, (3, 4), LOTS) == pods(field, (3, 4), LOTS)


def test_a_round_is_seated_in_a_bounded_time_however_many_are_left() -> None:
    *_, (field, _) = play_pods(random.Random(1), 7, (4, 3), 2)
    assert pods(field, (4, 3), LOTS, 1_000) == pods(field, (4, 3), LOTS, MAX_ROUNDS)


def test_the_order_in_which_bots_are_given_changes_nothing_when_looking_ahead() -> None:
    *_, (field, _) = play_pods(random.Random(1), 10, (3,), 4)
    assert pods(field[::-1], (3,), LOTS, 2) == pods(field, (3,), LOTS, 2)


def test_the_lot_decides_between_equals() -> None:
    field = [bot(letter) for letter in "abcdefghi"]
    assert pods(field, (3,), Lots("spring")) == pods(field, (3,), Lots("spring"))
    assert len({pods(field, (3,), Lots(str(seed))).tables for seed in range(20)}) > 15


@pytest.mark.parametrize(
    ("bots", "sizes", "found"),
    [
        (9, (3,), (3, 3, 3)),
        (11, (3,), (3, 3, 3)),
        (10, (3, 4), (3, 3, 4)),
        (11, (3, 4), (3, 4, 4)),
        (5, (3, 4), (4,)),
        (13, (4, 3), (4, 3, 3, 3)),
        (6, (4, 3), (3, 3)),
        (2, (3, 4), ()),
        (0, (3,), ()),
    ],
)
def test_a_field_has_as_few_byes_as_can_be_then_as_few_odd_pods(
    bots: int, sizes: tuple[int, ...], found: tuple[int, ...]
) -> None:
    assert layout(bots, sizes) == found


def test_bots_that_have_met_are_kept_apart_before_scores_are_kept_together() -> None:
    field = [bot("a", 36, "bc"), bot("b", 36, "ac"), bot("c", 36, "ab"), *(bot(letter) for letter in "defghi")]
    for pod in pods(field, (3,), LOTS).tables:
        assert len(set(pod) & set("abc")) == 1


def test_a_bye_and_a_short_pod_go_to_bots_that_had_none() -> None:
    field = [bot("a", 0, byes=1), bot("b", 6), bot("c", 12), bot("d", 12)]
    assert pods(field, (3,), LOTS).byes == ("b",)
    field = [bot(letter, short=letter in "abcd") for letter in "abcdefg"]
    [odd] = (pod for pod in pods(field, (4, 3), LOTS).tables if len(pod) != 4)
    assert set(odd) == set("efg")


def test_a_bot_floats_when_more_than_half_of_the_others_are_on_one_side() -> None:
    assert [floated(score, (12, 12, 6)) for score in (12, 6)] == [0, 1]
    assert [floated(score, (12, 6, 6)) for score in (12, 6)] == [-1, 0]
    assert [floated(score, (12, 6, 0)) for score in (12, 6, 0)] == [-1, 0, 1]
    assert [floated(score, (12, 12, 6, 6)) for score in (12, 6)] == [-1, 1]
    assert [floated(score, (12, 6)) for score in (12, 6)] == [-1, 1]


def test_a_bot_does_not_float_down_twice_running_when_another_can() -> None:
    field = [bot("a", 12, floated=-1), *(bot(letter, 12) for letter in "bcd"), *(bot(letter) for letter in "ef")]
    (low,) = (pod for pod in pods(field, (3,), LOTS).tables if "e" in pod)
    assert "a" not in low


def test_pods_are_numbered_from_the_highest_scores_down() -> None:
    field = [bot(letter, score) for letter, score in zip("abcdef", (0, 24, 0, 24, 24, 0), strict=True)]
    assert [set(pod) for pod in pods(field, (3,), LOTS).tables] == [set("bde"), set("acf")]


def test_a_field_without_bots_has_no_pods_and_a_single_bot_a_bye() -> None:
    assert pods([], (3,), LOTS) == Seating((), ())
    assert pods([bot("a")], (3,), LOTS) == Seating((), ("a",))
    assert pods_cost([], (3,), Seating((), ())) == Cost()


@pytest.mark.parametrize("sizes", [(), (1,), (5,), (3, 3), (4, 3, 2)])
def test_pods_of_other_than_two_to_four_seats_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(PairingError, match="two to four seats"):
        pods([bot("a")], sizes, LOTS)


def test_a_name_twice_in_the_field_is_refused() -> None:
    with pytest.raises(PairingError, match="twice"):
        pods([bot("a"), bot("a", 6)], (3,), LOTS)


def test_a_history_beyond_exact_weights_is_refused() -> None:
    field = [bot("a", 2**40), bot("b"), bot("c")]
    with pytest.raises(PairingError, match="exact"):
        pods([one._replace(met={other: 2**20 for other in "abc" if other != one.name}) for one in field], (3,), LOTS)
