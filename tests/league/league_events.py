"""Simulated leagues and slow, plain references that the tests compare with."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby, pairwise, permutations

from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.results import score_match, table_points
from arena.league.rounds import next_round
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, MatchOutcome, PlayedRound, RoundPlan, Seating


def contender(name: str, score: int = 0, met: str = "", byes: int = 0, floated: int = 0) -> Contender:
    """A bot with a one-letter name that met the bots whose letters `met` holds, as often as they stand there."""
    return Contender(name, score, {letter: met.count(letter) for letter in met}, byes, floated)


def won_from_each_other(names: Iterable[str], rounds: Iterable[PlayedRound]) -> dict[str, dict[str, list[int]]]:
    """The match points of each meeting of two bots, by name and opponent."""
    found: dict[str, dict[str, list[int]]] = {name: {} for name in names}
    for table in (table for played in rounds for table in table_points(played)):
        for (one, mine), (other, its) in permutations(table.items(), 2):
            found[one].setdefault(other, []).append(1 + (mine > its) - (mine < its))
    return found


def random_field(rng: random.Random, scores: list[int], most_met: int, *, plain: bool = False) -> list[Contender]:
    """Bots with these scores and a random history that any rounds may or may not have led to."""
    names = [f"bot{index}" for index in range(len(scores))]
    met: dict[str, dict[str, int]] = {name: {} for name in names}
    for _ in range(most_met):
        order = rng.sample(names, len(names))
        for one, other in zip(order[::2], order[1::2], strict=False):
            met[one][other] = met[other][one] = met[one].get(other, 0) + 1
    return [
        Contender(
            name,
            score,
            met[name],
            0 if plain else rng.choice((0, 0, 0, 1, 2)),
            0 if plain else rng.choice((-1, 0, 0, 0, 1)),
        )
        for name, score in zip(names, scores, strict=True)
    ]


def play_event(
    rng: random.Random, bots: int, rounds: int, *, absent: float = 0.0
) -> Iterator[tuple[list[Contender], Seating]]:
    """Each round of a Swiss event of bots of different strength; a bot may miss a round now and then."""
    names = [f"bot{index}" for index in range(bots)]
    strength = {name: rng.gauss(0, 1) for name in names}
    state = {name: Contender(name, 0, {}) for name in names}
    for number in range(1, rounds + 1):
        field = [state[name] for name in names if rng.random() >= absent]
        pairing = pair(field, Lots("event", str(number)))
        yield field, pairing
        after = {name: state[name]._replace(floated=0) for name in names}
        for name in pairing.byes:
            bot = after[name]
            after[name] = bot._replace(score=bot.score + 2, byes=bot.byes + 1, floated=-1)
        for table in pairing.tables:
            edge = strength[table[0]] - strength[table[1]] + rng.gauss(0, 1)
            points = 1 if abs(edge) < 0.1 else 2 * (edge > 0)
            for name, other, won in ((*table, points), (*table[::-1], 2 - points)):
                bot = state[name]
                ahead = bot.score - state[other].score
                after[name] = bot._replace(
                    score=bot.score + won,
                    met={**bot.met, other: bot.met.get(other, 0) + 1},
                    floated=(ahead < 0) - (ahead > 0),
                )
        state = after


def all_pairings(names: tuple[str, ...]) -> Iterator[tuple[tuple[tuple[str, str], ...], str | None]]:
    """Every way to pair the names, with every choice of the bye where their number is odd."""
    if len(names) % 2:
        for bye in names:
            for tables, _ in all_pairings(tuple(name for name in names if name != bye)):
                yield tables, bye
    elif not names:
        yield (), None
    else:
        first, *others = names
        for partner in others:
            for tables, _ in all_pairings(tuple(name for name in others if name != partner)):
                yield ((first, partner), *tables), None


def plain_cost(bots: Mapping[str, Contender], tables: tuple[tuple[str, str], ...], bye: str | None) -> tuple[int, ...]:
    """The six terms of the objective, each counted by itself."""
    pairs = [(bots[table], bots[other]) for table, other in tables]
    meetings = [one.met.get(other.name, 0) for one, other in pairs]
    floats = [(one, one.score - other.score) for one, other in pairs + [(other, one) for one, other in pairs]]
    repeated = sum(bot.floated * ahead < 0 for bot, ahead in floats)
    holder = None if bye is None else bots[bye]
    return (
        holder.byes if holder else 0,
        sum(count > 0 for count in meetings),
        sum(count - 1 for count in meetings if count),
        holder.score if holder else 0,
        sum(abs(one.score - other.score) for one, other in pairs),
        repeated + (holder is not None and holder.floated == -1),
    )


def least_differences(scores: list[int], bye_score: int | None) -> int:
    """The least sum of score differences any pairing of these scores can have, met or not.

    Where an odd number of bots stands above a gap between two scores, at least one pair must reach across it.
    """
    rest = sorted(scores, reverse=True)
    if bye_score is not None:
        rest.remove(bye_score)
    total = above = 0
    groups = [(score, len(list(group))) for score, group in groupby(rest)]
    for (score, size), (below, _) in pairwise(groups):
        above += size
        total += (score - below) * (above % 2)
    return total


def play_round(
    plan: RoundPlan, strength: Mapping[str, int], rng: random.Random, *, forfeits: float = 0.0
) -> PlayedRound:
    """The round's outcomes: a balance is the bot's strength plus luck, of which a seat of a board has always the same.

    Now and then a match is forfeited by one of its bots.
    """
    luck: dict[tuple[int, int], int] = {}
    outcomes = []
    for match in plan.matches:
        balances = [
            luck.setdefault((match.board, seat), rng.randint(-15, 15)) + strength[name] + rng.randint(-4, 4)
            for seat, name in enumerate(match.seating)
        ]
        forfeiter = rng.randrange(len(balances)) if rng.random() < forfeits else None
        score = score_match(balances, forfeiter)
        outcomes.append(
            MatchOutcome(
                match.round,
                match.table,
                match.board,
                match.seating,
                score.half_points,
                score.margins,
                "COMPLETED" if forfeiter is None else "TIMEOUT",
                None if forfeiter is None else match.seating[forfeiter],
            )
        )
    return plan.close(tuple(outcomes))


def play_league(
    spec: LeagueSpec,
    division: Division,
    entrants: Collection[Entrant],
    strength: Mapping[str, int],
    rng: random.Random,
    *,
    forfeits: float = 0.0,
) -> list[PlayedRound]:
    """All rounds of a division."""
    played: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, division, entrants, played), RoundPlan):
        played.append(play_round(plan, strength, rng, forfeits=forfeits))
    return played
