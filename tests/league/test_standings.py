"""Standings of a Swiss league: points, then tie-breaks as FIDE defines them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from league_events import play_round, won_from_each_other

from arena.league.columns import Columns
from arena.league.reader import parse_league
from arena.league.results import score_match
from arena.league.rounds import next_round
from arena.league.spec import Division
from arena.league.standings import HeadToHead, Standing, final_table, head_to_head, separate
from arena.league.values import Entrant, MatchOutcome, PlayedRound, RoundPlan

ONE_BOARD = Division(boards=1)


def round_of(number: int, *tables: str, bye: str | None = None) -> PlayedRound:
    """A round of tables such as `a5b`: a wins by 5 in both games of one board; `a=b` is drawn."""
    outcomes = []
    for table, text in enumerate(tables, start=1):
        first, second = text[0], text[-1]
        margin = 0 if text[1] == "=" else int(text[1:-1])
        for seating, ahead in (((first, second), margin), ((second, first), -margin)):
            score = score_match((ahead, 0))
            outcomes.append(MatchOutcome(number, table, table, seating, score.half_points, score.margins))
    return PlayedRound(number, () if bye is None else (bye,), tuple(outcomes))


def table_of_games(number: int, first: str, second: str, *margins: int) -> tuple[MatchOutcome, ...]:
    """The only table of a round: the first bot's margin in each game."""
    scores = [score_match((margin, 0)) for margin in margins]
    return tuple(
        MatchOutcome(number, 1, game, (first, second), score.half_points, score.margins)
        for game, score in enumerate(scores, start=1)
    )


def table_of(bots: str, *rounds: PlayedRound, lot: str = "lot") -> dict[str, Standing]:
    entries = ", ".join(f'"{name}"' for name in bots)
    spec = parse_league(f'name = "spring"\nlot = "{lot}"\nboards = 1\nentries = [{entries}]', "league.toml")
    rows = final_table(spec, spec.division(), [Entrant(name) for name in bots], rounds)
    assert [row.rank for row in rows] == list(range(1, len(bots) + 1))
    return {row.name: row for row in rows}


def test_a_table_worked_out_by_hand() -> None:
    rows = table_of(
        "abcd",
        round_of(1, "a5b", "c3d"),
        round_of(2, "a1c", "b=d"),
        round_of(3, "d2a", "b9c"),
    )
    # match points: a 4, b 3, c 2, d 3
    assert list(rows) == ["a", "d", "b", "c"]
    assert rows["a"] == Standing(1, "a", 4, 8, 6, 8, 5 * 2 - 0, 1, 8, 6, 4, 0, 2, 0, 0, 4 / 3)
    assert (rows["b"].match_points, rows["b"].buchholz, rows["b"].sonneborn_berger) == (3, 4 + 3 + 2, 1 * 3 + 2 * 2)
    assert (rows["d"].match_points, rows["d"].buchholz, rows["d"].sonneborn_berger) == (3, 2 + 3 + 4, 1 * 3 + 2 * 4)
    assert (rows["c"].match_points, rows["c"].buchholz, rows["c"].buchholz_cut_1) == (2, 3 + 4 + 3, 7)
    assert [rows[name].margin for name in "abcd"] == [8, 8, -14, -2]
    assert (rows["b"].won, rows["b"].drawn, rows["b"].lost, rows["b"].played) == (2, 2, 2, 6)


def test_a_bye_is_a_won_meeting_with_a_dummy_of_the_bots_own_score() -> None:
    rows = table_of("abc", round_of(1, "a5b", bye="c"), round_of(2, "c5a", bye="b"))
    # c: 4 points, more than a draw a round, so its dummy has 2; it beat a, who has 2
    assert (rows["c"].match_points, rows["c"].buchholz, rows["c"].sonneborn_berger) == (4, 2 + 2, 2 * 2 + 2 * 2)
    # b: 2 points, its dummy has 2; it lost to a, who has 2
    assert (rows["b"].match_points, rows["b"].buchholz, rows["b"].sonneborn_berger) == (2, 2 + 2, 0 * 2 + 2 * 2)
    assert (rows["c"].game_points, rows["c"].byes, rows["c"].played, rows["c"].margin) == (3 + 4, 1, 2, 10)


def test_rounds_missed_after_withdrawing_count_as_draws_for_the_opponents() -> None:
    rows = table_of("abcd", round_of(1, "a5b", "c5d"), round_of(2, "a5c", bye="d"), round_of(3, "d5c", bye="a"))
    # b left after round 1 with 0 points: a sees it with 0 + 1 + 1
    assert rows["a"].buchholz == 2 + rows["c"].match_points + min(rows["a"].match_points, 3)
    assert (rows["b"].match_points, rows["b"].buchholz) == (0, rows["a"].match_points + 0 + 0)


def test_the_cut_takes_a_missed_round_before_the_least_opponent() -> None:
    rows = table_of("abcd", round_of(1, "a5b", "c5d"), round_of(2, "a5d", bye="c"))
    # b missed round 2; its dummy has b's 0 points, its opponent a has 4
    assert (rows["b"].buchholz, rows["b"].buchholz_cut_1) == (4, 4)
    late = table_of("abcd", round_of(1, "a5b", bye="c"), round_of(2, "d5b", "a5c"), round_of(3, "d5c", "a5b"))
    # d missed round 1; its dummy has 3 points (d has 4, a draw a round is 3), b has 0, c has 2
    assert (late["d"].buchholz, late["d"].buchholz_cut_1) == (3 + 0 + 2, 0 + 2)


def test_bots_that_scored_the_same_against_each_other_share_the_direct_encounter() -> None:
    rounds = (round_of(1, "a1b", "c1d"), round_of(2, "b1c", "d1a"), round_of(3, "a=c", "b=d"))
    rows = table_of("abcd", *rounds)
    assert {(row.match_points, row.game_points, row.buchholz, row.sonneborn_berger) for row in rows.values()} == {
        (3, 6, 9, 9)
    }
    assert [row.direct_encounter for row in rows.values()] == [1, 1, 1, 1], "each scored 3 against the others"


@pytest.mark.parametrize(("winner", "loser"), [("a", "b"), ("b", "a")])
def test_direct_encounter_decides_before_the_margin(winner: str, loser: str) -> None:
    rows = table_of(
        "abc",
        PlayedRound(1, ("c",), table_of_games(1, winner, loser, 1, 0)),
        PlayedRound(2, (loser,), table_of_games(2, "c", winner, 1, 1)),
        PlayedRound(3, (winner,), table_of_games(3, loser, "c", 10, -1)),
    )
    first, second = rows[winner], rows[loser]
    for tie_break in ("match_points", "game_points", "buchholz_cut_1", "buchholz", "sonneborn_berger"):
        assert getattr(first, tie_break) == getattr(second, tie_break)
    assert (first.direct_encounter, second.direct_encounter, rows["c"].direct_encounter) == (1, 2, 1)
    assert first.margin < second.margin
    assert (first.rank, second.rank, rows["c"].rank) == (2, 3, 1)


def test_bots_that_all_beat_each_other_in_turn_stay_equal_until_the_margin() -> None:
    rows = table_of("abc", round_of(1, "a2b", bye="c"), round_of(2, "b4c", bye="a"), round_of(3, "c1a", bye="b"))
    assert {row.direct_encounter for row in rows.values()} == {1}
    assert [(row.name, row.margin) for row in rows.values()] == [("b", 4), ("a", 2), ("c", -6)]


def test_of_bots_that_have_not_all_met_only_one_that_none_can_reach_comes_first() -> None:
    found = won_from_each_other("abc", (round_of(1, "a1b", bye="c"),))
    assert separate(["a", "b", "c"], found) == [["a", "b", "c"]], "c could still beat a and b"
    found = won_from_each_other("abc", (round_of(1, "a1c", bye="b"), round_of(2, "a=b", bye="c")))
    assert separate(["a", "b", "c"], found) == [["a", "b", "c"]], "b could still beat c and be equal to a"
    found = won_from_each_other("abc", (round_of(1, "a1b", bye="c"), round_of(2, "a1c", bye="b")))
    assert separate(["a", "b", "c"], found) == [["a"], ["b", "c"]]
    found = won_from_each_other(
        "abc", (round_of(1, "a1b", bye="c"), round_of(2, "a1c", bye="b"), round_of(3, "c1b", bye="a"))
    )
    assert separate(["a", "b", "c"], found) == [["a"], ["c"], ["b"]]


def test_several_meetings_of_two_bots_count_as_their_mean() -> None:
    found = won_from_each_other("ab", (round_of(1, "a1b"), round_of(2, "a=b"), round_of(3, "b1a")))
    assert separate(["a", "b"], found) == [["a", "b"]]
    found = won_from_each_other("ab", (round_of(1, "a1b"), round_of(2, "b=a")))
    assert separate(["b", "a"], found) == [["a"], ["b"]]
    meetings = (round_of(1, "a1b", bye="c"), round_of(2, "b1c", bye="a"), round_of(3, "c1a", bye="b"))
    found = won_from_each_other("abc", (*meetings, round_of(4, "a1b", bye="c")))
    assert separate(["a", "b", "c"], found) == [["a", "b", "c"]], "to have won twice is to have won"


def test_a_lot_that_does_not_depend_on_the_order_of_entry_decides_at_last() -> None:
    drawn = round_of(1, "a=b", "c=d")
    orders = {tuple(table_of("abcd", drawn, lot=str(lot))) for lot in range(20)}
    assert len(orders) > 5
    assert tuple(table_of("dcba", drawn)) == tuple(table_of("abcd", drawn))


def test_a_forfeited_match_is_counted_to_the_bot_at_fault() -> None:
    outcomes = (
        MatchOutcome(1, 1, 1, ("a", "b"), (0, 2), (0, 0), "TIMEOUT", "a"),
        MatchOutcome(1, 1, 1, ("b", "a"), (2, 0), (4, -4)),
    )
    rows = table_of("ab", PlayedRound(1, (), outcomes))
    assert (rows["a"].forfeits, rows["a"].lost, rows["a"].margin, rows["b"].match_points) == (1, 2, -4, 2)


def test_before_the_first_round_every_bot_stands_at_nothing() -> None:
    rows = table_of("abc")
    assert {(row.match_points, row.buchholz, row.buchholz_cut_1, row.played) for row in rows.values()} == {(0, 0, 0, 0)}


def test_head_to_head_adds_up_all_meetings_of_two_bots() -> None:
    rounds = (round_of(1, "a5b", bye="c"), round_of(2, "b2a", bye="c"), round_of(3, "a=c", bye="b"))
    assert head_to_head(Columns([[outcome for played in rounds for outcome in played.outcomes]])) == (
        HeadToHead("a", "b", 2, 2, 4, 6),
        HeadToHead("a", "c", 1, 1, 2, 0),
        HeadToHead("b", "a", 2, 2, 4, -6),
        HeadToHead("c", "a", 1, 1, 2, 0),
    )


@given(st.integers(2, 14), st.integers(1, 6), st.integers(0, 2**32), st.data())
def test_the_table_adds_up_and_does_not_depend_on_the_order_of_anything(
    bots: int, rounds: int, seed: int, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    names = [f"bot{index}" for index in range(bots)]
    strength = {name: rng.randint(-6, 6) for name in names}
    spec = parse_league(f'name = "spring"\nrounds = {rounds}\nboards = 2\nentries = {names}', "league.toml")
    entrants = [
        Entrant(name, first_round=data.draw(st.sampled_from([1, 1, 1, 2])) if index > 1 else 1)
        for index, name in enumerate(names)
    ]
    played: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, spec.division(), entrants, played), RoundPlan):
        played.append(play_round(plan, strength, rng))
    rows = final_table(spec, spec.division(), entrants, played)
    tables = sum(len({outcome.table for outcome in done.outcomes}) for done in played)
    byes = sum(len(done.byes) for done in played)
    assert sum(row.match_points for row in rows) == 2 * (tables + byes)
    assert sum(row.game_points for row in rows) == 8 * tables + 5 * byes
    assert sum(row.margin for row in rows) == 0
    assert sum(row.byes for row in rows) == byes
    assert sum(row.won for row in rows) == sum(row.lost for row in rows)
    assert all(row.played == row.won + row.drawn + row.lost for row in rows)
    keys = [(-row.match_points, -row.game_points, -row.buchholz_cut_1, -row.buchholz) for row in rows]
    assert keys == sorted(keys)
    shuffled = data.draw(st.permutations(entrants))
    turned = [PlayedRound(done.number, done.byes, done.outcomes[::-1]) for done in played]
    assert final_table(spec, spec.division(), shuffled, turned) == rows
