"""A trial: two versions of a bot play the same boards until a sequential test has its verdict.

A board is played in every seating in which the two have as equal a number of seats as can be: with two seats in both
orders, with three in six (each version alone against two of the other, in each seat), with four in six (two against
two). So each version has each seat as often as the other, and to exchange the two changes the sign of every margin and
nothing else. With three seats the rotations of one against two would not do: they measure how a newcomer fares among
the other's kind, and to be the only one of a kind counts too.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import product

import msgspec

from arena.league.errors import StatisticsError
from arena.league.results import score_match
from arena.league.statistics import MIN_BOARD_SETS, Estimate
from arena.league.values import parts
from arena.sprt.elo import (
    Bars,
    Sample,
    elo_of_results,
    elo_so_far,
    mean_elo,
    points_of_margins,
    points_so_far,
)
from arena.sprt.sequential import (
    MIN_MARGINS,
    Hypotheses,
    Pentanomial,
    Reading,
    margin_reading,
    pair_outcome,
    pentanomial_reading,
    telling_margins,
)


class Side(IntEnum):
    """Which of the two versions."""

    NEW = 0
    OLD = 1


Seating = tuple[Side, ...]


class Measure(StrEnum):
    """What a trial reads: the results of mirrored pairs, or the margins of board sets."""

    RESULTS = "results"
    MARGINS = "margins"


def trial_seatings(seats: int) -> tuple[Seating, ...]:
    """The seatings that a board is played in by two to four seats; StatisticsError for another number."""
    if not 2 <= seats <= 4:
        raise StatisticsError(f"a trial has two to four seats at a table, not {seats}")
    shares = {seats // 2, seats - seats // 2}
    return tuple(seating for seating in product(Side, repeat=seats) if seating.count(Side.NEW) in shares)


def names_at(seating: Seating, names: Sequence[str]) -> tuple[str, ...]:
    """The names by seat; a version has another one where it sits a second time at one table."""
    again = ["-again" if side in seating[:seat] else "" for seat, side in enumerate(seating)]
    return tuple(names[side] + suffix for side, suffix in zip(seating, again, strict=True))


class Game(msgspec.Struct, frozen=True):
    """A game as the new version saw it.

    `half_points` are 2, 1 or 0, None where more than two played. `margin` is what its seats had on an average less what
    the other's had, in the variant's points; `luck` is how much of it the cards brought, where that was found out.
    `forfeiter` is the version whose fault ended the game, if any, and `cause` the end that the game had by it.
    """

    half_points: int | None
    margin: float
    forfeiter: Side | None = None
    luck: float | None = None
    cause: str = ""


def trial_game(seating: Seating, balances: Sequence[int], forfeiter: int | None = None, cause: str = "") -> Game:
    """The game of this end, by seat; a forfeit counts as it does in a league."""
    score = score_match(balances, forfeiter)
    new_seats = [seat for seat, side in enumerate(seating) if side is Side.NEW]
    # A seat's margin is against the mean of all others, and all margins add up to 0: hence the factor.
    seats, mine = len(seating), len(new_seats)
    factor = (seats - 1) / (parts(seats) * mine * (seats - mine))
    return Game(
        half_points=score.half_points[new_seats[0]] if seats == 2 else None,
        margin=sum(score.margins[seat] for seat in new_seats) * factor,
        forfeiter=None if forfeiter is None else seating[forfeiter],
        cause="" if forfeiter is None else cause,
    )


def trial_luck(seating: Seating, luck: Sequence[float]) -> float:
    """The luck in a game's margin, from that in each seat's margin against the mean of all others."""
    seats, mine = len(seating), seating.count(Side.NEW)
    luck_of_new = math.fsum(luck[seat] for seat, side in enumerate(seating) if side is Side.NEW)
    return luck_of_new * (seats - 1) / (mine * (seats - mine))


class Adjusted(msgspec.Struct, frozen=True):
    """The mean margin of the board sets so far, plain and with the luck taken out, each with its standard error.

    `factor` is how many times more board sets the plain mean needs for the error of the adjusted one. The errors do not
    allow for the test's stop.
    """

    plain: float
    plain_error: float
    adjusted: float
    adjusted_error: float
    factor: float | None


class Summary(msgspec.Struct, frozen=True):
    """Where a trial stands.

    What the test measures has 95 % intervals that allow for the test's stop: `elo` and `normalised_elo`, or `margin`.
    The other one is a mean alone, since what the stop does to it is not known. `worth` is how many games on decks of
    their own one game of a board set is worth, None where that cannot be told. `results` are games won, drawn and lost;
    they, the pairs and both Elos are None where more than two play. `adjusted` is None unless luck is taken out; where
    it is, `margin` is the adjusted one. `causes` counts the forfeits of each version by how they came about.
    `telling` is how many board sets differ from the most frequent one: a test on margins needs a number of them.
    """

    measure: Measure
    reading: Reading
    games: int
    forfeits: tuple[int, int]
    margin: Estimate | None
    worth: float | None
    results: tuple[int, int, int] | None
    pairs: Pentanomial | None
    elo: Bars | None
    normalised_elo: Bars | None
    adjusted: Adjusted | None = None
    causes: tuple[dict[str, int], dict[str, int]] = ({}, {})
    telling: int = 0


class Trial:
    """A trial under way: board sets go in, in the order of their numbers; readings and summaries come out."""

    def __init__(self, seats: int, measure: Measure, hypotheses: Hypotheses, *, adjusted: bool = False) -> None:
        """Begin one; `adjusted` takes the luck of its games out of their margins.

        StatisticsError for results of three or four seats, and for a model that is not one of the test's."""
        if measure is Measure.RESULTS and seats != 2:
            raise StatisticsError(
                f"Elo needs games that one side wins and the other loses; with {seats} seats a trial tests margins"
            )
        self.seatings = trial_seatings(seats)
        self.measure = measure
        self.hypotheses = hypotheses
        self.adjusted = adjusted
        self._sets: Counter[float] = Counter()
        self._pairs: Counter[str] = Counter()
        self._results: Counter[int] = Counter()
        self.causes: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._games = tuple(_Spread() for _ in self.seatings)
        self._means = _Spread()
        self._plain = _Spread()
        self._first: int | None = None
        self.reading = self._read()

    def add(self, games: Sequence[Game]) -> Reading:
        """Count a board set, its games in the order of the seatings, and read the test."""
        margins = [game.margin - (game.luck or 0.0) if self.adjusted else game.margin for game in games]
        mean = math.fsum(margins) / len(self.seatings)
        self._plain.add(math.fsum(game.margin for game in games) / len(self.seatings))
        for spread, game, margin in zip(self._games, games, margins, strict=True):
            spread.add(margin)
            if game.forfeiter is not None:
                self.causes[game.forfeiter][game.cause or "forfeit"] += 1
        self._means.add(mean)
        self._sets[mean] += 1
        if self._first is None and telling_margins(self._sets) >= MIN_MARGINS:
            self._first = self._means.count
        halves = [game.half_points for game in games if game.half_points is not None]
        if halves:
            self._results.update(halves)
            self._pairs[pair_outcome(halves)] += 1
        self.reading = self._read()
        return self.reading

    def summary(self) -> Summary:
        """Return where the trial stands now."""
        pairs = Pentanomial(**self._pairs) if self._pairs else None
        elo = normalised = None
        if pairs is not None and self.measure is Measure.RESULTS:
            elo, normalised = elo_of_results(pairs, self.hypotheses, self.reading)
        elif pairs is not None:
            elo = mean_elo(pairs)
        return Summary(
            measure=self.measure,
            reading=self.reading,
            games=self._means.count * len(self.seatings),
            forfeits=self.forfeits,
            margin=self._margin(),
            worth=self._worth(),
            results=(self._results[2], self._results[1], self._results[0]) if pairs else None,
            pairs=pairs,
            elo=elo,
            normalised_elo=normalised,
            adjusted=self._adjusted() if self.adjusted and self._means.count > 1 else None,
            causes=(dict(self.causes[Side.NEW]), dict(self.causes[Side.OLD])),
            telling=telling_margins(self._sets),
        )

    @property
    def forfeits(self) -> tuple[int, int]:
        """How many games each version forfeited."""
        return self.causes[Side.NEW].total(), self.causes[Side.OLD].total()

    def _adjusted(self) -> Adjusted:
        plain, adjusted = (spread.deviation() / math.sqrt(spread.count) for spread in (self._plain, self._means))
        factor = (plain / adjusted) ** 2 if adjusted else None
        return Adjusted(self._plain.mean, plain, self._means.mean, adjusted, factor)

    def bars_so_far(self) -> Bars | None:
        """Return what the test measures, Elo or margin, so far, with bars that the stop has not been taken out of.

        It is much quicker to find than a summary. None before anything was counted.
        """
        if self.measure is Measure.MARGINS:
            sample = Sample(self._means.count, self._means.mean, self._means.deviation())
            return points_so_far(sample) if self._means.count else None
        return elo_so_far(Pentanomial(**self._pairs)) if self._pairs else None

    def _margin(self) -> Estimate | None:
        if not self._means.count:
            return None
        if self.measure is Measure.RESULTS:
            return Estimate(self._means.mean, None, None, self._means.count)
        sample = Sample(self._means.count, self._means.mean, self._means.deviation())
        bars = points_of_margins(sample, self.hypotheses, self.reading, self._first)
        value = self._means.mean if bars.value is None else bars.value
        return Estimate(value, bars.low, bars.high, self._means.count)

    def _read(self) -> Reading:
        if self.measure is Measure.RESULTS:
            return pentanomial_reading(Pentanomial(**self._pairs), self.hypotheses)
        return margin_reading(self._sets, self.hypotheses)

    def _worth(self) -> float | None:
        """Return the variance of a game of a given seating over that of the mean of as many games as a board set has.

        None with too few board sets, or where nothing varied.
        """
        if self._means.count < MIN_BOARD_SETS:
            return None
        of_set = self._means.squares * len(self.seatings)
        of_game = sum(spread.squares for spread in self._games) / len(self.seatings)
        return of_game / of_set if of_set else None


@dataclass(slots=True)
class _Spread:
    """A running mean and sum of squared deviations (Welford)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)

    def deviation(self) -> float:
        return math.sqrt(self.squares / max(self.count - 1, 1))
