"""Ladders: what ratings start from, and which tables are played next."""

import random
from collections import Counter
from collections.abc import Collection

import msgspec
import pytest

from arena.league.errors import LeagueFileError
from arena.league.ladder import WINDOW
from arena.league.ladder_terms import Start
from arena.league.lots import Lots
from arena.league.reader import parse_league
from arena.league.results import score_plan
from arena.league.rounds import next_round
from arena.league.spec import LeagueSpec, canonical, digest
from arena.league.tables import league_table
from arena.league.values import Entrant, Finished, PlayedRound, RoundPlan


def season_of(more: str = "", start: dict[str, Start] | None = None, variant: str = "koikoi") -> LeagueSpec:
    text = f'name = "evening"\nvariant = "{variant}"\nrounds = 200\nboards = 2\n[ladder]\n{more}'
    return parse_league(text, "evening.toml").season(1, start or {})


def next_tables(spec: LeagueSpec, entrants: Collection[Entrant], rounds: list[PlayedRound]) -> RoundPlan:
    plan = next_round(spec, spec.division(), entrants, rounds)
    assert isinstance(plan, RoundPlan)
    return plan


def played(plan: RoundPlan, strength: dict[str, float], rng: random.Random) -> PlayedRound:
    """The round as bots of such strengths (in Elo) play it."""
    outcomes = []
    for match in plan.matches:
        drawn = [strength[bot] / 400 + rng.gauss(0, 0.7) for bot in match.seating]
        outcomes.append(score_plan(match, [round(10 * one) for one in drawn], "COMPLETED"))
    return plan.close(tuple(outcomes))


def play(spec: LeagueSpec, entrants: list[Entrant], strength: dict[str, float], rounds: int) -> list[PlayedRound]:
    found: list[PlayedRound] = []
    rng = random.Random(7)
    for _ in range(rounds):
        found.append(played(next_tables(spec, entrants, found), strength, rng))
    return found


def meetings(rounds: list[PlayedRound]) -> Counter[frozenset[str]]:
    tables = {(one.number, outcome.table): frozenset(outcome.seating) for one in rounds for outcome in one.outcomes}
    return Counter(tables.values())


def test_bots_that_are_close_meet_more_often_than_those_that_are_far_apart() -> None:
    strength = {"a": 2000.0, "b": 1980.0, "c": 1500.0, "d": 1480.0, "e": 1000.0, "f": 980.0}
    met = meetings(play(season_of("tables = 1"), [Entrant(name) for name in strength], strength, 60))
    close = sum(met[frozenset(pair)] for pair in ("ab", "cd", "ef"))
    assert close > 60 / 2, "of 15 pairs three are close"
    everybody = Counter(name for pair, times in met.items() for name in pair for _ in range(times))
    assert min(everybody.values()) >= 10


def test_a_bot_of_which_nothing_is_known_plays_in_the_next_round() -> None:
    strength = dict.fromkeys("abcdefgh", 1500.0)
    spec = season_of("tables = 1")
    rounds = play(spec, [Entrant(name) for name in strength], strength, 40)
    plan = next_tables(spec, [*map(Entrant, strength), Entrant("new", first_round=41)], rounds)
    assert "new" in plan.tables[0].bots


def test_a_round_has_so_many_tables_and_no_bot_at_two() -> None:
    entrants = [Entrant(f"b{number}") for number in range(9)]
    assert len(next_tables(season_of("tables = 3"), entrants, []).tables) == 3
    plan = next_tables(season_of("tables = 50"), entrants, [])
    assert len(plan.tables) == 4
    assert not plan.byes, "who has no table in a round of a ladder has won nothing by that"
    seated = [bot for table in plan.tables for bot in table.bots]
    assert len(set(seated)) == len(seated) == 8


@pytest.mark.parametrize(("variant", "seats"), [("hachihachi", 3), ("sangohana", 3)])
def test_tables_of_more_than_two_are_filled_with_whom_they_would_tell_most_of(variant: str, seats: int) -> None:
    entrants = [Entrant(f"b{number}") for number in range(8)]
    plan = next_tables(season_of(variant=variant), entrants, [])
    assert [len(table.bots) for table in plan.tables] == [seats, seats]


def test_a_season_ends_where_too_few_bots_are_left() -> None:
    spec = season_of()
    assert isinstance(next_round(spec, spec.division(), [Entrant("a"), Entrant("b", last_round=0)], []), Finished)


def test_owners_have_even_shares_of_the_seats_however_many_bots_they_have() -> None:
    many = [Entrant(f"many{number:02}", owner="many") for number in range(30)]
    few = [Entrant(f"few{number}", owner="few") for number in range(4)]
    others = [Entrant(f"other{number}", owner="other") for number in range(4)]
    entrants = [*many, *few, *others]
    strength = {entrant.name: 1500.0 for entrant in entrants}
    rounds = play(season_of("tables = 3"), entrants, strength, WINDOW)
    of = {entrant.name: entrant.owner for entrant in entrants}
    seats = Counter(of[name] for pair, times in meetings(rounds).items() for name in pair for _ in range(times))
    assert seats.total() == 6 * WINDOW
    assert all(abs(seats[owner] - 2 * WINDOW) <= 1 for owner in ("many", "few", "other"))
    assert all(len({of[name] for name in pair}) == 2 for pair in meetings(rounds)), "owners' bots are kept apart"


def test_what_the_others_leave_is_for_whoever_has_bots() -> None:
    entrants = [Entrant("alone", owner="ann"), *(Entrant(f"b{number}", owner="bob") for number in range(5))]
    plan = next_tables(season_of("tables = 3"), entrants, [])
    assert len(plan.tables) == 3, "bob's bots meet one another where nobody else is left"


def test_the_same_results_give_the_same_tables_whatever_the_order_of_the_bots() -> None:
    entrants = [Entrant(f"b{number}") for number in range(9)]
    strength = {entrant.name: 1500.0 for entrant in entrants}
    spec = season_of("tables = 3")
    rounds = play(spec, entrants, strength, 5)
    assert next_tables(spec, entrants, rounds) == next_tables(spec, entrants[::-1], rounds)


def test_the_table_of_a_season_is_in_the_order_of_the_ratings() -> None:
    spec = season_of(
        "tables = 2", {"d": Start(2100, 10, 400, level=2100, ties={"f": 30}), "f": Start(1200, 10, 400, level=1200)}
    )
    strength = {"a": 1700.0, "b": 1500.0, "c": 1300.0}
    entrants = [Entrant(name) for name in (*strength, "d", "e")]
    rounds = play(spec, entrants[:3], strength, 30)
    [table] = league_table(spec, {"koikoi": (entrants, rounds)}).divisions
    assert [row.name for row in table.standings] == ["d", "a", "b", "c", "e"]
    assert "e" not in table.ratings


def test_what_is_no_ladder_keeps_the_digest_it_had() -> None:
    spec = parse_league('name = "cup"\nentries = ["house:random", "house:greedy"]\n', "cup.toml")
    assert b"ladder" not in canonical(spec)
    assert digest(spec) == "0caaa936f731ffdc9653ab8a00dc3c2321bf39f59d9b817c87753307e9f1ad32"


@pytest.mark.parametrize("sigma", ["0", "-1", "1e300"])
def test_a_season_that_begins_with_a_rating_that_cannot_be_is_refused(sigma: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="sigma"):
        msgspec.json.decode(f'{{"mu": 1500, "sigma": {sigma}}}', type=Start)


@pytest.mark.parametrize("key", ["start = {}", "shared = { sets = 3 }"])
def test_what_is_known_of_bots_comes_from_their_boards_and_from_no_file(key: str) -> None:
    with pytest.raises(LeagueFileError, match="unknown key; known are everybody, tables"):
        season_of(key)


def test_lots_decide_between_tables_that_would_tell_as_much() -> None:
    entrants = [Entrant(f"b{number}") for number in range(6)]
    first = {next_tables(parse(lot), entrants, []).tables[0].bots for lot in "abcdefgh"}
    assert len(first) > 1
    assert Lots("a", "ladder").of("b1") != Lots("b", "ladder").of("b1")


def parse(lot: str) -> LeagueSpec:
    return parse_league(f'name = "evening"\nlot = "{lot}"\n[ladder]\n', "evening.toml").season(1, {})
