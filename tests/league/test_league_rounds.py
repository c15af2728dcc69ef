"""A league's rounds follow from its entrants and results alone, whoever comes and goes."""

import random

import msgspec
import pytest
from league_events import play_round

from arena.league.errors import ResultsError
from arena.league.history import contenders
from arena.league.reader import parse_league
from arena.league.rounds import next_round
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, Finished, MatchPlan, PlayedRound, RoundPlan

STRENGTH = {name: 3 * place for place, name in enumerate("abcdefghi")}


def league(bots: str, rounds: int = 5, boards: int = 2) -> tuple[LeagueSpec, Division]:
    entries = ", ".join(f'"{name}"' for name in bots)
    text = f'name = "spring"\nrounds = {rounds}\nboards = {boards}\nentries = [{entries}]'
    spec = parse_league(text, "league.toml")
    return spec, spec.division()


def planned(spec: LeagueSpec, entrants: list[Entrant], rounds: list[PlayedRound]) -> RoundPlan:
    plan = next_round(spec, spec.division(), entrants, rounds)
    assert isinstance(plan, RoundPlan)
    return plan


def names(plan: RoundPlan) -> list[str]:
    return sorted([name for table in plan.tables for name in table.bots] + list(plan.byes))


def test_every_round_seats_every_bot_once_until_all_rounds_are_played() -> None:
    spec, division = league("abcdefg")
    entrants = [Entrant(name) for name in "abcdefg"]
    rounds: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, division, entrants, rounds), RoundPlan):
        assert plan.number == len(rounds) + 1
        assert names(plan) == list("abcdefg")
        rounds.append(play_round(plan, STRENGTH, random.Random(plan.number)))
    assert plan == Finished("every round is played")
    assert len({played.byes for played in rounds}) == 5
    meetings = [frozenset(outcome.seating) for played in rounds for outcome in played.outcomes]
    assert all(meetings.count(pair) == 4 for pair in meetings), "two boards in two orders, and nobody meets again"


def test_each_table_has_boards_of_its_own_played_in_both_orders() -> None:
    spec, _ = league("abcd", boards=2)
    plan = planned(spec, [Entrant(name) for name in "abcd"], [])
    for table in plan.tables:
        one, other = table.bots
        first = 2 * table.number - 1
        assert table.matches == (
            MatchPlan(1, table.number, first, (one, other)),
            MatchPlan(1, table.number, first, (other, one)),
            MatchPlan(1, table.number, first + 1, (one, other)),
            MatchPlan(1, table.number, first + 1, (other, one)),
        )
    assert sorted({match.board for match in plan.matches}) == [1, 2, 3, 4]


def test_the_same_results_give_the_same_plan_in_whatever_order_entrants_come() -> None:
    spec, _ = league("abcdefg")
    entrants = [Entrant(name) for name in "abcdefg"]
    rounds = [play_round(planned(spec, entrants, []), STRENGTH, random.Random(1))]
    assert planned(spec, entrants[::-1], rounds) == planned(spec, entrants, rounds)


def test_plans_and_rounds_can_be_stored_and_read_again() -> None:
    spec, _ = league("abc")
    plan = planned(spec, [Entrant(name) for name in "abc"], [])
    played = play_round(plan, STRENGTH, random.Random(1))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(plan), type=RoundPlan) == plan
    assert msgspec.json.decode(msgspec.json.encode(played), type=PlayedRound) == played


def test_a_bot_that_withdrew_is_no_longer_paired_and_a_late_one_is() -> None:
    spec, _ = league("abcde")
    entrants = [Entrant("a"), Entrant("b"), Entrant("c"), Entrant("d", last_round=1), Entrant("e", first_round=2)]
    first = planned(spec, entrants, [])
    second = planned(spec, entrants, [play_round(first, STRENGTH, random.Random(1))])
    assert (names(first), names(second)) == (list("abcd"), list("abce"))


def test_a_league_with_one_bot_left_is_over() -> None:
    spec, division = league("ab")
    entrants = [Entrant("a"), Entrant("b", last_round=1)]
    rounds = [play_round(planned(spec, entrants, []), STRENGTH, random.Random(1))]
    assert next_round(spec, division, entrants, rounds) == Finished("fewer than two bots are left to play")


def test_a_bot_floats_by_the_scores_before_the_round_and_a_bye_floats_down() -> None:
    spec, division = league("abcde", boards=1)
    entrants = [Entrant(name) for name in "abcde"]
    rounds: list[PlayedRound] = []
    for number in range(1, 4):
        scores = {bot.name: bot.score for bot in contenders("abcde", division, rounds)}
        plan = planned(spec, entrants, rounds)
        rounds.append(play_round(plan, STRENGTH, random.Random(number)))
        expected = dict.fromkeys(plan.byes, -1)
        for one, other in (table.bots for table in plan.tables):
            expected[one] = (scores[one] < scores[other]) - (scores[one] > scores[other])
            expected[other] = -expected[one]
        assert {bot.name: bot.floated for bot in contenders("abcde", division, rounds)} == expected
    assert len({played.byes for played in rounds}) == 3


def test_a_bot_that_missed_the_last_round_did_not_float_in_it() -> None:
    found = contenders("ab", Division(), [PlayedRound(1, ("a",), ()), PlayedRound(2, ("b",), ())])
    assert {bot.name: (bot.floated, bot.byes, bot.score) for bot in found} == {
        "a": (0, 1, 2),
        "b": (-1, 1, 2),
    }


def test_a_round_closes_only_with_one_outcome_for_each_match() -> None:
    spec, _ = league("abcd")
    plan = planned(spec, [Entrant(name) for name in "abcd"], [])
    played = play_round(plan, STRENGTH, random.Random(1))
    assert plan.close(played.outcomes[::-1]) == played
    with pytest.raises(ResultsError, match="lacks the outcome of 1 matches"):
        plan.close(played.outcomes[1:])
    with pytest.raises(ResultsError, match="more than one outcome"):
        plan.close((*played.outcomes, played.outcomes[0]))
    with pytest.raises(ResultsError, match="did not plan"):
        plan.close((*played.outcomes, msgspec.structs.replace(played.outcomes[0], board=99)))
