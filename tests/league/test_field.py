"""Tables of one section play the same boards, and a margin counts against the same seat at the other tables."""

import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from league_events import play_league, play_round

from arena.league.columns import Columns
from arena.league.field import counted, field_tables, measured
from arena.league.lots import Lots
from arena.league.reader import parse_league
from arena.league.results import score_match
from arena.league.rounds import next_round
from arena.league.sections import sections
from arena.league.standings import final_table
from arena.league.statistics import field_luck, mean_margins
from arena.league.values import Entrant, MatchOutcome, PlayedRound, RoundPlan

LOTS = Lots("a seed", "seats", "koikoi", "1")


def outcome(table: int, board: int, balances: dict[str, int], forfeiter: str | None = None) -> MatchOutcome:
    """A match of the bots in the order of their seats."""
    seating = tuple(balances)
    score = score_match(tuple(balances.values()), None if forfeiter is None else seating.index(forfeiter))
    return MatchOutcome(1, table, board, seating, score.half_points, score.margins, "COMPLETED", forfeiter)


def measured_of(*outcomes: MatchOutcome) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Half points and margins of each match, as the field measures them."""
    return [(one.half_points, one.margins) for one in measured(PlayedRound(1, (), outcomes)).outcomes]


def conflicts(split: tuple[tuple[int, ...], ...], tables: list[tuple[str, ...]], owners: dict[str, str]) -> int:
    """How often one owner has bots at two tables of a section."""
    found = 0
    for section in split:
        for one, other in combinations(section, 2):
            mine = {owners[bot] for bot in tables[one]} - {""}
            found += len(mine & {owners[bot] for bot in tables[other]})
    return found


def partitions(tables: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
    """All ways to split tables into sections of two or more; into one of one, where there is one table."""
    if len(tables) < 2:
        return [(tables,)]
    first, *rest = tables
    found = [(tables,)]
    for size in range(1, len(tables) - 2):
        for others in combinations(rest, size):
            left = tuple(table for table in rest if table not in others)
            found += [((first, *others), *more) for more in partitions(left)]
    return found


def test_a_margin_counts_against_the_mean_of_the_same_seat_at_the_other_tables() -> None:
    found = measured_of(
        outcome(1, 1, {"a": 30, "b": 0}),
        outcome(2, 1, {"c": 20, "d": 0}),
        outcome(3, 1, {"e": 4, "f": 0}),
    )
    # seat 0 had 30, 20 and 4: against 12, 17 and 25
    assert found == [((2, 0), (18, -18)), ((2, 0), (3, -3)), ((0, 2), (-21, 21))]


def test_of_three_seats_places_go_by_the_measured_margins() -> None:
    found = measured_of(outcome(1, 1, {"a": 30, "b": 0, "c": 0}), outcome(2, 1, {"d": 30, "e": 6, "f": -6}))
    # in sixths: the margins are 180 -90 -90 and 180 -36 -144
    assert found == [((6, 0, 12), (0, -54, 54)), ((6, 12, 0), (0, 54, -54))]


def test_a_board_that_only_one_table_has_counts_as_it_was_played() -> None:
    alone = outcome(1, 1, {"a": 30, "b": 12})
    assert measured(PlayedRound(1, ("c",), (alone,))) == PlayedRound(1, ("c",), (alone,))


def test_a_forfeited_match_is_no_part_of_a_mean() -> None:
    found = measured_of(
        outcome(1, 1, {"a": 30, "b": 0}),
        outcome(2, 1, {"c": 20, "d": 0}),
        outcome(3, 1, {"e": 400, "f": 0}, forfeiter="f"),
    )
    assert found[:2] == [((2, 0), (10, -10)), ((0, 2), (-10, 10))]
    assert found[2] == ((2, 0), (375, -375)), "against 30 and 20"


def test_a_forfeiter_is_last_and_has_no_margin_in_its_favour() -> None:
    found = measured_of(
        outcome(1, 1, {"a": 0, "b": 0, "c": 0}, forfeiter="a"), outcome(2, 1, {"d": -20, "e": 10, "f": 10})
    )
    # the field gave seat 0 -180 sixths, so a would be 180 ahead, which b and c share
    assert found[0] == ((0, 9, 9), (0, 0, 0))


def test_where_no_other_table_finished_a_board_nobody_is_ahead() -> None:
    found = measured_of(outcome(1, 1, {"a": 30, "b": 0}), outcome(2, 1, {"c": 20, "d": 0}, forfeiter="c"))
    assert found == [((1, 1), (0, 0)), ((0, 2), (-30, 30))]
    found = measured_of(outcome(1, 1, {"a": 3, "b": 0}, forfeiter="a"), outcome(2, 1, {"c": 2, "d": 0}, forfeiter="c"))
    assert found == [((0, 2), (0, 0)), ((0, 2), (0, 0))]


@given(st.integers(2, 4), st.integers(2, 6), st.integers(1, 4), st.integers(0, 2**32))
def test_what_the_cards_give_to_a_seat_does_not_count(seats: int, tables: int, boards: int, seed: int) -> None:
    rng = random.Random(seed)
    kind = [
        (table, board, {f"{table}.{seat}": rng.randint(-50, 50) for seat in range(seats)})
        for table in range(1, tables + 1)
        for board in range(1, boards + 1)
    ]
    luck = [[rng.randint(-300, 300) for _ in range(seats)] for _ in range(boards + 1)]
    plain = measured_of(*(outcome(table, board, balances) for table, board, balances in kind))
    lucky = measured_of(
        *(
            outcome(table, board, {name: points + luck[board][seat] for seat, (name, points) in enumerate(row.items())})
            for table, board, row in kind
        )
    )
    assert lucky == plain
    rounding = Fraction(1, 2) * (seats if seats > 2 else 0)
    assert all(abs(sum(margins)) <= rounding for _, margins in plain)
    for board in range(1, boards + 1):
        of_board = [margins for (_, at, _), (_, margins) in zip(kind, plain, strict=True) if at == board]
        assert all(abs(sum(column)) <= Fraction(1, 2) * tables for column in zip(*of_board, strict=True))


@given(st.integers(1, 7), st.integers(2, 3), st.integers(1, 6), st.integers(0, 2**32))
def test_sections_keep_owners_apart_as_well_as_any_with_two_tables_each(
    tables: int, seats: int, owned: int, seed: int
) -> None:
    rng = random.Random(seed)
    seated = [tuple(f"{table}.{seat}" for seat in range(seats)) for table in range(tables)]
    owners = {bot: rng.choice(["", "", *map(str, range(owned))]) for bots in seated for bot in bots}
    split = sections(seated, owners)
    assert sorted(table for section in split for table in section) == list(range(tables))
    assert min(map(len, split)) >= min(2, tables)
    best = min(conflicts(other, seated, owners) for other in partitions(tuple(range(tables))))
    assert conflicts(split, seated, owners) == best or len(set(owners.values())) == 1
    assert sections(seated, {}) == (tuple(range(tables)),)
    assert sections(seated, dict.fromkeys(owners, "one")) == (tuple(range(tables)),)


def test_many_tables_of_few_owners_are_split_into_few_large_sections() -> None:
    rng = random.Random(1)
    bots = [f"bot{number}" for number in range(600)]
    owners = {bot: f"owner{rng.randrange(120)}" for bot in bots}
    seated = [tuple(bots[at : at + 2]) for at in range(0, 600, 2)]
    split = sections(seated, owners)
    assert conflicts(split, seated, owners) == 0
    tables_of = Counter(owner for one in seated for owner in {owners[bot] for bot in one})
    assert len(split) <= max(tables_of.values()) + 1
    assert min(map(len, split)) > 10


@given(st.integers(1, 9), st.integers(2, 4), st.integers(1, 3), st.integers(1, 4), st.integers(0, 2**32))
def test_each_bot_plays_each_board_of_its_section_once_and_sits_in_each_seat_equally_often(
    tables: int, seats: int, turns: int, owned: int, seed: int
) -> None:
    rng = random.Random(seed)
    seated = [tuple(f"{table}.{seat}" for seat in range(seats)) for table in range(tables)]
    owners = {bot: rng.choice(["", *map(str, range(owned))]) for bots in seated for bot in bots}
    boards = seats * turns
    plans = field_tables(3, seated, boards, owners, LOTS)
    assert [plan.bots for plan in plans] == seated
    tables_of: dict[int, set[int]] = defaultdict(set)
    for plan in plans:
        assert len({match.board for match in plan.matches}) == len(plan.matches) == boards
        assert all((match.round, match.table) == (3, plan.number) for match in plan.matches)
        sat = Counter((bot, seat) for match in plan.matches for seat, bot in enumerate(match.seating))
        assert sat == {(bot, seat): turns for bot in plan.bots for seat in range(seats)}
        for match in plan.matches:
            tables_of[match.board].add(plan.number - 1)
    split = sections(seated, owners)
    assert sorted(tables_of) == list(range(1, boards * len(split) + 1))
    assert {tuple(sorted(there)) for there in tables_of.values()} == set(split)


@given(st.integers(2, 3), st.integers(2, 3), st.integers(0, 10**6))
def test_the_strength_of_who_sits_elsewhere_does_not_count_where_the_boards_are_enough(
    seats: int, tables: int, lot: int
) -> None:
    strength = {f"{table}.{seat}": 7**table * (seat + 1) for table in range(tables) for seat in range(seats)}
    seated = [tuple(f"{table}.{seat}" for seat in range(seats)) for table in range(tables)]
    boards = {2: 4, 3: 9}[seats]
    plan = RoundPlan(1, field_tables(1, seated, boards, {}, Lots(str(lot))), ())
    scores = [(match, score_match([strength[name] for name in match.seating])) for match in plan.matches]
    played = plan.close(
        tuple(
            MatchOutcome(1, match.table, match.board, match.seating, score.half_points, score.margins)
            for match, score in scores
        )
    )
    raw, by_field = (
        {name: margin.mean for name, margin in mean_margins(Columns([one.outcomes])).items()}
        for one in (played, measured(played))
    )
    if seats == 2 and tables == 2:
        assert by_field == pytest.approx(raw, abs=0.5)
    # of three seats the draws are not all even: the others' strength is in it by less than half of what it is
    worst = max(abs(by_field[name] - raw[name]) for name in raw)
    assert worst <= max(map(abs, raw.values())) / 2


def test_the_lot_says_which_bot_sits_where_so_that_the_first_of_each_table_are_not_measured_by_each_other() -> None:
    seated = [(f"{table}.first", f"{table}.second") for table in range(200)]
    plans = field_tables(1, seated, 2, {}, LOTS)
    first_in_seat_0 = sum(plan.matches[0].seating == plan.bots for plan in plans)
    assert 70 < first_in_seat_0 < 130


@pytest.mark.parametrize(("variant", "bots"), [("koikoi", 11), ("sangohana", 13), ("hachihachi", 9)])
def test_a_league_with_field_board_sets_adds_up(variant: str, bots: int) -> None:
    names = [f"bot{number}" for number in range(bots)]
    boards = 4 if variant == "koikoi" else 3
    text = f'name = "f"\nvariant = "{variant}"\nboard_sets = "field"\nboards = {boards}\nentries = {names}'
    spec = parse_league(text, "f.toml")
    division = spec.division()
    entrants = [Entrant(name, owner=f"owner{place % 5}") for place, name in enumerate(names)]
    rounds = play_league(spec, division, entrants, dict.fromkeys(names, 0), random.Random(1), forfeits=0.05)
    seats = division.seats
    parts = 1 if seats == 2 else 6
    played = counted(division, rounds)
    rows = final_table(spec, division, entrants, played)
    assert len(rounds) == 5
    assert all(len(played.byes) == bots % seats for played in rounds)
    assert sum(row.match_points for row in rows) == parts * sum(
        bots - len(played.byes) + 2 * len(played.byes) for played in rounds
    )
    assert sum(row.played for row in rows) == boards * 5 * (bots - bots % seats)
    assert all(row.forfeits <= row.lost for row in rows)
    assert final_table(spec, division, entrants[::-1], played) == rows


def test_a_stronger_bot_wins_by_field_what_the_cards_hide() -> None:
    names = [f"bot{number}" for number in range(12)]
    spec = parse_league(f'name = "f"\nrounds = 9\nboards = 8\nboard_sets = "field"\nentries = {names}', "f.toml")
    strength = {name: 3 * place for place, name in enumerate(names)}
    entrants = [Entrant(name) for name in names]
    rounds = play_league(spec, spec.division(), entrants, strength, random.Random(4))
    ranked = [row.name for row in final_table(spec, spec.division(), entrants, counted(spec.division(), rounds))]
    assert set(ranked[:2]) == {"bot11", "bot10"}
    assert set(ranked[-2:]) == {"bot1", "bot0"}


@pytest.mark.parametrize("seats", [2, 3])
def test_the_luck_that_field_board_sets_took_out_is_told(seats: int) -> None:
    """Balances of luck of the seat (variance 100) and of the game (25): the correlation is 0.8."""
    rng = random.Random(1)
    names = [f"bot{number}" for number in range(6 * seats)]
    entrants = [Entrant(name) for name in names]
    variant = {2: "koikoi", 3: "sangohana"}[seats]
    text = f'name = "f"\nvariant = "{variant}"\nrounds = 8\nboards = 60\nboard_sets = "field"\nentries = {names}'
    spec = parse_league(text, "f.toml")
    rounds: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, spec.division(), entrants, rounds), RoundPlan):
        luck = {match.board: [rng.gauss(0, 100) for _ in range(seats)] for match in plan.matches}
        outcomes = []
        for match in plan.matches:
            balances = {
                name: round(luck[match.board][seat] + rng.gauss(0, 50)) for seat, name in enumerate(match.seating)
            }
            score = score_match(tuple(balances.values()))
            outcomes.append(
                MatchOutcome(match.round, match.table, match.board, match.seating, score.half_points, score.margins)
            )
        rounds.append(plan.close(tuple(outcomes)))
    luck_of = field_luck(rounds)
    assert luck_of.correlation == pytest.approx(0.8, abs=0.03)
    # six tables: the mean of the five others adds a fifth of a game's own variance
    assert luck_of.factor == pytest.approx(1 / (0.2 * 6 / 5), rel=0.1)
    assert luck_of.board_sets == 8 * 60


def test_the_strength_of_bots_is_no_luck_of_the_boards() -> None:
    names = [f"bot{number}" for number in range(8)]
    spec = parse_league(f'name = "f"\nrounds = 40\nboards = 8\nboard_sets = "field"\nentries = {names}', "f.toml")
    entrants = [Entrant(name) for name in names]
    even = field_luck(play_league(spec, spec.division(), entrants, dict.fromkeys(names, 0), random.Random(1)))
    strength = {name: 200 * place for place, name in enumerate(names)}
    uneven = field_luck(play_league(spec, spec.division(), entrants, strength, random.Random(1)))
    assert uneven.correlation == pytest.approx(even.correlation, abs=0.03)
    # the seats' luck is even over 31 numbers, the games' over 9: 80 of 80 + 6.7
    assert even.correlation == pytest.approx(80 / (80 + 20 / 3), abs=0.02)


def test_the_bars_of_field_margins_hold_the_truth_about_as_often_as_they_say() -> None:
    """Bots of equal strength, so every true margin is 0; 24 boards each."""
    rng = random.Random(2)
    covered = trials = 0
    for _ in range(60):
        outcomes = []
        for board in range(1, 25):
            luck = rng.gauss(0, 60)
            for table in range(1, 5):
                one, other = (f"{table}a", f"{table}b") if board % 2 else (f"{table}b", f"{table}a")
                outcomes.append(outcome(table, board, {one: round(luck + rng.gauss(0, 30)), other: 0}))
        for estimate in mean_margins(Columns([measured(PlayedRound(1, (), tuple(outcomes))).outcomes])).values():
            assert estimate.low is not None
            assert estimate.high is not None
            covered += estimate.low <= 0 <= estimate.high
            trials += 1
    # the margins of the two bots of a table are the same number, and a table's is in the others' means: about 200 of
    # the 480 intervals are independent, so five standard deviations of their share are 8 %
    assert 0.93 - 0.08 <= covered / trials <= 0.99


def test_without_another_table_no_luck_is_told() -> None:
    spec = parse_league('name = "f"\nboard_sets = "field"\nentries = ["a", "b"]', "f.toml")
    plan = next_round(spec, spec.division(), [Entrant("a"), Entrant("b")], [])
    assert isinstance(plan, RoundPlan)
    assert field_luck([play_round(plan, {"a": 1, "b": 2}, random.Random(1))]) is None
