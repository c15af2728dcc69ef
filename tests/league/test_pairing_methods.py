"""Round robin and knock-out: who meets whom, who sits out, and who comes out ahead."""

import random
from collections import Counter
from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from league_events import play_league, play_round

from arena.league.all_round import places
from arena.league.errors import LeagueFileError, PairingError, ResultsError
from arena.league.methods.knock_out import bracket_order
from arena.league.methods.method import Event
from arena.league.methods.registry import PAIRINGS
from arena.league.methods.round_robin import berger
from arena.league.reader import parse_league
from arena.league.rounds import next_round
from arena.league.spec import LeagueSpec, digest
from arena.league.standings import final_table
from arena.league.tables import league_table
from arena.league.values import Entrant, Finished, MatchOutcome, PlayedRound, RoundPlan


def league(keys: str, bots: int = 0, variant: str = "koikoi") -> LeagueSpec:
    entries = [f"bot{number}" for number in range(bots)]
    text = f'name = "spring"\nvariant = "{variant}"\nboards = 1\nentries = {entries}\n{keys}\n'
    return parse_league(text, "league.toml", takes_entries=True)


def field(bots: int) -> list[Entrant]:
    return [Entrant(f"bot{number}") for number in range(bots)]


def strength_of(entrants: list[Entrant], step: int = 100) -> dict[str, int]:
    """So far apart that the stronger bot always wins; the last one is the strongest."""
    return {entrant.name: step * place for place, entrant in enumerate(entrants)}


def played(
    spec: LeagueSpec, entrants: list[Entrant], strength: dict[str, int] | None = None
) -> tuple[list[RoundPlan], list[PlayedRound], Finished]:
    """Every plan and round of the league, and why it was over."""
    plans: list[RoundPlan] = []
    rounds: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, spec.division(), entrants, rounds), RoundPlan):
        plans.append(plan)
        rounds.append(play_round(plan, strength or strength_of(entrants), random.Random(plan.number)))
    return plans, rounds, plan


def meetings(plans: list[RoundPlan]) -> Counter[frozenset[str]]:
    return Counter(frozenset(table.bots) for plan in plans for table in plan.tables)


def everybody(bots: int) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations([entrant.name for entrant in field(bots)], 2)}


def ranking(spec: LeagueSpec, entrants: list[Entrant], rounds: list[PlayedRound]) -> list[str]:
    table = league_table(spec, {"koikoi": (entrants, rounds)}).divisions[0]
    assert [row.rank for row in table.standings] == list(range(1, len(entrants) + 1))
    return [row.name for row in table.standings]


# -- round robin ----------------------------------------------------------------------------------------------------


def test_the_rounds_are_those_of_the_berger_table_for_six() -> None:
    """FIDE Handbook C.05, annex 1."""
    assert [{frozenset(pair) for pair in berger(6, number)} for number in range(1, 6)] == [
        {frozenset(pair) for pair in pairs}
        for pairs in (
            [(1, 6), (2, 5), (3, 4)],
            [(6, 4), (5, 3), (1, 2)],
            [(2, 6), (3, 1), (4, 5)],
            [(6, 5), (1, 4), (2, 3)],
            [(3, 6), (4, 2), (5, 1)],
        )
    ]


@settings(max_examples=settings().max_examples // 4)
@given(st.integers(2, 13), st.integers(1, 3))
def test_in_a_round_robin_everybody_meets_everybody_equally_often(bots: int, times: int) -> None:
    cycle = bots - 1 + bots % 2
    spec = league(f'pairing = "round-robin"\nrounds = {times * cycle}')
    plans, _, _ = played(spec, field(bots))
    assert meetings(plans) == dict.fromkeys(everybody(bots), times)
    assert len(plans) == times * cycle
    for plan in plans:
        assert sorted([name for table in plan.tables for name in table.bots] + list(plan.byes)) == sorted(
            entrant.name for entrant in field(bots)
        )
    byes = Counter(name for plan in plans for name in plan.byes)
    assert byes == (dict.fromkeys((entrant.name for entrant in field(bots)), times) if bots % 2 else {})


def test_a_round_robin_ends_when_no_further_cycle_fits_into_its_rounds() -> None:
    plans, _, over = played(league('pairing = "round-robin"\nrounds = 8'), field(4))
    assert meetings(plans) == dict.fromkeys(everybody(4), 2)
    assert (len(plans), over) == (6, Finished("every bot has met all the others that stayed"))


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_who_would_meet_a_bot_that_has_withdrawn_has_a_bye(data: st.DataObject) -> None:
    bots = data.draw(st.integers(3, 9))
    last = data.draw(st.lists(st.none() | st.integers(0, bots), min_size=bots, max_size=bots))
    entrants = [Entrant(f"bot{number}", 1, there) for number, there in enumerate(last)]
    stay = {entrant.name for entrant in entrants if entrant.last_round is None}
    plans, _, _ = played(league(f'pairing = "round-robin"\nrounds = {bots}'), entrants)
    found = meetings(plans)
    assert set(found.values()) <= {1}
    if len(stay) > 1:
        assert {frozenset(pair) for pair in combinations(stay, 2)} <= found.keys()
    for plan in plans:
        assert plan.tables
        there = {entrant.name for entrant in entrants if entrant.plays(1) and entrant.plays(plan.number)}
        assert sorted([name for table in plan.tables for name in table.bots] + list(plan.byes)) == sorted(there)


def test_a_round_robin_of_more_bots_than_its_rounds_can_hold_is_never_paired() -> None:
    spec = league('pairing = "round-robin"\nrounds = 5')
    assert isinstance(next_round(spec, spec.division(), field(6), []), RoundPlan)
    with pytest.raises(PairingError, match="a round robin of 7 bots takes 7 rounds, not 5"):
        next_round(spec, spec.division(), field(7), [])


def test_the_pairing_numbers_are_drawn_by_the_leagues_lot() -> None:
    spec = league('pairing = "round-robin"\nrounds = 7')
    draws = {played(msgspec.structs.replace(spec, lot=str(lot)), field(8))[0][0].tables[0].bots for lot in range(8)}
    assert len(draws) > 1
    assert played(spec, field(8))[0] == played(spec, field(8)[::-1])[0]


# -- knock-out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", range(2, 18))
def test_in_a_bracket_of_any_size_the_strongest_comes_out_first_and_better_seeds_meet_later(bots: int) -> None:
    rounds = (bots - 1).bit_length()
    spec = league(f'pairing = "knock-out"\nbracket = {bots}\nrounds = {rounds}')
    entrants = field(bots)
    seeds = [row.name for row in final_table(spec, spec.division(), entrants, [])]
    strength = {name: -100 * seed for seed, name in enumerate(seeds)}
    plans, results, _ = played(spec, entrants, strength)
    assert len(plans) == rounds
    assert sorted(plans[0].byes) == sorted(seeds[: 2**rounds - bots]), "the best seeds have the byes"
    assert sum(len(plan.tables) for plan in plans) == bots - 1
    for left, plan in enumerate(reversed(plans)):
        there = {name for table in plan.tables for name in table.bots} | set(plan.byes)
        assert there == set(seeds[: 2 ** (left + 1)]), "the better seeds go on"
    found = ranking(spec, entrants, results)
    assert found == seeds


def test_the_order_of_a_bracket_keeps_the_best_seeds_apart() -> None:
    assert bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for bots in range(2, 65):
        order = bracket_order(bots)
        assert sorted(order) == list(range(1, len(order) + 1))
        for size in (2**power for power in range(1, len(order).bit_length())):
            best = [min(order[at : at + len(order) // size]) for at in range(0, len(order), len(order) // size)]
            assert sorted(best) == list(range(1, size + 1))


def test_a_swiss_seeds_the_bracket_and_the_others_keep_their_places_in_it() -> None:
    spec = league('pairing = "knock-out"\nbracket = 4\nrounds = 5')
    entrants = field(9)
    plans, rounds, over = played(spec, entrants)
    assert (len(plans), over) == (5, Finished("every round is played"))
    swiss = league("rounds = 3")
    alike = played(swiss, entrants)[0]
    assert [plan.tables for plan in plans[:3]] == [plan.tables for plan in alike]
    before = [row.name for row in final_table(spec, spec.division(), entrants, rounds[:3])]
    assert [table.bots for table in plans[3].tables] == [(before[0], before[3]), (before[1], before[2])]
    assert plans[3].byes == plans[4].byes == ()
    found = ranking(spec, entrants, rounds)
    assert found[0] == "bot8"
    assert set(found[:2]) == set(plans[4].tables[0].bots)
    assert found[4:] == before[4:]
    assert ranking(spec, entrants, rounds[:3]) == before, "the bracket has not begun"


def drawn(plan: RoundPlan) -> PlayedRound:
    """The round with every match drawn at 0 points."""
    return plan.close(
        tuple(
            MatchOutcome(match.round, match.table, match.board, match.seating, (1, 1), (0, 0)) for match in plan.matches
        )
    )


def test_a_drawn_table_of_the_bracket_is_decided_by_the_lot_and_the_places_follow_the_bracket() -> None:
    champions = set()
    for lot in range(12):
        spec = league(f'pairing = "knock-out"\nbracket = 4\nrounds = 2\nlot = "{lot}"')
        entrants = field(4)
        rounds: list[PlayedRound] = []
        while isinstance(plan := next_round(spec, spec.division(), entrants, rounds), RoundPlan):
            rounds.append(drawn(plan))
        table = league_table(spec, {"koikoi": (entrants, rounds)})
        first, second, *others = [row.name for row in table.divisions[0].standings]
        assert {first, second} == set(rounds[1].outcomes[0].seating)
        shares = {row.name: row.points for row in table.all_round}
        assert (shares[first], shares[second]) == (1, pytest.approx(2 / 3))
        assert [shares[name] for name in others] == [pytest.approx(1 / 6)] * 2, "both are out in the semi-finals"
        champions.add(first == min(first, second))
    assert champions == {True, False}


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_withdrawals_leave_a_bracket_that_is_played_to_its_end(data: st.DataObject) -> None:
    bots = data.draw(st.integers(2, 12))
    swiss = data.draw(st.integers(0, 2))
    bracket = data.draw(st.integers(2, bots)) if swiss else bots
    rounds = swiss + (bracket - 1).bit_length()
    last = data.draw(st.lists(st.none() | st.integers(0, rounds), min_size=bots, max_size=bots))
    entrants = [Entrant(f"bot{number}", 1, there) for number, there in enumerate(last)]
    spec = league(f'pairing = "knock-out"\nbracket = {bracket}\nrounds = {rounds}')
    plans, results, _ = played(spec, entrants)
    assert len(plans) <= rounds
    for plan in plans:
        seated = [name for table in plan.tables for name in table.bots]
        there = {entrant.name for entrant in entrants if entrant.plays(plan.number)}
        assert plan.tables
        assert len({*seated, *plan.byes}) == len(seated) + len(plan.byes)
        assert {*seated, *plan.byes} <= there
    found = ranking(spec, entrants, results)
    stayed = [entrant.name for entrant in entrants if entrant.last_round is None]
    if len(plans) > swiss and len(stayed) == len(entrants):
        assert found[0] == max(plans[-1].tables[0].bots, key=strength_of(entrants).__getitem__)


def test_a_late_bot_plays_the_swiss_rounds_and_none_of_the_bracket_begins_with_it() -> None:
    spec = league('pairing = "knock-out"\nbracket = 2\nrounds = 3')
    entrants = [*field(4), Entrant("bot4", 2)]
    plans, rounds, _ = played(spec, entrants, {**strength_of(field(4), -100), "bot4": 1000})
    assert "bot4" not in str(plans[0])
    assert any("bot4" in table.bots for table in plans[1].tables) or "bot4" in plans[1].byes
    assert len(rounds) == 3


def test_a_bracket_round_without_the_table_that_it_needs_is_an_error() -> None:
    spec = league('pairing = "knock-out"\nbracket = 4\nrounds = 2')
    plan = next_round(spec, spec.division(), field(4), [])
    assert isinstance(plan, RoundPlan)
    whole = drawn(plan)
    cut = PlayedRound(1, (), tuple(outcome for outcome in whole.outcomes if outcome.table == 1))
    with pytest.raises(ResultsError, match="round 1 has no result of the table of"):
        next_round(spec, spec.division(), field(4), [cut])


# -- the key --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "line", "key", "reason"),
    [
        ('pairing = "swis"', 5, "pairing", "unknown pairing 'swis'; did you mean 'swiss'?"),
        ('pairing = ""', 5, "pairing", "unknown pairing ''"),
        ('pairing = "pods"', 5, "pairing", "pods seats 3 or 4 bots at a table, not 2"),
        ('pairing = "knock-out"', 5, "pairing", "needs the key bracket"),
        ('pairing = "knock-out"\nbracket = 1', 6, "bracket", "must be a whole number from 2 to 1000, not 1"),
        ('pairing = "knock-out"\nbracket = 9\nrounds = 3', 7, "rounds", "a bracket of 9 bots takes 4 rounds, not 3"),
        ('pairing = "knock-out"\nbracket = 64', 5, "pairing", "a bracket of 64 bots takes 6 rounds, not 5"),
        ('pairing = "round-robin"\nbracket = 4', 6, "bracket", "round-robin has no bracket"),
        ("bracket = 4", 5, "bracket", "swiss has no bracket"),
    ],
)
def test_a_pairing_that_cannot_be_is_refused_with_its_line_and_key(keys: str, line: int, key: str, reason: str) -> None:
    with pytest.raises(LeagueFileError) as caught:
        league(keys)
    assert (caught.value.line, caught.value.key) == (line, key)
    assert reason in caught.value.reason


@pytest.mark.parametrize("pairing", ["round-robin", "knock-out", "swiss"])
def test_only_pods_have_three_seats(pairing: str) -> None:
    with pytest.raises(LeagueFileError, match=f"{pairing} seats 2 bots at a table, not 3") as caught:
        league(f'pairing = "{pairing}"', variant="sangohana")
    assert (caught.value.line, caught.value.key) == (5, "pairing")


@pytest.mark.parametrize(
    ("keys", "bots", "reason"),
    [
        ('pairing = "round-robin"', 7, "a round robin of 7 bots takes 7 rounds, not 5"),
        ('pairing = "knock-out"\nbracket = 4\nrounds = 2', 5, "5 bots are too many for a bracket of 4"),
    ],
)
def test_more_entries_than_the_pairing_can_take_are_refused(keys: str, bots: int, reason: str) -> None:
    league(keys, bots - 1)
    with pytest.raises(LeagueFileError, match=reason) as caught:
        league(keys, bots)
    assert (caught.value.line, caught.value.key) == (4, "entries")


def test_to_name_the_default_pairing_changes_no_league() -> None:
    assert digest(league('pairing = "swiss"')) == digest(league(""))
    assert digest(league('pairing = "pods"', variant="sangohana")) == digest(league("", variant="sangohana"))
    assert digest(league('pairing = "round-robin"')) != digest(league(""))


def test_a_division_of_no_known_pairing_is_an_error_wherever_it_comes_from() -> None:
    spec = league("")
    strange = msgspec.structs.replace(spec.division(), pairing="knockout")
    with pytest.raises(PairingError, match="unknown pairing 'knockout'"):
        next_round(spec, strange, field(4), [])


@pytest.mark.parametrize("name", PAIRINGS)
def test_every_pairing_of_the_registry_plays_a_league_with_a_table(name: str) -> None:
    spec = league(
        f'pairing = "{name}"\nrounds = 7' + ("\nbracket = 4" if PAIRINGS[name].takes_bracket else ""),
        variant="koikoi" if 2 in PAIRINGS[name].seats else "sangohana",
    )
    entrants = field(7)
    rounds = play_league(spec, spec.division(), entrants, strength_of(entrants), random.Random(name))
    table = league_table(spec, {spec.variants[0]: (entrants, rounds)}).divisions[0]
    assert len(rounds) == 7
    assert table.standings[0].name == "bot6"
    event = Event(spec, spec.division(), entrants, rounds)
    found = PAIRINGS[name].places(event, table.standings, table.ratings)
    assert sorted(bot for tied in found for bot in tied) == sorted(entrant.name for entrant in entrants)
    if name != "knock-out":
        assert found == places(table.standings)


# -- owners apart ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), [("koikoi", 2), ("sangohana", 3)])
@pytest.mark.parametrize("apart", [True, False])
def test_bots_of_one_owner_meet_only_where_nothing_else_is_left(variant: str, seats: int, apart: bool) -> None:
    """Twelve bots of four owners, of about equal scores: each round could seat owners apart, and by chance does not."""
    entrants = [Entrant(f"bot{number}", owner=f"owner{number % 4}") for number in range(12)]
    spec = league(f"rounds = 3\nowners_apart = {str(apart).lower()}", 12, variant)
    owner = {entrant.name: entrant.owner for entrant in entrants}
    plans, _, _ = played(spec, entrants)
    assert all(len(table.bots) == seats for plan in plans for table in plan.tables)
    own = sum(
        owner[one] == owner[other]
        for plan in plans
        for table in plan.tables
        for one, other in combinations(table.bots, 2)
    )
    assert bool(own) is not apart


def test_bots_of_one_owner_play_where_the_league_has_no_others() -> None:
    entrants = [Entrant(f"bot{number}", owner="ann") for number in range(4)]
    plans, _, over = played(league("rounds = 3\nowners_apart = true", 4), entrants)
    assert set(meetings(plans)) == everybody(4)
    assert over.reason == "every round is played"


@pytest.mark.parametrize("keys", ['pairing = "round-robin"\nrounds = 9', 'pairing = "knock-out"\nbracket = 2'])
def test_methods_that_cannot_keep_owners_apart_refuse_to_be_told_so(keys: str) -> None:
    with pytest.raises(LeagueFileError, match="cannot keep bots of one owner apart: swiss and pods can"):
        league(f"owners_apart = true\n{keys}", 4)
