"""No round is paired worse than by FIDE's team Swiss, and the tie-breaks are FIDE's, by another program."""

import random

from compare_gacrux import Tally, compare_tie_breaks, event

from arena.league.results import score_match
from arena.league.values import Entrant, MatchOutcome, PlayedRound


def test_no_round_of_random_events_is_paired_worse_than_by_fides_team_swiss_and_tie_breaks_are_fides() -> None:
    tally = Tally()
    for number in range(24):
        event(number, tally, most_bots=24)
    assert tally.worse == []
    assert tally.differing == []
    assert (tally.tables, tally.rounds - tally.impossible) == (24, tally.better + tally.same)
    assert tally.rounds > 24 * 2


def drawish_round(rng: random.Random, number: int, present: list[str]) -> PlayedRound:
    """A round in which anyone may meet anyone again and half of the tables are drawn: many bots end equal."""
    order = rng.sample(present, len(present))
    outcomes = []
    for table, (one, other) in enumerate(zip(order[::2], order[1::2], strict=False), start=1):
        margin = rng.choice((0, 0, 1, -1))
        for seating, ahead in (((one, other), margin), ((other, one), -margin)):
            score = score_match((ahead, 0))
            outcomes.append(MatchOutcome(number, table, table, seating, score.half_points, score.margins))
    return PlayedRound(number, tuple(order[-1:]) if len(order) % 2 else (), tuple(outcomes))


def test_tie_breaks_of_small_events_with_many_equal_bots_are_fides() -> None:
    tally = Tally()
    for number in range(150):
        rng = random.Random(number)
        names = [f"bot{place}" for place in range(rng.randint(3, 8))]
        rounds = rng.randint(1, 6)
        entrants = [
            Entrant(name, rng.choice((1, 1, 1, 2)), rng.choice((None, None, None, rounds // 2 + 1))) for name in names
        ]
        played = [
            drawish_round(rng, at, [entrant.name for entrant in entrants if entrant.plays(at)])
            for at in range(1, rounds + 1)
        ]
        compare_tie_breaks(f"event {number}", names, entrants, played, tally)
    assert tally.tables == 150
    assert tally.differing == []
