"""The tables of a league with several divisions, and the one over all of them."""

import random

import msgspec
import pytest
from league_events import play_league

from arena.league.reader import parse_league
from arena.league.spec import LeagueSpec
from arena.league.tables import LeagueTable, division_table, league_table
from arena.league.values import Entrant

NAMES = [f"bot{number}" for number in range(7)]


def league(extra: str = "") -> LeagueSpec:
    text = f"""
name = "grand"
rounds = 4
boards = 2
entries = {NAMES}

[[divisions]]
variant = "koikoi"

[[divisions]]
variant = "sangohana"
{extra}
"""
    return parse_league(text, "grand.toml")


def table_of(spec: LeagueSpec, seed: int = 1) -> LeagueTable:
    entrants = [Entrant(name) for name in NAMES]
    strength = {name: 3 * place for place, name in enumerate(NAMES)}
    played = {
        division.variant: (entrants, play_league(spec, division, entrants, strength, random.Random(seed)))
        for division in spec.divisions
    }
    return league_table(spec, played)


def test_a_league_has_a_table_for_each_division_and_one_over_all() -> None:
    table = table_of(league())
    assert [(division.variant, division.seats, division.parts, division.rounds) for division in table.divisions] == [
        ("koikoi", 2, 1, 4),
        ("sangohana", 3, 6, 4),
    ]
    for division in table.divisions:
        assert sorted(row.name for row in division.standings) == NAMES
        assert division.ratings.keys() == division.margins.keys() == set(NAMES)
        assert division.mirroring is not None
    assert sorted(row.name for row in table.all_round) == NAMES
    assert {name: rating.matches for name, rating in table.ratings.items()} == {
        name: sum(division.ratings[name].matches for division in table.divisions) for name in NAMES
    }


def test_over_one_division_ratings_are_the_divisions() -> None:
    text = f'name = "one"\nvariant = "sangohana"\nrounds = 2\nentries = {NAMES}'
    table = table_of(parse_league(text, "one.toml"))
    assert table.ratings == table.divisions[0].ratings
    assert [row.name for row in table.all_round] == [row.name for row in table.divisions[0].standings]


@pytest.mark.parametrize("board_sets", ["mirror", "field"])
def test_a_table_can_be_stored_and_read_again(board_sets: str) -> None:
    table = table_of(league(f'boards = 3\nboard_sets = "{board_sets}"'))
    assert msgspec.json.decode(msgspec.json.encode(table), type=LeagueTable) == table


def test_before_the_first_round_a_table_lists_who_entered() -> None:
    spec = league()
    table, _ = division_table(spec, spec.division("sangohana"), [Entrant(name) for name in NAMES], [])
    assert sorted(row.name for row in table.standings) == NAMES
    assert (table.rounds, table.margins, table.ratings, table.mirroring) == (0, {}, {}, None)
