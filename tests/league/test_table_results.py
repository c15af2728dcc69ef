import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.errors import ResultsError
from arena.league.results import MatchScore, TableResult, bye_game_points, score_match, table_results
from arena.league.values import MatchOutcome, PlayedRound

balances = st.tuples(st.integers(-500, 500), st.integers(-500, 500))


def outcome(seating: tuple[str, str], margin: int, board: int = 1) -> MatchOutcome:
    score = score_match((margin, 0))
    return MatchOutcome(1, 1, board, seating, score.half_points, score.margins)


def result(*outcomes: MatchOutcome) -> TableResult:
    (table,) = table_results(PlayedRound(1, None, outcomes))
    return table


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


@pytest.mark.parametrize(("points", "forfeiter"), [((1, 2, 3), None), ((1, 2), 2), ((1,), 0)])
def test_a_match_of_other_than_two_seats_is_refused(points: tuple[int, ...], forfeiter: int | None) -> None:
    with pytest.raises(ResultsError, match="two seats"):
        score_match(points, forfeiter)


def test_half_points_decide_a_table_before_margins() -> None:
    table = result(outcome(("a", "b"), 1), outcome(("b", "a"), -1), outcome(("a", "b"), -90, board=2))
    assert (table.bots, table.match_points, table.game_points, table.margins) == (("a", "b"), (2, 0), (4, 2), (-88, 88))


def test_margins_decide_a_table_of_equal_half_points() -> None:
    table = result(outcome(("a", "b"), 5), outcome(("b", "a"), 6))
    assert (table.match_points, table.game_points, table.margins) == ((0, 2), (2, 2), (-1, 1))


def test_equal_margins_share_a_table() -> None:
    table = result(outcome(("a", "b"), 6), outcome(("b", "a"), 6))
    assert (table.match_points, table.game_points, table.margins) == ((1, 1), (2, 2), (0, 0))


def test_a_stranger_at_a_table_is_refused() -> None:
    with pytest.raises(ResultsError, match="seats others too"):
        result(outcome(("a", "b"), 1), outcome(("a", "c"), 1))


def test_a_bye_has_the_game_points_of_the_narrowest_win() -> None:
    for boards in (1, 2, 5):
        half_points_of_the_table = 2 * 2 * boards
        assert 2 * bye_game_points(boards) == half_points_of_the_table + 2


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
