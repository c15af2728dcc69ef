"""Pairs of owners who work together stand out of those who do not."""

import random

from arena.league.owner_pairs import MAX_LIFTED, OwnerPair, PlayedDivision, by_chance, owner_pairs
from arena.league.ratings import Rating
from arena.league.reader import parse_league
from arena.league.tables import league_table
from arena.league.values import Entrant, MatchOutcome, PlayedRound

BOTS = [f"bot{number}" for number in range(12)]
FILE = f'name = "grand"\nrounds = 1\nboards = 1\nentries = {BOTS}\n'


def played(
    rng: random.Random, *, thrown: bool = False, told: bool = False, board_sets: str = "mirror", rounds: int = 40
) -> dict[tuple[str, str], OwnerPair]:
    """Bots of equal strength, each of an owner of its own; bot0 throws games to bot1, or tells it of cards."""
    spec = parse_league(f'{FILE}board_sets = "{board_sets}"\n'.replace("boards = 1", "boards = 4"), "grand.toml")
    entrants = tuple(Entrant(name, owner=f"of-{name}") for name in BOTS)
    closed = []
    for number in range(1, rounds + 1):
        order = rng.sample(BOTS, len(BOTS))
        outcomes = []
        tables = [tuple(order[place : place + 2]) for place in range(0, len(order), 2)]
        section = {table: rng.randrange(2) for table in range(len(tables))}
        for table, (one, two) in enumerate(tables):
            for board in range(1, 5):
                shared = board_sets == "field"
                at = section[table] * 4 + board if shared else table * 4 + board
                for seating in [(one, two)] if shared else [(one, two), (two, one)]:
                    margin = rng.randint(-30, 30)
                    if thrown and {one, two} == {"bot0", "bot1"}:
                        margin = 30 if seating[0] == "bot1" else -30
                    partner = next(place for place, bots in enumerate(tables) if "bot0" in bots)
                    if told and "bot1" in seating and partner != table and section[partner] == section[table]:
                        margin += 25 if seating[0] == "bot1" else -25
                    half = 1 if margin == 0 else 2 * (margin > 0)
                    points, margins = (half, 2 - half), (margin, -margin)
                    outcomes.append(MatchOutcome(number, table + 1, at, seating, points, margins))
        closed.append(PlayedRound(number, (), tuple(outcomes)))
    table = league_table(spec, {"koikoi": (entrants, closed)})
    division = PlayedDivision(spec.division(), entrants, closed, table.divisions[0].ratings)
    return {(pair.owner, pair.other): pair for pair in owner_pairs([division])}


def test_an_owner_to_whom_another_throws_games_comes_first() -> None:
    pairs = played(random.Random(1), thrown=True)
    [first, second, *_] = pairs.values()
    assert (first.owner, first.other) == ("of-bot1", "of-bot0")
    assert first.excess > 0.25
    assert first.z > 3 > second.z
    assert pairs["of-bot0", "of-bot1"].z == -first.z


def test_an_owner_who_is_told_of_the_cards_at_another_table_comes_first() -> None:
    pairs = played(random.Random(2), told=True, board_sets="field")
    [first, second, *_] = pairs.values()
    assert (first.owner, first.other) == ("of-bot1", "of-bot0")
    assert first.shared_boards >= 20
    assert first.lift is not None
    assert first.lift > 0.5
    assert (first.lift_z or 0) > 4 > max(second.z, second.lift_z or 0)


def test_of_honest_pairs_about_as_many_stand_out_as_chance_makes() -> None:
    zs = [pair.z for seed in range(5) for pair in played(random.Random(seed), rounds=20).values()]
    assert len(zs) > 300
    assert sum(abs(z) > 2 for z in zs) < 0.1 * len(zs)
    assert max(zs) < 5


def test_of_many_owners_all_pairs_that_met_are_told_and_of_the_others_those_that_gained_most() -> None:
    rng = random.Random(4)
    bots = [f"bot{number}" for number in range(240)]
    rounds = []
    for number in range(1, 9):
        order = rng.sample(bots, len(bots))
        outcomes = []
        for table, pair in enumerate(zip(order[::2], order[1::2], strict=True)):
            section = rng.randrange(3)
            for board in range(1, 5):
                margin = rng.choice((-9, -4, -1, 1, 4, 9))
                half = (2, 0) if margin > 0 else (0, 2)
                outcomes.append(MatchOutcome(number, table + 1, section * 4 + board, pair, half, (margin, -margin)))
        rounds.append(PlayedRound(number, (), tuple(outcomes)))
    spec = parse_league(f'{FILE}board_sets = "field"\n'.replace("boards = 1", "boards = 4"), "grand.toml")
    entrants = tuple(Entrant(name, owner=f"of-{name}") for name in bots)
    ratings = dict.fromkeys(bots, Rating(1500.0, 0.0, None, None, 0))
    pairs = owner_pairs([PlayedDivision(spec.division(), entrants, rounds, ratings)])
    met = [pair for pair in pairs if pair.board_sets]
    assert {(pair.owner, pair.other) for pair in met} == {
        (f"of-{one}", f"of-{other}")
        for played in rounds
        for outcome in played.outcomes
        for one, other in (outcome.seating, outcome.seating[::-1])
    }
    assert len(pairs) - len(met) == MAX_LIFTED
    lifts = [pair.lift_z or 0.0 for pair in pairs if not pair.board_sets]
    assert lifts == sorted(lifts, reverse=True)
    assert by_chance(pairs) > max(lifts) > 3, "the best of 240 × 240, not of those that are kept"


def test_mirrored_boards_are_shared_with_nobody_and_bots_without_owner_are_left_out() -> None:
    assert all(pair.shared_boards == 0 and pair.lift is None for pair in played(random.Random(3), rounds=3).values())
    assert owner_pairs([]) == ()
