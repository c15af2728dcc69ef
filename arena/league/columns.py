"""Match outcomes as NumPy columns, so that a table over hundreds of thousands of matches needs no Python loop."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.league.results import DRAW
from arena.league.values import MatchOutcome, parts

Ints = npt.NDArray[np.signedinteger[Any]]
Floats = npt.NDArray[np.float64]


class Pairs(NamedTuple):
    """Every two bots of every match; `first` is the bot with the lower number, and `match` the match's number."""

    match: Ints
    first: Ints
    second: Ints
    half_points: tuple[Ints, Ints]


class Meetings(NamedTuple):
    """The tables with one number of bots, a row for each: the bots, and what each (second axis) won from each (third).

    That is 2, 1 or 0 in match points, not in parts, and 0 from itself. The bots of a table ascend. `game_points` and
    `margins` are their sums over the table's matches, in parts.
    """

    round: Ints
    bots: Ints
    against: Ints
    game_points: Ints
    margins: Ints


class Columns:
    """The matches of one or more divisions, a row for each seat of each match.

    `names` are the bots in alphabetical order, and `bot` is an index into them. `table` numbers the tables of all
    rounds and divisions, and `board_set` the boards of all tables, both from 0. `margin` is in the variant's points,
    and `margin_parts` in parts of a point (`arena.league.values.parts`). `forfeits` are the rows of the bots at fault.

    `first_seat` (the row of a match's first seat), `round`, `number` (of the table in its round), `seats` and `parts`
    have one element for each match.
    """

    def __init__(self, divisions: Iterable[Sequence[MatchOutcome]]) -> None:
        """The outcomes of each division; no two divisions share a table or a board."""
        listed = list(divisions)
        outcomes = list(chain.from_iterable(listed))
        self.names = sorted(set(chain.from_iterable([outcome.seating for outcome in outcomes])))
        self.seats = _ints([len(outcome.seating) for outcome in outcomes])
        division = np.repeat(np.arange(len(listed)), [len(part) for part in listed])
        self.round = _ints([outcome.round for outcome in outcomes])
        self.number = _ints([outcome.table for outcome in outcomes])
        boards = _ints([outcome.board for outcome in outcomes])
        row = {name: number for number, name in enumerate(self.names)}
        self.match: Ints = np.repeat(np.arange(len(outcomes)), self.seats)
        self.bot = _ints([row[name] for name in chain.from_iterable([outcome.seating for outcome in outcomes])])
        self.half_points = _ints(list(chain.from_iterable([outcome.half_points for outcome in outcomes])))
        self.margin_parts = _ints(list(chain.from_iterable([outcome.margins for outcome in outcomes])))
        self.parts: Ints = np.array([0, 0, *(parts(seats) for seats in (2, 3, 4))])[self.seats]
        self.margin: Floats = self.margin_parts / self.parts[self.match]
        self.first_seat: Ints = np.cumsum(self.seats) - self.seats
        self.seat: Ints = np.arange(len(self.match)) - self.first_seat[self.match]
        of_match = _numbered(division, self.round, self.number)
        self.table = of_match[self.match]
        self.board_set = _numbered(of_match, boards)[self.match]
        at_fault = [(match, outcome) for match, outcome in enumerate(outcomes) if outcome.forfeiter is not None]
        self.forfeits = _ints(
            [int(self.first_seat[match]) + outcome.seating.index(outcome.forfeiter) for match, outcome in at_fault]
        )

    def meetings(self) -> list[Meetings]:
        """The tables by their number of bots."""
        key = self.table * len(self.names) + self.bot
        _, row, seated = np.unique(key, return_index=True, return_inverse=True)
        table = self.table[row]
        game_points, margins = (
            np.bincount(seated, weights=column).astype(np.int64) for column in (self.half_points, self.margin_parts)
        )
        sizes = np.bincount(table)
        line_ups = []
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes[table] == size).reshape(-1, size)
            points, margin = game_points[rows], margins[rows]
            ahead = np.sign(points[:, :, None] - points[:, None, :])
            against = DRAW + np.where(ahead, ahead, np.sign(margin[:, :, None] - margin[:, None, :]))
            against[:, np.arange(size), np.arange(size)] = 0
            line_ups.append(
                Meetings(self.round[self.match[row[rows[:, 0]]]], self.bot[row[rows]], against, points, margin)
            )
        return line_ups

    def pairs(self) -> Pairs:
        """Return every two bots of every match, with their half points."""
        pairs: list[tuple[Ints, ...]] = []
        first_row = self.first_seat
        for seats in np.unique(self.seats).tolist():
            match = np.flatnonzero(self.seats == seats)
            for seat in range(seats):
                for opposite in range(seat + 1, seats):
                    row, opposite_row = first_row[match] + seat, first_row[match] + opposite
                    bots = self.bot[row], self.bot[opposite_row]
                    pairs.append((match, *bots, self.half_points[row], self.half_points[opposite_row]))
        matches, bot, opposite_bot, mine, theirs = (np.concatenate(column) for column in zip(*pairs, strict=True))
        turned = bot > opposite_bot
        return Pairs(
            matches,
            np.where(turned, opposite_bot, bot),
            np.where(turned, bot, opposite_bot),
            (np.where(turned, theirs, mine), np.where(turned, mine, theirs)),
        )


def sums(index: Ints, values: Floats, number: int = 0) -> Floats:
    """Return the sums of the values by index; the result has at least `number` elements."""
    totals: Floats = np.bincount(index, weights=values, minlength=number).astype(np.float64)
    return totals


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _numbered(*keys: Ints) -> Ints:
    """Each row's index among the distinct combinations of keys, which are in ascending order."""
    whole = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:
        whole = whole * (int(key.max(initial=0)) + 1) + key
    return np.unique(whole, return_inverse=True)[1]
