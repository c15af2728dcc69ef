"""The ratings of ladders: the season's boards together with what was known before them."""

import random
from collections.abc import Sequence

import pytest

from arena.league.columns import Columns
from arena.league.ladder_ratings import VERSION, LadderRatings
from arena.league.ladder_terms import Ladder
from arena.league.ratings import Rating, Strengths
from arena.league.values import Entrant, MatchOutcome
from benchmarks.simulated_leagues import Format, ladder, league, names_of

BOTS = names_of(4)
"""The first is the weakest."""
FIELD = [Entrant(name) for name in BOTS]


def season(rounds: int, seed: str, apart: float = 100) -> list[MatchOutcome]:
    rng = random.Random(seed)
    return league(ladder(apart)(len(BOTS), rng), Format(len(BOTS), rounds, 2), rng)[0]


def renamed(outcomes: list[MatchOutcome], names: dict[str, str], first_round: int = 1) -> list[MatchOutcome]:
    return [
        MatchOutcome(
            outcome.round + first_round - 1,
            outcome.table,
            outcome.board,
            tuple(names.get(name, name) for name in outcome.seating),
            outcome.half_points,
            outcome.margins,
        )
        for outcome in outcomes
    ]


def rated(
    outcomes: list[MatchOutcome], entrants: Sequence[Entrant] = FIELD, terms: Ladder | None = None
) -> LadderRatings:
    return LadderRatings(Columns([outcomes]), entrants, terms or Ladder())


def next_season(before: LadderRatings, names: Sequence[str] = BOTS, changed: Sequence[str] = ()) -> Ladder:
    return Ladder(start=before.carried({name: name for name in names}, changed), shared=before.shared)


def bar(rating: Rating) -> float:
    assert rating.high is not None
    return rating.high - rating.mu


def test_without_anything_before_ratings_are_those_of_the_boards() -> None:
    outcomes = season(20, "own")
    assert rated(outcomes, [*FIELD, Entrant("idle")]).ratings() == Strengths(Columns([outcomes])).ratings()


def test_boards_tell_as_much_in_many_short_seasons_as_in_one() -> None:
    parts = [season(10, f"part {number}") for number in range(12)]
    terms = Ladder()
    for part in parts:
        last = rated(part, terms=terms)
        terms = next_season(last)
    whole = [one for number, part in enumerate(parts) for one in renamed(part, {}, first_round=1 + 10 * number)]
    together, one_by_one = rated(whole).ratings(), last.ratings()
    for name in BOTS:
        assert one_by_one[name].mu == pytest.approx(together[name].mu, abs=bar(together[name]) / 3)
        assert bar(one_by_one[name]) == pytest.approx(bar(together[name]), rel=0.1)


def test_a_season_begins_as_the_one_before_has_ended() -> None:
    ended = rated(season(20, "before"))
    begun = rated([], terms=next_season(ended))
    assert {name: one.matches for name, one in begun.ratings().items()} == dict.fromkeys(BOTS, 0)
    for name, rating in ended.ratings().items():
        assert begun.ratings()[name].mu == pytest.approx(rating.mu, abs=1)
        assert begun.ratings()[name].sigma == pytest.approx(rating.sigma, rel=0.05)


def test_who_was_known_keeps_the_level_and_whoever_is_new_finds_its_own() -> None:
    terms = next_season(rated(season(20, "before")))
    new = renamed(season(60, "after"), {BOTS[0]: "new"})
    after = rated(new, [*FIELD, Entrant("new")], terms).ratings()
    before = {name: one.mu for name, one in terms.start.items()}
    assert sum(after[name].mu for name in BOTS) == pytest.approx(sum(before.values()), abs=0.1)
    assert after["new"].mu == pytest.approx(after[BOTS[0]].mu, abs=bar(after["new"])), "it is as strong as the first"


def test_a_new_version_starts_at_the_rating_of_the_one_before_with_a_wider_bar() -> None:
    outcomes = season(20, "own")
    found = rated(outcomes, [*FIELD, Entrant("next", 21, follows=BOTS[1])]).ratings()
    assert found["next"].matches == 0
    assert found["next"].mu == pytest.approx(found[BOTS[1]].mu, abs=10)
    # The mean of the five, to which ratings refer, moves with it.
    assert found["next"].sigma == pytest.approx((found[BOTS[1]].sigma ** 2 + (VERSION * 4 / 5) ** 2) ** 0.5, rel=0.1)


def test_the_boards_of_a_new_version_soon_count_for_more_than_those_of_the_one_before() -> None:
    # The next version of the first is as strong as the last.
    after = renamed(season(20, "after"), {BOTS[3]: "next", BOTS[0]: BOTS[3]}, first_round=21)
    entrants = [*FIELD, Entrant("next", 21, follows=BOTS[0])]
    found = rated(season(20, "own") + after, entrants).ratings()
    assert found["next"].mu > found[BOTS[0]].mu + 200


def test_a_bot_that_comes_back_is_the_one_that_left() -> None:
    outcomes = season(20, "own") + renamed(season(20, "after"), {BOTS[2]: "back"}, first_round=21)
    found = rated(outcomes, [*FIELD, Entrant("back", 21, resumes=BOTS[2])]).ratings()
    one, other = found["back"], found[BOTS[2]]
    assert (one.mu, one.sigma) == (other.mu, other.sigma)
    assert bar(one) < bar(found[BOTS[1]]) * 1.2


def test_what_was_known_through_a_version_is_not_lost_with_it() -> None:
    entrants = [*FIELD, Entrant("next", 21, follows=BOTS[1])]
    ended = rated(season(20, "own"), entrants)
    lines = {name: name for name in BOTS} | {BOTS[1]: "next"}
    begun = rated([], terms=Ladder(start=ended.carried(lines, ()), shared=ended.shared)).ratings()
    for name, entry in lines.items():
        assert begun[name].sigma == pytest.approx(ended.ratings()[entry].sigma, rel=0.1)


def test_a_version_that_changes_between_seasons_starts_with_a_wider_bar() -> None:
    ended = rated(season(20, "own"))
    start = next_season(ended, changed=[BOTS[1]])
    begun = rated([], terms=start).ratings()[BOTS[1]]
    assert start.start[BOTS[1]].sigma == pytest.approx(
        (ended.ratings()[BOTS[1]].sigma ** 2 + VERSION**2) ** 0.5, abs=0.1
    )
    # The mean of the four, to which ratings refer, moves with it.
    assert begun.sigma == pytest.approx((ended.ratings()[BOTS[1]].sigma ** 2 + (VERSION * 3 / 4) ** 2) ** 0.5, rel=0.1)


def test_a_bot_that_is_out_for_a_season_is_known_as_it_was() -> None:
    terms = next_season(rated(season(20, "before")))
    there = FIELD[1:]
    outcomes = [one for one in season(20, "after") if BOTS[0] not in one.seating]
    terms = next_season(rated(outcomes, there, terms), BOTS[1:])
    assert set(terms.start) == set(BOTS)
    back = rated([], terms=terms).ratings()
    assert back[BOTS[0]].mu < back[BOTS[1]].mu


def test_entries_that_follow_one_another_in_a_circle_have_no_rating_before_they_have_played() -> None:
    circle = [Entrant("a", follows="b"), Entrant("b", follows="a"), Entrant("c")]
    assert rated([], circle).ratings() == {}


def test_of_many_bots_the_strongest_ties_are_kept() -> None:
    names = names_of(80)
    rng = random.Random("many")
    outcomes, _ = league(ladder(5)(80, rng), Format(80, 60, 1), rng)
    start = rated(outcomes, [Entrant(name) for name in names]).carried({name: name for name in names}, ())
    ties = sum(len(one.ties) for one in start.values())
    assert 80 * 32 / 2 <= ties <= 80 * 32
    assert all(min(one.ties, default="z") > name for name, one in start.items())


def test_nothing_is_carried_from_a_season_that_nobody_has_played() -> None:
    nobody = rated([])
    assert nobody.carried({name: name for name in BOTS}, ()) == {}
    assert nobody.shared == Ladder().shared
