"""What each pair of owners did for one another, beyond what all results predict: where games are thrown, it shows here.

Two statistics, of which neither proves anything of a single pair: of a hundred honest pairs five are beyond 2.

- *Against each other:* what one owner's bots scored against those of the other, less what the division's ratings
  predict. The unit is the board set of two bots, whose games share their cards.
- *Beside each other* (field boards): the margins of one owner's bots on boards that a bot of the other played at
  another table, less those on other boards: who is told of the cards does better there.

Both are divided by their standard error, from the spread of all such numbers of the division.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

import msgspec

from arena.league.field import counted
from arena.league.ratings import Rating
from arena.league.spec import Division
from arena.league.values import Entrant, PlayedRound

_Pair = tuple[str, str]


class OwnerPair(msgspec.Struct, frozen=True):
    """Two owners, or one with itself: its stronger bots against its weaker ones.

    `board_sets` is how many they played against each other, `excess` what the first owner scored a game more than
    predicted (1 is a won game for a lost one), `z` that over its standard error. `shared_boards` is how many boards the
    first owner's bots played while the other's had them at another table, `lift` how much better their margins were
    there, in standard deviations, `lift_z` that over its standard error; None where there is nothing to compare.
    """

    owner: str
    other: str
    board_sets: int
    excess: float
    z: float
    shared_boards: int = 0
    lift: float | None = None
    lift_z: float | None = None


class PlayedDivision(msgspec.Struct, frozen=True):
    """A division with its complete rounds, and the ratings that follow from them."""

    division: Division
    entrants: Sequence[Entrant]
    rounds: Sequence[PlayedRound]
    ratings: Mapping[str, Rating]


def owner_pairs(divisions: Iterable[PlayedDivision]) -> tuple[OwnerPair, ...]:
    """Ordered pairs of owners that met or shared boards, the highest z first; bots without an owner are left out."""
    against: dict[_Pair, list[tuple[float, float]]] = defaultdict(list)
    beside: dict[_Pair, list[float]] = defaultdict(list)
    alone: dict[_Pair, list[float]] = defaultdict(list)
    for played in divisions:
        owners = {entrant.name: entrant.owner for entrant in played.entrants if entrant.owner}
        _add_meetings(played, owners, against)
        if played.division.board_sets == "field":
            _add_shared_boards(played, owners, beside, alone)
    pairs = []
    for owner, other in sorted({*against, *beside}):
        met = against.get((owner, other), [])
        excess = sum(residual for residual, _ in met) / max(len(met), 1)
        spread = math.sqrt(sum(deviation**2 for _, deviation in met))
        z = sum(residual for residual, _ in met) / spread if spread else 0.0
        lift, lift_z = _lift(beside.get((owner, other), []), alone.get((owner, other), []))
        shared = len(beside.get((owner, other), []))
        pairs.append(OwnerPair(owner, other, len(met), round(excess, 6), round(z, 6), shared, lift, lift_z))
    return tuple(sorted(pairs, key=lambda pair: (-max(pair.z, pair.lift_z or 0.0), pair.owner, pair.other)))


def _add_meetings(
    played: PlayedDivision, owners: Mapping[str, str], against: dict[_Pair, list[tuple[float, float]]]
) -> None:
    scores: dict[tuple[int, int, int, str, str], list[float]] = defaultdict(list)
    for outcome in (outcome for round_ in counted(played.division, played.rounds) for outcome in round_.outcomes):
        seats = range(len(outcome.seating))
        for pair in combinations(seats, 2):
            # By name, so that the board set of two bots is one, however they sat.
            one, two = sorted(pair, key=outcome.seating.__getitem__)
            mine, theirs = outcome.half_points[one], outcome.half_points[two]
            key = (outcome.round, outcome.table, outcome.board, outcome.seating[one], outcome.seating[two])
            scores[key].append(((mine > theirs) - (mine < theirs)) / 2)
    residuals = [
        (first, second, sum(won) / len(won) + 0.5 - _expected(played.ratings, first, second))
        for (_, _, _, first, second), won in scores.items()
    ]
    if not residuals:
        return
    deviation = math.sqrt(sum(residual**2 for _, _, residual in residuals) / len(residuals))
    for first, second, residual in residuals:
        owner, other = owners.get(first), owners.get(second)
        if owner is None or other is None:
            continue
        if owner == other:
            stronger = played.ratings[first].mu >= played.ratings[second].mu
            against[owner, owner].append((residual if stronger else -residual, deviation))
        else:
            against[owner, other].append((residual, deviation))
            against[other, owner].append((-residual, deviation))


def _add_shared_boards(
    played: PlayedDivision,
    owners: Mapping[str, str],
    beside: dict[_Pair, list[float]],
    alone: dict[_Pair, list[float]],
) -> None:
    margins: dict[str, list[tuple[tuple[int, int], int, float]]] = defaultdict(list)
    there: dict[tuple[int, int], set[tuple[int, str]]] = defaultdict(set)
    for outcome in (outcome for round_ in counted(played.division, played.rounds) for outcome in round_.outcomes):
        board = outcome.round, outcome.board
        for bot, margin in zip(outcome.seating, outcome.margins, strict=True):
            margins[bot].append((board, outcome.table, float(margin)))
            if bot in owners:
                there[board].add((outcome.table, owners[bot]))
    others = sorted(set(owners.values()))
    for bot, (owner, other) in product(sorted(margins), product(others, others)):
        if owners.get(bot) != owner or owner == other:
            continue
        own = [margin for _, _, margin in margins[bot]]
        mean = sum(own) / len(own)
        deviation = math.sqrt(sum((margin - mean) ** 2 for margin in own) / len(own)) or 1.0
        for board, table, won in margins[bot]:
            shared = any(at != table and whose == other for at, whose in there[board])
            (beside if shared else alone)[owner, other].append((won - mean) / deviation)


def _lift(shared: Sequence[float], rest: Sequence[float]) -> tuple[float | None, float | None]:
    if len(shared) < 2 or len(rest) < 2:
        return None, None
    lift = sum(shared) / len(shared) - sum(rest) / len(rest)
    error = math.sqrt(_variance(shared) / len(shared) + _variance(rest) / len(rest))
    return round(lift, 6), round(lift / error, 6) if error else 0.0


def _variance(numbers: Sequence[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)


def _expected(ratings: Mapping[str, Rating], one: str, two: str) -> float:
    return float(1 / (1 + 10 ** ((ratings[two].mu - ratings[one].mu) / 400)))
