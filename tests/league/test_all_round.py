"""The all-round table: how bots stand over all divisions of a league, however large each one is."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.all_round import AllRound, all_round, places
from arena.league.errors import ResultsError
from arena.league.lots import Lots
from arena.league.standings import Standing

LOTS = Lots("a seed", "all-round")
ROW = Standing(1, "a", 4, 8, 6, 8, 10, 1, 8, 6, 4, 0, 2, 0, 0)

divisions = st.dictionaries(
    st.sampled_from(["koikoi", "kyogi", "hachihachi"]),
    st.permutations("abcdef").flatmap(
        lambda names: st.lists(st.integers(1, 3), min_size=1, max_size=4).map(
            lambda sizes: [list(names[sum(sizes[:at]) : sum(sizes[: at + 1])]) for at in range(len(sizes))]
        )
    ),
)


def test_a_division_gives_the_share_of_the_others_that_a_bot_stands_before() -> None:
    assert all_round({"koikoi": ["a", "b", "c"], "kyogi": ["b", "a"]}, LOTS) == (
        AllRound(1, "b", 1.5, {"koikoi": 0.5, "kyogi": 1.0}),
        AllRound(2, "a", 1.0, {"koikoi": 1.0, "kyogi": 0.0}),
        AllRound(3, "c", 0.0, {"koikoi": 0.0}),
    )


def test_bots_that_share_a_place_share_its_points() -> None:
    rows = all_round({"koikoi": [["a"], ["b", "c"], ["d"]]}, LOTS)
    assert {row.name: row.points for row in rows} == {"a": 1.0, "b": 0.5, "c": 0.5, "d": 0.0}


def test_of_equal_sums_the_better_best_division_comes_first() -> None:
    rows = all_round({"koikoi": ["a", "b", "c"], "kyogi": ["c", "b", "a"]}, LOTS)
    assert {row.points for row in rows} == {1.0}
    assert rows[2].name == "b"
    assert {rows[0].name, rows[1].name} == {"a", "c"}


def test_a_bot_alone_in_its_division_gains_nothing_by_it() -> None:
    assert all_round({"koikoi": ["a"]}, LOTS) == (AllRound(1, "a", 0.0, {"koikoi": 0.0}),)
    assert all_round({}, LOTS) == ()


@given(divisions)
def test_a_division_gives_out_half_a_point_a_bot_and_the_ranks_follow_the_points(
    table: dict[str, list[list[str]]],
) -> None:
    table = {variant: [tied for tied in division if tied] for variant, division in table.items()}
    rows = all_round(table, LOTS)
    sizes = [sum(map(len, division)) for division in table.values()]
    assert sum(row.points for row in rows) == pytest.approx(sum(size / 2 for size in sizes if size > 1))
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    assert all(one.points >= other.points - 1e-12 for one, other in pairwise(rows))
    assert all(0 <= points <= 1 for row in rows for points in row.divisions.values())
    assert all_round(dict(reversed(table.items())), LOTS) == rows


def test_the_lot_alone_gives_no_points() -> None:
    rows = [
        ROW,
        msgspec.structs.replace(ROW, rank=2, name="b"),
        msgspec.structs.replace(ROW, rank=3, name="c", margin=7),
    ]
    assert places(rows) == (("a", "b"), ("c",))
    assert places(rows[::-1]) == places(rows)


def test_a_bot_twice_in_a_division_is_refused() -> None:
    with pytest.raises(ResultsError, match="koikoi names a bot twice"):
        all_round({"koikoi": ["a", "b", "a"]}, LOTS)
