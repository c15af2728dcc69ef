"""A league's table in a terminal of 80 columns."""

import random
from collections.abc import Sequence

import pytest
from league_events import play_league
from rich.console import Console

from arena.cli.league_view import print_tables, standings
from arena.league.reader import parse_league
from arena.league.tables import DivisionTable, division_table, league_table
from arena.league.values import Entrant
from hanafuda.arena.v1.league_pb2 import LEAGUE_STATUS_RUNNING, League, LeagueDivision

NAMES = [f"{letter * 7}{digit}" for letter in "mw" for digit in range(4)] + ["iiiiiii8"]


def shown(keys: str, boards: int, width: int = 80, names: Sequence[str] = NAMES) -> tuple[DivisionTable, list[str]]:
    """The table of a league with byes and forfeits, and its lines on a terminal so wide."""
    listed = ", ".join(f'{{ name = "{name}", bot = "house:greedy" }}' for name in names)
    spec = parse_league(f'name = "view"\nrounds = 5\nboards = {boards}\n{keys}\nentries = [{listed}]', "view.toml")
    entrants = [Entrant(name) for name in names]
    strength = {name: 9 * place for place, name in enumerate(names)}
    rounds = play_league(spec, spec.division(), entrants, strength, random.Random(3), forfeits=0.05)
    table, _ = division_table(spec, spec.division(), entrants, rounds)
    console = Console(width=width)
    with console.capture() as capture:
        console.print(standings(spec.name, table))
    return table, capture.get().splitlines()


@pytest.mark.parametrize("keys", ['variant = "koikoi"', 'variant = "sangohana"'])
def test_a_table_of_eight_letter_names_fits_80_columns_without_wrapping(keys: str) -> None:
    table, lines = shown(keys, boards=4)
    assert table.best
    assert all(len(line) <= 80 for line in lines)
    for row in table.standings:
        [line] = [one for one in lines if row.name in one]
        assert "%" in line
        assert "±" in line
    [heading] = [line for line in lines if " MP " in line]
    assert ("W-D-L" in heading) == (table.seats == 2)
    assert ("place" in heading) == (table.seats > 2)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("length", [8, 14, 24])
def test_names_are_whole_also_where_columns_have_to_be_left_out(width: int, length: int) -> None:
    names = [f"{letter * (length - 1)}{digit}" for letter in "mw" for digit in range(4)]
    table, lines = shown('variant = "koikoi"', boards=4, width=width, names=names)
    assert all(len(line) <= width for line in lines)
    for row in table.standings:
        assert len([line for line in lines if row.name in line]) == 1
    [left_out] = [line for line in lines if "for want of room" in line] or [""]
    [heading] = [line for line in lines if " MP " in line]
    for column in ("DE", "SB", "BH", "m-rating"):
        assert (column in heading.split()) != (column in left_out.replace(",", "").split())
    assert "W-D-L" in heading


def test_a_name_of_64_letters_is_broken_rather_than_the_numbers() -> None:
    names = [letter * 64 for letter in "abcd"]
    _, lines = shown('variant = "koikoi"', boards=4, width=80, names=names)
    assert all(len(line) <= 80 for line in lines)
    assert "a" * 24 in "".join(lines)


def test_a_table_says_not_yet_where_boards_are_too_few() -> None:
    table, lines = shown('variant = "koikoi"', boards=1)
    assert not table.best
    assert not any("best" in line or "%" in line for line in lines)


@pytest.mark.parametrize("boards", [1, 4])
def test_points_and_ratings_are_compared_only_where_both_are_shown(boards: int) -> None:
    keys = '[[divisions]]\nvariant = "koikoi"\n[[divisions]]\nvariant = "kyogi"'
    spec = parse_league(f'name = "view"\nrounds = 5\nboards = {boards}\nentries = {NAMES}\n{keys}', "view.toml")
    entrants, rng = [Entrant(name) for name in NAMES], random.Random(3)
    table = league_table(
        spec,
        {
            # All are of one strength: the order of the points is not that of the ratings.
            division.variant: (entrants, play_league(spec, division, entrants, dict.fromkeys(NAMES, 0), rng))
            for division in spec.divisions
        },
    )
    divisions = [LeagueDivision(variant=division.variant) for division in spec.divisions]
    info = League(name="view", status=LEAGUE_STATUS_RUNNING, divisions=divisions)
    console = Console(width=80)
    with console.capture() as capture:
        print_tables(console, info, table)
    rated = [row.name for row in table.all_round]
    assert rated != sorted(rated, key=lambda name: -table.ratings[name].mu)
    assert ("view · ratings" in capture.get()) == (boards == 4)
    assert ("another order" in capture.get()) == (boards == 4)
