"""What a match and a table give each seat: half points, margins, and nothing for a forfeit."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.columns import Columns
from arena.league.errors import ResultsError
from arena.league.results import MatchScore, bye_game_points, score_match, table_points
from arena.league.spec import Division
from arena.league.values import MatchOutcome, PlayedRound, parts

balances = st.tuples(st.integers(-500, 500), st.integers(-500, 500))


def outcome(seating: tuple[str, str], margin: int, board: int = 1) -> MatchOutcome:
    score = score_match((margin, 0))
    return MatchOutcome(1, 1, board, seating, score.half_points, score.margins)


def points(*outcomes: MatchOutcome) -> dict[str, int]:
    (table,) = table_points(PlayedRound(1, (), outcomes))
    return table


def sums(*outcomes: MatchOutcome) -> dict[str, tuple[int, int]]:
    """The game points and the margins of each bot, in parts, over the matches of the one table."""
    columns = Columns([outcomes])
    (table,) = columns.meetings()
    bots = (columns.names[bot] for bot in table.bots[0].tolist())
    return dict(zip(bots, zip(table.game_points[0].tolist(), table.margins[0].tolist(), strict=True), strict=True))


def test_the_larger_balance_wins_by_the_difference() -> None:
    assert score_match((30, 12)) == MatchScore((2, 0), (18, -18))
    assert score_match((12, 30)) == MatchScore((0, 2), (-18, 18))
    assert score_match((7, 7)) == MatchScore((1, 1), (0, 0))


def test_a_forfeit_loses_whatever_the_balances_are() -> None:
    assert score_match((30, 12), forfeiter=0) == MatchScore((0, 2), (0, 0))
    assert score_match((30, 12), forfeiter=1) == MatchScore((2, 0), (18, -18))
    assert score_match((0, 0), forfeiter=1) == MatchScore((2, 0), (0, 0))


@given(balances, st.sampled_from([None, 0, 1]))
def test_a_match_gives_out_two_half_points_and_no_margin(points: tuple[int, int], forfeiter: int | None) -> None:
    score = score_match(points, forfeiter)
    assert (sum(score.half_points), sum(score.margins)) == (2, 0)


@given(balances, st.sampled_from([0, 1]))
def test_a_forfeit_never_pays(points: tuple[int, int], forfeiter: int) -> None:
    played_on, forfeited = score_match(points), score_match(points, forfeiter)
    assert forfeited.half_points[forfeiter] == 0
    assert forfeited.margins[forfeiter] <= min(played_on.margins[forfeiter], 0)


def test_three_and_four_seats_score_by_place_in_sixths_and_share_places() -> None:
    assert score_match((9, 30, 12)).half_points == (0, 12, 6)
    assert score_match((9, 30, 30)).half_points == (0, 9, 9)
    assert score_match((9, 9, 30)).half_points == (3, 3, 12)
    assert score_match((7, 7, 7)).half_points == (6, 6, 6)
    assert score_match((1, 4, 2, 3)).half_points == (0, 12, 4, 8)
    assert score_match((4, 4, 2, 3)).half_points == (10, 10, 0, 4)
    assert score_match((4, 3, 3, 3)).half_points == (12, 4, 4, 4)
    assert score_match((4, 3, 3, 1)).half_points == (12, 6, 6, 0)
    assert score_match((4, 4, 4, 1)).half_points == (8, 8, 8, 0)


def test_a_margin_is_against_the_mean_of_the_others() -> None:
    assert score_match((30, 12, 7)).margins == (6 * 30 - 3 * 19, 6 * 12 - 3 * 37, 6 * 7 - 3 * 42)
    assert score_match((30, 12, 7, 0)).margins[0] == 6 * 30 - 2 * 19


def test_a_forfeiter_of_three_is_last_and_its_lead_is_gone() -> None:
    assert score_match((30, 12, 7), forfeiter=0) == MatchScore((0, 12, 6), (-3, 6 * 12 - 3 * 16, 6 * 7 - 3 * 21))
    assert score_match((-5, 12, 7), forfeiter=0) == score_match((-5, 12, 7))


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=4), st.data())
def test_a_match_of_any_seats_gives_out_a_half_point_a_seat_and_no_margin(
    points: list[int], data: st.DataObject
) -> None:
    forfeiter = data.draw(st.sampled_from([None, *range(len(points))]))
    score = score_match(points, forfeiter)
    assert (sum(score.half_points), sum(score.margins)) == (len(points) * parts(len(points)), 0)
    assert MatchOutcome(1, 1, 1, tuple("abcd"[: len(points)]), score.half_points, score.margins).plan.board == 1
    if forfeiter is not None:
        played_on = score_match(points)
        assert score.half_points[forfeiter] == 0
        assert score.margins[forfeiter] <= min(played_on.margins[forfeiter], 0)


@pytest.mark.parametrize(
    ("points", "forfeiter"), [((1, 2, 3, 4, 5), None), ((1, 2), 2), ((1, 2, 3), -1), ((1,), 0), ((), None)]
)
def test_a_match_of_other_than_two_to_four_seats_is_refused(points: tuple[int, ...], forfeiter: int | None) -> None:
    with pytest.raises(ResultsError, match="two to four seats"):
        score_match(points, forfeiter)


def test_half_points_decide_a_table_before_margins() -> None:
    games = (outcome(("a", "b"), 1), outcome(("b", "a"), -1), outcome(("a", "b"), -90, board=2))
    assert points(*games) == {"a": 2, "b": 0}
    assert sums(*games) == {"a": (4, -88), "b": (2, 88)}


def test_margins_decide_a_table_of_equal_half_points() -> None:
    games = outcome(("a", "b"), 5), outcome(("b", "a"), 6)
    assert points(*games) == {"a": 0, "b": 2}
    assert sums(*games) == {"a": (2, -1), "b": (2, 1)}


def test_equal_margins_share_a_table() -> None:
    games = outcome(("a", "b"), 6), outcome(("b", "a"), 6)
    assert points(*games) == {"a": 1, "b": 1}
    assert sums(*games) == {"a": (2, 0), "b": (2, 0)}


def test_a_bye_has_the_game_points_of_the_narrowest_win() -> None:
    for boards in (1, 2, 5):
        half_points_of_the_table = 2 * 2 * boards
        assert 2 * bye_game_points(Division(boards=boards)) == half_points_of_the_table + 2


def test_outcomes_can_be_stored_and_read_again() -> None:
    known = outcome(("a", "b"), 3)
    assert msgspec.json.decode(msgspec.json.encode(known), type=MatchOutcome) == known


@pytest.mark.parametrize(
    ("half_points", "margins", "forfeiter"),
    [((2,), (1, -1), None), ((2, 0), (1,), None), ((3, -1), (1, -1), None), ((2, 0), (1, -1), "c")],
)
def test_an_outcome_that_contradicts_itself_is_refused(
    half_points: tuple[int, ...], margins: tuple[int, ...], forfeiter: str | None
) -> None:
    with pytest.raises(ResultsError):
        MatchOutcome(1, 1, 1, ("a", "b"), half_points, margins, "COMPLETED", forfeiter)
