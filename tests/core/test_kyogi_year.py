"""A year of kyogi by play: seasons, ginmi, added seasons, safeguards, the source's example."""

import random

import pytest
from koikoi_scene import counter, play

from core_ext import ALL, State

NOBODY = -1


def choose(state: State, winner: int, rng: random.Random) -> str:
    """The winner stops and declares what it can, the other never; cards by chance."""
    legal = state.legal_texts()
    if "stop" in legal:
        return "stop" if state.current_player == winner else "koi"
    if "declare" in legal:
        return "declare" if state.current_player == winner else "pass"
    return rng.choice(legal)


def play_month(state: State, winner: int, rng: random.Random) -> None:
    """Plays a month with all its replays."""
    month = state.month
    while not state.is_over and state.month == month:
        play(state, choose(state, winner, rng))


def play_months(state: State, winners: list[int]) -> State:
    rng = random.Random(1)
    for winner in winners:
        play_month(state, winner, rng)
    return state


def month_ends(state: State) -> list[tuple[str, int, tuple[int, ...]]]:
    """How every month ended, run-outs left out."""
    ends = [event for event in state.events(-1) if event.kind == "month_end" and event.name != "run_out"]
    return [(event.name, event.seat, event.values) for event in ends]


def bonuses(state: State) -> list[tuple[str, int, int]]:
    return [(event.name, event.seat, event.values[event.seat]) for event in state.events(-1) if event.kind == "pay"]


def own_points(state: State) -> list[int]:
    """What the rows of each won month add up to."""
    sums: list[int] = []
    for event in state.events(-1):
        if event.kind == "deal":
            points = 0
        elif event.kind == "score":
            points += event.values[0]
        elif event.kind == "month_end" and event.name == "stop":
            sums.append(points)
    return sums


def test_a_seat_that_wins_all_three_months_of_a_season_gets_5_with_the_third():
    state = play_months(State.new("kyogi", None, "season"), [1, 1, 1])
    ends = month_ends(state)
    assert [(name, winner) for name, winner, _ in ends] == [("stop", 1)] * 3
    paid = [scores[1] for _, _, scores in ends]
    assert [score - own for score, own in zip(paid, own_points(state), strict=True)] == [0, 0, 5]
    assert bonuses(state) == [("kobiki", 1, 5)]


@pytest.mark.parametrize("winners", [[0, 0, 1, 0], [1, 0, 0, 0]])
def test_three_months_won_of_two_seasons_are_no_season(winners):
    assert bonuses(play_months(State.new("kyogi", None, "season"), winners)) == []


def test_r5_a_month_won_after_replays_is_won_once_for_the_season_and_for_the_ginmi():
    state = play_months(State.new("kyogi", None, "replays"), [0] * 2)
    attempts = [event.values[1] for event in state.events(-1) if event.kind == "deal"]
    assert max(attempts) > 0
    assert (counter(state, "months_won", 0), counter(state, "season_won", 0)) == (2, 2)
    assert bonuses(state) == []
    play_months(state, [0])
    assert (counter(state, "months_won", 0), counter(state, "months_won", 1)) == (3, 0)
    assert bonuses(state) == [("kobiki", 0, 5)]


def test_the_years_winner_gets_5_and_1_for_each_month_it_won():
    winners = [0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0]
    state = play_months(State.new("kyogi", None, "year"), winners)
    assert state.is_over
    totals, results = state.balances(), state.returns()
    best = 0 if totals[0] > totals[1] else 1
    assert results[best] == totals[best] + 5 + winners.count(best)
    assert results[1 - best] == totals[1 - best]
    assert bonuses(state) == [("ginmi", best, 5 + winners.count(best))]
    assert state.placing()[best] == 1


def test_r3_equal_totals_add_a_season_whose_winner_has_its_5_and_its_months_in_the_ginmi():
    state = play_months(State.new("kyogi", None, "added"), [NOBODY] * 12)
    assert (state.is_over, state.month, state.balances()) == (False, 13, (0, 0))
    play_months(state, [0] * 3)
    assert state.is_over
    assert state.returns()[0] == sum(own_points(state)) + 5 + 5 + 3
    assert bonuses(state) == [("kobiki", 0, 5), ("ginmi", 0, 8)]


def test_the_ginmi_is_not_counted_when_totals_are_compared():
    state = play_months(State.new("kyogi", None, "added"), [NOBODY] * 12 + [0, NOBODY, NOBODY])
    assert state.is_over
    assert state.returns()[0] == state.balances()[0] + 6


def test_r4_after_eight_added_seasons_an_equal_year_is_a_draw_without_ginmi():
    state = play_months(State.new("kyogi", None, "draw"), [NOBODY] * 36)
    assert state.is_over
    assert (state.month, state.returns(), state.placing()) == (36, (0, 0), (1, 1))
    assert [name for name, _, _ in month_ends(state)] == ["safeguard"] * 36
    last = state.events(ALL)[-1]
    assert (last.kind, last.name) == ("match_end", "safeguard")
    attempts = [event.values for event in state.events(-1) if event.kind == "deal"]
    assert attempts == [(month, attempt) for month in range(1, 37) for attempt in range(21)]


EXAMPLE = [(0, 1), (0, 2), (1, 4), (0, 1), (0, 3), (0, 6), (1, 1), (0, 6), (1, 12), (0, 2), (0, 6), (1, 9)]
"""The source's example year, season by season: who won each month, and with how much."""


def won_as_wanted(state: State, winner: int, points: int, rng: random.Random) -> bool:
    """Plays the deal at random, stopping it for the winner at these points alone; whether that came about."""
    place = (state.month, state.attempt)
    before = state.balances()
    while not state.is_over and (state.month, state.attempt) == place:
        legal = state.legal_texts()
        seat = state.current_player
        if "stop" in legal:
            play(state, "stop" if seat == winner and counter(state, "points", seat) == points else "koi")
        else:
            play(state, "pass" if "pass" in legal else rng.choice(legal))
    season = 5 if place[0] % 3 == 0 and points == 6 else 0
    gained = state.balances()[winner] - before[winner]
    return (state.is_over or state.month == place[0] + 1) and gained in (points, points + season)


def test_r6_the_sources_example_year_ends_45_to_26():
    rng = random.Random(6)
    state = State.new("kyogi", None, "example/49")
    for winner, points in EXAMPLE:
        tries = (state.clone() for _ in range(400))
        state = next(game for game in tries if won_as_wanted(game, winner, points, rng))
    assert state.is_over
    assert state.balances() == (32, 26)
    assert state.returns() == (45, 26)
    assert bonuses(state) == [("kobiki", 0, 5), ("ginmi", 0, 13)]
    assert state.placing() == (1, 2)
