"""Every round of tables of two is paired at the least cost that there is."""

import random
from itertools import combinations, product

import numpy as np
import pytest
import rustworkx
import scipy  # which loads its parts when they are used
from hypothesis import given, settings
from hypothesis import strategies as st
from league_events import all_pairings, contender, least_differences, plain_cost, play_event, random_field
from pairing_costs import swiss_cost

from arena.league.errors import PairingError
from arena.league.lots import Lots
from arena.league.pairing import DOWN, LEVEL, Contender, Cost, pair
from arena.league.values import Seating
from benchmarks.rematches import repeats

LOTS = Lots("a seed", "1")


def lot_sum(pairing_tables: tuple[tuple[str, str], ...], bye: str | None, lots: Lots) -> int:
    return sum(lots.of_pair(*table) for table in pairing_tables) + (lots.of_pair(bye, "") if bye else 0)


def assert_is_the_best(field: list[Contender], pairing: Seating, lots: Lots) -> None:
    bots = {bot.name: bot for bot in field}
    best = min((plain_cost(bots, tables, bye), lot_sum(tables, bye, lots)) for tables, bye in all_pairings(tuple(bots)))
    bye = next(iter(pairing.byes), None)
    found = plain_cost(bots, pairing.tables, bye)
    assert (found, lot_sum(pairing.tables, bye, lots)) == best
    assert tuple(swiss_cost(field, pairing)) == found


def fewest_rematches(field: list[Contender]) -> int:
    """By integer programming, and so without the matching that is under test; for fields of even size."""
    pairs = list(combinations(range(len(field)), 2))
    seated = np.zeros((len(field), len(pairs)))
    for column, (one, other) in enumerate(pairs):
        seated[one, column] = seated[other, column] = 1
    met = [float(field[other].name in field[one].met) for one, other in pairs]
    solved = scipy.optimize.milp(
        met,
        constraints=scipy.optimize.LinearConstraint(seated, 1, 1),
        integrality=np.ones(len(pairs)),
        bounds=scipy.optimize.Bounds(0, 1),
    )
    assert solved.success
    fewest: int = round(solved.fun)
    return fewest


def dense_optimum(field: list[Contender]) -> Cost:
    """The optimum over the graph of all pairs, for fields too large to try every pairing."""
    nodes = [*field, None] if len(field) % 2 else list(field)
    edges = []
    for (at, one), (to, other) in combinations(enumerate(nodes), 2):
        alone = Seating(((one.name, other.name),)) if other else Seating((), (one.name,))
        weight = 0
        for term in swiss_cost([one, other] if other else [one], alone):
            weight = weight * 4096 + term
        edges.append((at, to, 4096**6 - weight))
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    tables, byes = [], []
    for pair_of in rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int):
        one, other = nodes[min(pair_of)], nodes[max(pair_of)]
        if other is None:
            byes.append(one.name)
        else:
            tables.append((one.name, other.name))
    return swiss_cost(field, Seating(tables, tuple(byes)))


def test_four_bots_are_paired_at_best_whatever_their_scores_and_meetings() -> None:
    names = "abcd"
    pairs = list(combinations(names, 2))
    for met in product((0, 1, 2), repeat=len(pairs)):
        for scores in ((0, 0, 0, 0), (2, 2, 0, 0), (4, 2, 2, 0), (6, 4, 2, 0)):
            history: dict[str, dict[str, int]] = {name: {} for name in names}
            for (one, other), times in zip(pairs, met, strict=True):
                if times:
                    history[one][other] = history[other][one] = times
            field = [Contender(name, score, history[name]) for name, score in zip(names, scores, strict=True)]
            assert_is_the_best(field, pair(field, LOTS), LOTS)


@pytest.mark.parametrize("bots", range(2, 9))
def test_up_to_eight_bots_are_paired_at_best_in_any_state(bots: int) -> None:
    for seed in range(120):
        rng = random.Random(f"{bots} {seed}")
        scores = [rng.randrange(rng.choice((1, 3, 7))) for _ in range(bots)]
        field = random_field(rng, scores, rng.randrange(bots + 1))
        lots = Lots(str(seed))
        assert_is_the_best(field, pair(field, lots), lots)


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(2, 9), st.integers(1, 8), st.sampled_from([0.0, 0.15]), st.integers(0, 2**32))
def test_every_round_of_an_event_is_paired_at_best(bots: int, rounds: int, absent: float, seed: int) -> None:
    for number, (field, pairing) in enumerate(play_event(random.Random(seed), bots, rounds, absent=absent), start=1):
        assert_is_the_best(field, pairing, Lots("event", str(number)))


@settings(max_examples=settings().max_examples // 4)
@given(st.integers(6, 12), st.integers(3, 9), st.integers(0, 2**32))
def test_nobody_meets_again_while_that_can_be_avoided(half: int, rounds: int, seed: int) -> None:
    for field, pairing in play_event(random.Random(seed), 2 * half, rounds):
        assert swiss_cost(field, pairing).rematches == fewest_rematches(field)


@settings(max_examples=settings().max_examples // 2)
@given(st.integers(1, 6), st.integers(1, 20), st.integers(0, 2**32))
def test_nobody_sits_out_again_before_everybody_did_as_often(half: int, rounds: int, seed: int) -> None:
    byes = dict.fromkeys((f"bot{index}" for index in range(2 * half + 1)), 0)
    for _, pairing in play_event(random.Random(seed), 2 * half + 1, rounds):
        [bye] = pairing.byes
        byes[bye] += 1
        assert max(byes.values()) - min(byes.values()) <= 1


def test_the_bye_goes_to_the_lowest_score_that_had_none() -> None:
    field = [contender("a", 4), contender("b", 4), contender("c", 2), contender("d", 0), contender("e", 0, byes=1)]
    assert pair(field, LOTS).byes == ("d",)


def test_a_rematch_is_preferred_to_a_second_bye() -> None:
    field = [contender("a", 0, "b", byes=1), contender("b", 2, "a", byes=1), contender("c", 9)]
    assert pair(field, LOTS) == Seating((("b", "a"),), ("c",))


def test_bots_that_must_meet_again_are_those_that_met_least_often() -> None:
    field = [
        contender("a", 6, "bbccd"),
        contender("b", 6, "aaccdd"),
        contender("c", 0, "aabbdd"),
        contender("d", 0, "abbcc"),
    ]
    assert set(pair(field, LOTS).tables) == {("a", "d"), ("b", "c")}


def test_a_bot_does_not_float_down_twice_running_when_another_can() -> None:
    field = [contender("a", 2, floated=-1), contender("b", 2), contender("c", 2), contender("d", 0)]
    assert ("a", "d") not in pair(field, LOTS).tables


@given(st.integers(0, 40), st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_order_in_which_bots_are_given_changes_nothing(bots: int, seed: int, shuffler: random.Random) -> None:
    rng = random.Random(seed)
    field = random_field(rng, [rng.randrange(5) for _ in range(bots)], 4)
    shuffled = list(field)
    shuffler.shuffle(shuffled)
    assert pair(shuffled, LOTS) == pair(field, LOTS)


def test_the_lot_is_the_same_on_every_machine_and_another_seed_gives_another() -> None:
    field = [contender(letter) for letter in "abcdefgh"]
    assert Lots("spring", "pairing", "koikoi", "1").of_pair("b", "a") == 672459185297
    tables = pair(field, Lots("spring", "pairing", "koikoi", "1")).tables
    assert tables == (
        ("d", "h"),
        ("g", "a"),
        ("c", "e"),
        ("b", "f"),
    )
    assert len({pair(field, Lots(str(seed))).tables for seed in range(20)}) > 15


@pytest.mark.parametrize("bots", [150, 151])
def test_a_large_field_is_paired_as_well_as_by_the_graph_of_all_pairs(bots: int) -> None:
    for field, pairing in play_event(random.Random(bots), bots, 6):
        assert swiss_cost(field, pairing) == dense_optimum(field)


def test_large_groups_between_small_ones_of_old_opponents_are_paired_at_best() -> None:
    for seed in range(25):
        rng = random.Random(seed)
        sizes = [rng.choice((1, 2, 3, 4, 28, 31, 36)) for _ in range(6)]
        scores = [2 * group for group, size in enumerate(sizes) for _ in range(size)]
        field = random_field(rng, scores, 3)
        by_score: dict[int, list[Contender]] = {}
        for bot in field:
            by_score.setdefault(bot.score, []).append(bot)
        for group in by_score.values():
            if len(group) <= 4:  # all of a small group have met, so they must float
                for one, other in combinations(group, 2):
                    one.met[other.name] = other.met[one.name] = 1  # type: ignore[index]
        pairing = pair(field, LOTS)
        assert swiss_cost(field, pairing) == dense_optimum(field), f"seed {seed}"


def test_of_many_bots_of_one_score_nobody_meets_an_old_opponent() -> None:
    for seed in range(60):
        field = random_field(random.Random(seed), [0] * 36, 4, plain=True)
        assert swiss_cost(field, pair(field, Lots("x", str(seed)))).rematches == 0


def test_two_thousand_bots_meet_no_one_twice_and_their_scores_differ_as_little_as_they_can() -> None:
    for field, pairing in play_event(random.Random(7), 2_001, 7):
        found = swiss_cost(field, pairing)
        lowest = min(bot.score for bot in field)
        assert (found.earlier_byes, found.rematches, found.bye_score, found.repeated_floats) == (0, 0, lowest, 0)
        assert found.score_differences == least_differences([bot.score for bot in field], lowest)
        paired = [name for table in pairing.tables for name in table] + list(pairing.byes)
        assert sorted(map(str, paired)) == sorted(bot.name for bot in field)


def test_of_a_large_group_those_float_down_that_have_not_just_done_so_wherever_their_lots_put_them() -> None:
    names = sorted((f"b{number}" for number in range(30)), key=LOTS.of)
    field = [contender(name, 2, floated=DOWN if place < 12 else LEVEL) for place, name in enumerate(names)]
    field += [contender("y", met="z"), contender("z", met="y")]
    assert swiss_cost(field, pair(field, LOTS)) == Cost(score_differences=4)


def test_tables_are_numbered_from_the_highest_scores_down() -> None:
    field = [contender("a", 0), contender("b", 6), contender("c", 6), contender("d", 0)]
    tables = pair(field, LOTS).tables
    assert [set(table) for table in tables] == [{"b", "c"}, {"a", "d"}]


def test_a_field_without_bots_has_no_tables() -> None:
    assert pair([], LOTS) == Seating(())


def test_a_single_bot_has_the_bye() -> None:
    assert pair([contender("a")], LOTS) == Seating((), ("a",))


def test_a_name_twice_in_the_field_is_refused() -> None:
    with pytest.raises(PairingError, match="twice"):
        pair([contender("a"), contender("a", 2)], LOTS)


def test_a_history_beyond_exact_weights_is_refused() -> None:
    field = [Contender("a", met={"b": 2**130}), Contender("b", met={"a": 2**130})]
    with pytest.raises(PairingError, match="exact"):
        pair(field, LOTS)


@pytest.mark.parametrize(("bots", "rounds"), [(6, 4), (9, 8), (10, 8)])
def test_a_small_field_with_its_rounds_known_meets_nobody_twice(bots: int, rounds: int) -> None:
    assert repeats(bots, rounds, (2,), 30, ahead=True) == 0
    assert repeats(bots, rounds, (2,), 30, ahead=False) > 0


def test_looking_ahead_gives_up_nothing_but_scores_floats_and_lots() -> None:
    # Of six bots whose first two rounds leave a prism, the rungs between its two triangles are the one pairing after
    # which no round can be paired: the best by score, and the last that may be played.
    met = {"a": "ef", "b": "df", "c": "de", "d": "bc", "e": "ac", "f": "ab"}
    field = [contender(name, {"a": 4, "d": 4, "b": 2, "e": 2}.get(name, 0), met[name]) for name in "abcdef"]
    best, ahead = pair(field, LOTS), pair(field, LOTS, 1)
    assert {frozenset(table) for table in best.tables} == {frozenset("ad"), frozenset("be"), frozenset("cf")}
    assert not {frozenset(table) for table in ahead.tables} >= {frozenset("ad"), frozenset("be")}
    assert swiss_cost(field, best) < swiss_cost(field, ahead)
    assert swiss_cost(field, ahead)[:3] == (0, 0, 0)
