"""Margins without the luck: the same on the average whatever the luck was measured by, whoever gives up when."""

import random

import pytest
from league_events import play_league

from arena.league.adjustment import adjusted
from arena.league.errors import LeagueFileError
from arena.league.reader import parse_league
from arena.league.results import score_match
from arena.league.spec import Division, LeagueSpec, LuckValue, canonical, kept_values
from arena.league.table_row import rows_of
from arena.league.tables import DivisionTable, league_table
from arena.league.values import Entrant, MatchOutcome, MatchPlan, PlayedRound

VALUE = LuckValue("policy-playouts/1", "ab" * 32)
NAMES = ["ann", "ben", "cat", "dan"]
FILE = f'name = "spring"\nrounds = 3\nboards = 4\nentries = {NAMES}\n'


def league(extra: str = "adjusted = true\n") -> LeagueSpec:
    return parse_league(FILE + extra, "spring.toml", luck_value=lambda _: VALUE)


def luck_in(rounds: list[PlayedRound], rng: random.Random) -> dict[MatchPlan, tuple[float, ...]]:
    found = {}
    for played in rounds:
        for outcome in played.outcomes:
            ahead = rng.uniform(-10, 10)
            found[outcome.plan] = (ahead, -ahead)
    return found


def table_of(spec: LeagueSpec, rounds: list[PlayedRound], luck: dict[MatchPlan, tuple[float, ...]]) -> DivisionTable:
    entrants = [Entrant(name) for name in NAMES]
    [table] = league_table(spec, {"koikoi": (entrants, rounds)}, {"koikoi": luck}).divisions
    return table


@pytest.mark.parametrize("board_sets", ["mirror", "field"])
def test_a_bots_adjusted_margin_is_its_margin_less_its_luck_with_error_bars_of_its_own(board_sets: str) -> None:
    spec = league(f'adjusted = true\nboard_sets = "{board_sets}"\n')
    rounds = play_league(
        spec,
        spec.divisions[0],
        [Entrant(name) for name in NAMES],
        dict.fromkeys(NAMES, 0) | {"ann": 9},
        random.Random(1),
    )
    table = table_of(spec, rounds, luck_in(rounds, random.Random(2)))
    for row in rows_of(table):
        assert row.margin is not None
        assert row.adjusted_margin is not None
        assert row.luck is not None
        assert row.adjusted_margin.value == pytest.approx(row.margin.value - row.luck)
        assert row.adjusted_margin.low is not None
        assert row.margin.low is not None
        assert row.adjusted_margin.value - row.adjusted_margin.low != row.margin.value - row.margin.low


def test_a_round_counts_when_the_luck_of_all_its_matches_is_known() -> None:
    spec = league()
    rounds = play_league(
        spec, spec.divisions[0], [Entrant(name) for name in NAMES], dict.fromkeys(NAMES, 0), random.Random(1)
    )
    luck = luck_in(rounds, random.Random(2))
    del luck[rounds[1].outcomes[0].plan]
    found = table_of(spec, rounds, luck).adjusted
    assert found
    assert (found.rounds, found.matches) == (2, sum(len(played.outcomes) for played in rounds) - 1)
    none = table_of(spec, rounds, {})
    assert none.adjusted
    assert (none.adjusted.rounds, none.adjusted.margins) == (0, {})
    assert [(row.adjusted_margin, row.luck) for row in rows_of(none)] == [(None, None)] * len(NAMES)


def test_a_division_without_a_value_has_no_adjusted_margins_and_the_table_it_always_had() -> None:
    spec = league("")
    rounds = play_league(
        spec, spec.divisions[0], [Entrant(name) for name in NAMES], dict.fromkeys(NAMES, 0), random.Random(1)
    )
    table = table_of(spec, rounds, luck_in(rounds, random.Random(2)))
    assert not table.adjusted
    assert all(row.adjusted_margin is None for row in rows_of(table))
    assert b"luck_value" not in canonical(spec)


def test_a_bot_that_gives_up_when_the_cards_are_bad_gains_nothing_by_it() -> None:
    rng = random.Random(3)
    division = Division(boards=1, luck_value=VALUE)
    outcomes, luck = [], {}
    for board in range(1, 20_001):
        cards = rng.gauss(0, 10)
        gives_up = cards < -5
        score = score_match((round(cards + rng.gauss(0, 2)), 0), 0 if gives_up else None)
        plan = MatchPlan(1, board, board, ("quits", "stays"))
        luck[plan] = (cards, -cards)
        outcomes.append(MatchOutcome(*plan_fields(plan), score.half_points, score.margins))
    found = adjusted(division, [PlayedRound(1, (), tuple(outcomes))], luck)
    assert found is not None
    plain = sum(outcome.margins[0] for outcome in outcomes) / len(outcomes)
    bar = found.margins["quits"]
    assert bar.low is not None
    assert bar.high is not None
    assert bar.low < plain < bar.high
    assert found.factor is None or found.factor > 4


def plan_fields(plan: MatchPlan) -> tuple[int, int, int, tuple[str, ...]]:
    return plan.round, plan.table, plan.board, plan.seating


def test_a_file_asks_for_it_by_a_word_and_the_league_keeps_the_value_that_it_was_defined_with() -> None:
    spec = league()
    assert spec.divisions[0].luck_value == VALUE
    assert VALUE.sha256.encode() in canonical(spec)
    later = parse_league(FILE + "adjusted = true\n", "spring.toml", luck_value=lambda _: LuckValue("later", "00" * 32))
    assert canonical(kept_values(later, spec)) == canonical(spec)
    assert canonical(kept_values(league(""), spec)) == canonical(league(""))
    assert canonical(kept_values(later, league(""))) == canonical(later)


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ("adjusted = 1\n", "adjusted: must be true or false, not 1"),
        ('luck_value = "mine"\n', "luck_value: unknown key"),
        ("adjust = true\n", "did you mean 'adjusted'"),
    ],
)
def test_a_file_that_asks_otherwise_is_refused_in_its_line(extra: str, reason: str) -> None:
    with pytest.raises(LeagueFileError, match=reason) as refused:
        league(extra)
    assert "spring.toml:5" in str(refused.value)


def test_where_nothing_measures_luck_it_cannot_be_asked_for() -> None:
    with pytest.raises(LeagueFileError, match="no value here"):
        parse_league(FILE + "adjusted = true\n", "spring.toml")
