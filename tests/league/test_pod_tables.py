"""Tables of three and four: results, standings, late entries, withdrawals."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from league_events import play_round, won_from_each_other
from pairing_costs import pods_cost

from arena.league.columns import Columns
from arena.league.history import contenders
from arena.league.reader import parse_league
from arena.league.results import bye_game_points, score_match, table_points
from arena.league.rounds import next_round
from arena.league.spec import Division, LeagueSpec
from arena.league.standings import HeadToHead, Standing, final_table, head_to_head
from arena.league.statistics import mirroring
from arena.league.values import Entrant, Finished, MatchOutcome, PlayedRound, RoundPlan, Seating

PODS = Division("sangohana", 3, boards=1)


def outcomes_of(rounds: list[PlayedRound] | tuple[PlayedRound, ...]) -> list[MatchOutcome]:
    return [outcome for played in rounds for outcome in played.outcomes]


def pod(number: int, table: int, **balances: int) -> tuple[MatchOutcome, ...]:
    """A table of one board in which every bot has the same balance in each of the games."""
    names = tuple(balances)
    outcomes = []
    for turn in range(len(names)):
        seating = names[turn:] + names[:turn]
        score = score_match([balances[name] for name in seating])
        outcomes.append(MatchOutcome(number, table, table, seating, score.half_points, score.margins))
    return tuple(outcomes)


def league(names: list[str], **keys: object) -> LeagueSpec:
    lines = "\n".join(f"{key} = {value!r}" for key, value in keys.items())
    return parse_league(f'name = "pods"\n{lines}\nentries = {names}', "pods.toml", takes_entries=True)


def table_of(names: str, *rounds: PlayedRound) -> dict[str, Standing]:
    spec = league(list(names), variant="sangohana", boards=1)
    return {row.name: row for row in final_table(spec, spec.division(), [Entrant(name) for name in names], rounds)}


@pytest.mark.parametrize(
    ("balances", "points"),
    [
        ({"a": 5, "b": 1, "c": -6}, (12, 6, 0)),
        ({"a": 5, "b": 5, "c": -10}, (9, 9, 0)),
        ({"a": 8, "b": -4, "c": -4}, (12, 3, 3)),
        ({"a": 0, "b": 0, "c": 0}, (6, 6, 6)),
        ({"a": 5, "b": 1, "c": 0, "d": -6}, (12, 8, 4, 0)),
        ({"a": 5, "b": 5, "c": 0, "d": -10}, (10, 10, 4, 0)),
    ],
)
def test_match_points_of_a_pod_go_by_place_in_sixths(balances: dict[str, int], points: tuple[int, ...]) -> None:
    [table] = table_points(PlayedRound(1, (), pod(1, 1, **balances)))
    assert table == dict(zip(balances, points, strict=True))
    for bot, won in won_from_each_other(balances, [PlayedRound(1, (), pod(1, 1, **balances))]).items():
        mean = sum(6 * points for (points,) in won.values())
        assert mean == len(won) * table[bot], "match points are the mean of what was won from each"


def test_margins_decide_a_pod_of_equal_half_points() -> None:
    games = [("abc", (9, 3, 0)), ("bca", (4, 1, 0)), ("cab", (5, 1, 0))]
    outcomes = []
    for names, balances in games:
        score = score_match(balances)
        outcomes.append(MatchOutcome(1, 1, 1, tuple(names), score.half_points, score.margins))
    [table] = table_points(PlayedRound(1, (), tuple(outcomes)))
    # each was first, second and last once; the balances are 10, 7 and 6
    assert table == {"a": 12, "b": 6, "c": 0}


def test_a_pod_table_worked_out_by_hand() -> None:
    rows = table_of(
        "abcdef",
        PlayedRound(1, (), (*pod(1, 1, a=3, b=0, c=-3), *pod(1, 2, d=3, e=0, f=-3))),
        PlayedRound(2, (), (*pod(2, 1, a=6, d=0, e=-6), *pod(2, 2, b=0, c=0, f=0))),
    )
    # match points in sixths: a 24, b 6 + 6, c 0 + 6, d 12 + 6, e 6 + 0, f 0 + 6
    assert {name: row.match_points for name, row in rows.items()} == {
        "a": 24, "d": 18, "b": 12, "c": 6, "e": 6, "f": 6
    }  # fmt: skip
    assert {name: row.game_points for name, row in rows.items()} == {
        "a": 72, "d": 54, "b": 36, "c": 18, "e": 18, "f": 18
    }  # fmt: skip
    # the mean of a's opponents: (12 + 6) / 2 in round 1, (18 + 6) / 2 in round 2; in thirty-sixths
    assert (rows["a"].buchholz, rows["a"].buchholz_cut_1) == (6 * 9 + 6 * 12, 6 * 12)
    assert rows["a"].sonneborn_berger == 2 * rows["a"].buchholz, "it won 2 from everyone"
    # d won 2 from e (6) and from f (6), then nothing from a (24) and 2 from e (6)
    assert rows["d"].sonneborn_berger == 6 * (2 * 6 + 2 * 6) // 2 + 6 * (0 * 24 + 2 * 6) // 2
    assert rows["a"].margin == 6 * (3 * 3 + 3 * 6) * 3 // 2, "against the mean of the two others"
    assert (rows["b"].won, rows["b"].drawn, rows["b"].lost) == (0, 6, 0)


def test_in_a_pod_direct_encounter_is_what_was_won_from_each_other() -> None:
    rows = table_of("abc", PlayedRound(1, (), pod(1, 1, a=3, b=0, c=-3)), PlayedRound(2, (), pod(2, 1, c=3, b=0, a=-3)))
    assert {(row.match_points, row.game_points, row.buchholz) for row in rows.values()} == {(12, 36, 144)}
    assert {row.direct_encounter for row in rows.values()} == {1}


def test_head_to_head_of_a_pod_is_of_two_bots_alone() -> None:
    rounds = [PlayedRound(1, (), pod(1, 1, a=3, b=0, c=-3)), PlayedRound(2, (), pod(2, 1, a=1, b=1, c=1, d=9))]
    rows = {(row.bot, row.opponent): row for row in head_to_head(Columns([outcomes_of(rounds)]))}
    assert rows["a", "b"] == HeadToHead("a", "b", 2, 3, 3 * 2 + 4 * 1, 3 * 6 * 3)
    assert rows["c", "a"] == HeadToHead("c", "a", 2, 1, 3 * 0 + 4 * 1, -3 * 6 * 6)
    assert rows["d", "a"] == HeadToHead("d", "a", 1, 2, 8, 4 * 6 * 8)
    assert len(rows) == 12


def test_a_bye_has_the_points_of_the_narrowest_win_of_a_pod() -> None:
    assert bye_game_points(PODS) == 3 * 6 + 3
    assert bye_game_points(Division("sangohana", 4, boards=2)) == 4 * 2 * 6 + 2
    assert bye_game_points(Division("koikoi", 2, boards=4, board_sets="field")) == 4 + 1
    found = contenders("ab", PODS, [PlayedRound(1, ("a", "b"), ())])
    assert {(one.name, one.score, one.byes, one.floated) for one in found} == {
        ("a", 12, 1, -1), ("b", 12, 1, -1)
    }  # fmt: skip


def game_points(division: Division, played: PlayedRound) -> dict[str, int]:
    entrants = [Entrant(name) for name in played.outcomes[0].seating]
    return {row.name: row.game_points for row in final_table(league(["a"]), division, entrants, [played])}


def test_a_pod_of_another_size_counts_as_if_it_had_played_as_many_games() -> None:
    division = Division("sangohana", 4, boards=1)
    three = PlayedRound(1, (), pod(1, 1, a=3, b=0, c=-3))
    assert game_points(division, three) == {"a": 4 * 12, "b": 4 * 6, "c": 0}
    assert [bot.short for bot in contenders("abc", division, [three])] == [1, 1, 1]
    four = PlayedRound(1, (), pod(1, 1, a=3, b=1, c=-1, d=-3))
    assert game_points(PODS, four) == {"a": 3 * 12, "b": 3 * 8, "c": 3 * 4, "d": 0}
    assert [bot.short for bot in contenders("abcd", PODS, [four])] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("variant", "seats", "least"), [("hachihachi", 3, 3), ("sangohana", 3, 3), ("sangohana", 4, 3)]
)
def test_a_pod_division_ends_when_too_few_are_left(variant: str, seats: int, least: int) -> None:
    names = [f"bot{number}" for number in range(least)]
    spec = league(names, variant=variant, seats=seats)
    entrants = [Entrant(name) for name in names]
    assert isinstance(next_round(spec, spec.division(), entrants, []), RoundPlan)
    assert next_round(spec, spec.division(), entrants[1:], []) == Finished("fewer than three bots are left to play")


VARIANTS = [("koikoi", 2), ("hachihachi", 3), ("sangohana", 2), ("sangohana", 3), ("sangohana", 4)]


@settings(max_examples=settings().max_examples // 6)
@given(
    st.sampled_from(VARIANTS), st.integers(4, 12), st.integers(2, 7), st.integers(0, 2**32), st.booleans(), st.data()
)
def test_with_late_entries_withdrawals_and_forfeits_a_league_adds_up(
    kind: tuple[str, int], bots: int, rounds: int, seed: int, field: bool, data: st.DataObject
) -> None:
    variant, seats = kind
    rng = random.Random(seed)
    names = [f"bot{number}" for number in range(bots)]
    keys = {"board_sets": "field", "boards": seats} if field else {"boards": 1}
    spec = league(names, variant=variant, seats=seats, rounds=rounds, **keys)
    division = spec.division()
    entrants = []
    for name in names:
        first = rng.choice([1, 1, 1, 2, 3])
        entrants.append(Entrant(name, first, rng.choice([None, None, None, rng.randint(first - 1, rounds)]), name[-1]))
    played: list[PlayedRound] = []
    byes: Counter[str] = Counter()
    forfeiters: Counter[str] = Counter()
    while isinstance(plan := next_round(spec, division, entrants, played), RoundPlan):
        present = {entrant.name for entrant in entrants if entrant.plays(plan.number)}
        seated = [name for table in plan.tables for name in table.bots]
        assert sorted([*seated, *plan.byes]) == sorted(present), "everyone who is there plays or sits out, nobody else"
        assert all(len(table.bots) in division.sizes for table in plan.tables)
        assert max((byes[name] for name in plan.byes), default=0) <= min(byes[name] for name in seated), (
            "nobody sits out again while another has sat out less often"
        )
        byes.update(plan.byes)
        assert plan == next_round(spec, division, data.draw(st.permutations(entrants)), played)
        played.append(play_round(plan, dict.fromkeys(names, 0), rng, forfeits=0.2))
        forfeiters.update(outcome.forfeiter for outcome in played[-1].outcomes if outcome.forfeiter is not None)
    rows = {row.name: row for row in final_table(spec, division, entrants, played)}
    parts = 1 if seats == 2 else 6
    assert sum(row.match_points for row in rows.values()) == parts * sum(
        sum(len(table) for table in table_points(done)) + 2 * len(done.byes) for done in played
    )
    for name, row in rows.items():
        assert (row.byes, row.forfeits) == (byes[name], forfeiters[name]), "a forfeit is never a bye"
        assert row.played == sum(name in outcome.seating for done in played for outcome in done.outcomes)
        assert row.buchholz >= row.buchholz_cut_1 >= 0
    shuffled = data.draw(st.permutations(entrants))
    turned = [PlayedRound(done.number, done.byes[::-1], done.outcomes[::-1]) for done in played]
    assert final_table(spec, division, shuffled, turned) == tuple(rows.values())
    assert head_to_head(Columns([outcomes_of(turned)])) == head_to_head(Columns([outcomes_of(played)]))


def test_a_rounds_pods_are_the_cheapest_for_what_the_rounds_before_left() -> None:
    names = [f"bot{number}" for number in range(9)]
    spec = league(names, variant="hachihachi", rounds=4)
    division = spec.division()
    entrants = [Entrant(name) for name in names]
    strength = {name: 9 * place for place, name in enumerate(names)}
    played: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, division, entrants, played), RoundPlan):
        field = contenders(names, division, played)
        found = pods_cost(field, division.sizes, Seating(tuple(table.bots for table in plan.tables), plan.byes))
        assert found.repeats == 0
        played.append(play_round(plan, strength, random.Random(plan.number)))
    assert len(played) == 4, "nine bots meet each other once in four rounds of pods"
    met = Counter(times for bot in contenders(names, division, played) for times in bot.met.values())
    assert met == {1: 72}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_luck_that_rotations_took_out_is_told(seats: int) -> None:
    """Balances of luck of the seat (variance 100) and of the game (25): the correlation is 0.8, the factor 5."""
    rng = random.Random(seats)
    names = tuple("abcd"[:seats])
    outcomes = []
    for board in range(1, 2_001):
        luck = [rng.gauss(0, 100) for _ in names]
        for turn in range(seats):
            seating = names[turn:] + names[:turn]
            # strength differs, and is no chance
            balances = [round(luck[seat] + rng.gauss(0, 50)) + 40 * ord(name) for seat, name in enumerate(seating)]
            score = score_match(balances)
            outcomes.append(MatchOutcome(1, 1, board, seating, score.half_points, score.margins))
    found = mirroring(Columns([outcomes]))
    assert found.correlation == pytest.approx(0.8, abs=0.02)
    assert found.factor == pytest.approx(5, rel=0.1)
    assert found.board_sets == 2_000
