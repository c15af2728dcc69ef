"""What each pair of owners did for one another, beyond what all results predict: where games are thrown, it shows here.

Two statistics, of which neither proves anything of a single pair: of a hundred honest pairs five are beyond 2.

- *Against each other:* what one owner's bots scored against those of the other, less what the division's ratings
  predict. The unit is the board set of two bots, whose games share their cards.
- *Beside each other* (field boards): the margins of one owner's bots on boards that a bot of the other played at
  another table, less those on boards that it did not play: who is told of the cards does better there. The unit is a
  bot's round.

Both are divided by their standard error, from the spread of all such numbers.

The work for shared boards grows with rounds and the square of a section's tables, in numpy; memory with the pairs that
met. Ten thousand owners share boards with all others: only `MAX_LIFTED` of the pairs that did not meet are kept.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist

import msgspec
import numpy as np
import numpy.typing as npt

from arena.league.field import counted
from arena.league.ratings import Rating
from arena.league.spec import Division
from arena.league.values import Entrant, PlayedRound

MAX_LIFTED = 1_000
"""Of pairs that never met, those with the highest lift; of the others every one is kept."""
_BY_CHANCE = 0.05
"""In so many honest leagues some pair is beyond `by_chance`."""
_MIN_ROUNDS = 2
"""So many rounds it takes on either side to compare."""

_Pair = tuple[str, str]
_Seats = list[tuple[str, int, float]]
"""At a table, for each bot: its owner, "" for none; how many boards it played; and its mean margin on them, in standard
deviations from its own mean."""


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
    """Ordered pairs of owners that met or shared boards, the highest z first; bots without an owner are left out.

    Of pairs that never met there are `MAX_LIFTED` at most.
    """
    against: dict[_Pair, list[tuple[float, float]]] = defaultdict(list)
    sections: list[list[_Seats]] = []
    for played in divisions:
        owners = {entrant.name: entrant.owner for entrant in played.entrants if entrant.owner}
        _add_meetings(played, owners, against)
        if played.division.board_sets == "field":
            sections += _sections(played, owners)
    beside = _beside(sections, against.keys())
    pairs = []
    for owner, rival in sorted({*against, *beside}):
        met = against.get((owner, rival), [])
        excess = sum(residual for residual, _ in met) / max(len(met), 1)
        spread = math.sqrt(sum(deviation**2 for _, deviation in met))
        z = sum(residual for residual, _ in met) / spread if spread else 0.0
        shared, lift, lift_z = beside.get((owner, rival), (0, None, None))
        pairs.append(OwnerPair(owner, rival, len(met), round(excess, 6), round(z, 6), shared, lift, lift_z))
    return tuple(sorted(pairs, key=lambda pair: (-highest(pair), pair.owner, pair.other)))


def highest(pair: OwnerPair) -> float:
    """The higher of a pair's two z."""
    return max(pair.z, pair.lift_z or 0.0)


def by_chance(pairs: Sequence[OwnerPair]) -> float:
    """Return the z beyond which a pair stands out of so many: of twenty honest leagues one has such a pair."""
    numbers = sum(1 + (pair.lift_z is not None) for pair in pairs)
    if sum(not pair.board_sets for pair in pairs) == MAX_LIFTED:  # the best of how many is not known here
        numbers = max(numbers, len({pair.owner for pair in pairs}) ** 2)
    return NormalDist().inv_cdf(1 - _BY_CHANCE / max(numbers, 1))


def _add_meetings(
    played: PlayedDivision, owners: Mapping[str, str], against: dict[_Pair, list[tuple[float, float]]]
) -> None:
    scores: dict[tuple[int, int, int, str, str], list[float]] = defaultdict(list)
    for outcome in (outcome for round_ in counted(played.division, played.rounds) for outcome in round_.outcomes):
        seats = range(len(outcome.seating))
        for pair in combinations(seats, 2):
            # By name, so that the board set of two bots is one, however they sat.
            seat, opposite = sorted(pair, key=outcome.seating.__getitem__)
            mine, theirs = outcome.half_points[seat], outcome.half_points[opposite]
            key = (outcome.round, outcome.table, outcome.board, outcome.seating[seat], outcome.seating[opposite])
            scores[key].append(((mine > theirs) - (mine < theirs)) / 2)
    residuals = [
        (first, second, sum(won) / len(won) + 0.5 - _expected(played.ratings, first, second))
        for (_, _, _, first, second), won in scores.items()
    ]
    if not residuals:
        return
    deviation = math.sqrt(sum(residual**2 for _, _, residual in residuals) / len(residuals))
    for first, second, residual in residuals:
        owner, rival = owners.get(first), owners.get(second)
        if owner is None or rival is None:
            continue
        if owner == rival:
            stronger = played.ratings[first].mu >= played.ratings[second].mu
            against[owner, owner].append((residual if stronger else -residual, deviation))
        else:
            against[owner, rival].append((residual, deviation))
            against[rival, owner].append((-residual, deviation))


def _sections(played: PlayedDivision, owners: Mapping[str, str]) -> list[list[_Seats]]:
    """Return the tables of each section of each round, of which all play the same boards."""
    outcomes = [outcome for round_ in counted(played.division, played.rounds) for outcome in round_.outcomes]
    margins: dict[str, list[float]] = defaultdict(list)
    of_seat: dict[tuple[int, int, str], list[float]] = defaultdict(list)
    boards: dict[tuple[int, int], list[int]] = defaultdict(list)
    bots: dict[tuple[int, int], set[str]] = defaultdict(set)
    for outcome in outcomes:
        table = outcome.round, outcome.table
        boards[table].append(outcome.board)
        bots[table].update(outcome.seating)
        for bot, margin in zip(outcome.seating, outcome.margins, strict=True):
            margins[bot].append(float(margin))
            of_seat[*table, bot].append(float(margin))
    spread = {bot: _spread(of_bot) for bot, of_bot in margins.items()}
    sections: dict[tuple[int, tuple[int, ...]], list[_Seats]] = defaultdict(list)
    for table in sorted(boards):
        seats: _Seats = []
        for bot in sorted(bots[table]):
            mean, deviation = spread[bot]
            seat_margins = of_seat[*table, bot]
            seats.append(
                (owners.get(bot, ""), len(seat_margins), (sum(seat_margins) / len(seat_margins) - mean) / deviation)
            )
        sections[table[0], tuple(sorted(boards[table]))].append(seats)
    return [*sections.values()]


def _spread(margins: Sequence[float]) -> tuple[float, float]:
    mean = sum(margins) / len(margins)
    return mean, math.sqrt(sum((margin - mean) ** 2 for margin in margins) / len(margins)) or 1.0


def _beside(
    sections: Sequence[list[_Seats]], met: Iterable[_Pair]
) -> dict[_Pair, tuple[int, float | None, float | None]]:
    """Of ordered pairs the boards that the first one's bots had while the other's were at another table, and the lift.

    Of pairs that are not among those that `met` only `MAX_LIFTED` are kept.
    """
    names = sorted({owner for tables in sections for seats in tables for owner, *_ in seats if owner})
    number = {name: place for place, name in enumerate(names)}
    wanted: dict[str, list[int]] = defaultdict(list)
    for owner, rival in met:
        if owner != rival and owner in number and rival in number:
            wanted[owner].append(number[rival])
    means = [mean for tables in sections for seats in tables for _, _, mean in seats]
    spread = math.sqrt(sum(mean**2 for mean in means) / max(len(means), 1))
    whose = [[sorted({number[owner] for owner, *_ in seats if owner}) for seats in tables] for tables in sections]
    crowds = [np.bincount(_joined(tables), minlength=len(names)) for tables in whose]
    places: dict[str, list[tuple[int, int, tuple[int, int, float]]]] = defaultdict(list)
    for section, tables in enumerate(sections):
        for table, seats in enumerate(tables):
            for owner, boards, mean in seats:
                places[owner].append((section, table, (boards, 1, mean)))
    shown: dict[_Pair, tuple[int, float | None, float | None]] = {}
    others: list[tuple[float, str, str, float, float]] = []
    for owner in names:
        shared, unshared = np.zeros((3, len(names))), np.zeros((3, len(names)))
        for section, table, sums in places[owner]:
            elsewhere = crowds[section].copy()
            elsewhere[whose[section][table]] -= 1
            apart = elsewhere == 0
            shared += np.outer(sums, ~apart)
            apart[whose[section][table]] = False  # who sits at this very table is not beside it
            unshared += np.outer(sums, apart)
        lift, lift_z, has_lift = _lifts(shared[1:], unshared[1:], spread)
        has_lift[number[owner]] = False
        for place in wanted[owner]:
            if shared[0, place]:
                values = (float(numbers[place]) for numbers in (shared[0], lift, lift_z))
                shown[owner, names[place]] = _rounded(*values, is_known=bool(has_lift[place]))
        has_lift[wanted[owner]] = False
        best = np.flatnonzero(has_lift)[np.argsort(-lift_z[has_lift], kind="stable")][:MAX_LIFTED]
        others += [
            (-float(lift_z[place]), owner, names[place], float(shared[0, place]), float(lift[place])) for place in best
        ]
        if len(others) > 2 * MAX_LIFTED:
            others = sorted(others)[:MAX_LIFTED]
    for minus_z, owner, rival, common, raised in sorted(others)[:MAX_LIFTED]:
        shown[owner, rival] = _rounded(common, raised, -minus_z, is_known=True)
    return shown


def _rounded(boards: float, lift: float, lift_z: float, *, is_known: bool) -> tuple[int, float | None, float | None]:
    return int(boards), round(float(lift), 6) if is_known else None, round(float(lift_z), 6) if is_known else None


def _joined(tables: Iterable[Iterable[int]]) -> npt.NDArray[np.int64]:
    return np.array([number for table in tables for number in table], dtype=np.int64)


def _lifts(
    shared: npt.NDArray[np.float64], unshared: npt.NDArray[np.float64], spread: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """How much higher the mean of numbers is than that of the rest, of each how many there are and their sum; that over
    its standard error; and where both are known."""
    enough = (shared[0] >= _MIN_ROUNDS) & (unshared[0] >= _MIN_ROUNDS)
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = shared[1] / shared[0] - unshared[1] / unshared[0]
        error = spread * np.sqrt(1 / shared[0] + 1 / unshared[0])
        return lift, np.where(error > 0, lift / error, 0.0), enough


def _expected(ratings: Mapping[str, Rating], first: str, second: str) -> float:
    return float(1 / (1 + 10 ** ((ratings[second].mu - ratings[first].mu) / 400)))
