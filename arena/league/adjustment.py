"""Margins with the luck of the cards taken out, and what that is worth.

The luck of a match has the mean 0 for every bot, whatever the value that measures it is worth, so margins less luck
have the same mean as margins. That holds as long as every match of a round counts: one that was forfeited too, with the
luck of the cards that had come. A round therefore counts when the luck of all its matches is known.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy

import msgspec
import numpy as np

from arena.league.columns import Columns, Floats
from arena.league.field import counted
from arena.league.spec import Division, LuckValue
from arena.league.statistics import MIN_BOARD_SETS, Estimate, board_set_margins, mean_margins
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound

Luck = Mapping[MatchPlan, tuple[float, ...]]
"""By match and seat how much the cards brought, beyond the mean of the other seats, in the variant's points."""


class Adjusted(msgspec.Struct, frozen=True):
    """A division's margins without the luck, after the rounds of which all luck is known.

    `matches` are those of complete rounds of which it is known. `margins` are a match, as the plain ones; `luck` is the
    mean of a bot's, which counts as its margins do: on field boards less that of the same seat at the other tables.
    `factor` is how many times as many games plain margins would take, None while that cannot be estimated.
    """

    value: LuckValue
    rounds: int
    matches: int
    margins: dict[str, Estimate]
    luck: dict[str, float]
    factor: float | None


def adjusted(division: Division, rounds: Sequence[PlayedRound], luck: Luck) -> Adjusted | None:
    """Take the luck out of a division's margins; None for a division that has defined no value for that."""
    if division.luck_value is None:
        return None
    whole = [played for played in rounds if all(outcome.plan in luck for outcome in played.outcomes)]
    outcomes = [outcome for played in counted(division, whole) for outcome in played.outcomes]
    columns = Columns([outcomes])
    off = np.array([part for played in whole for seats in _counted_luck(division, played, luck) for part in seats])
    without = copy(columns)
    without.margin = columns.margin - off if len(outcomes) else columns.margin
    number = np.bincount(columns.bot, minlength=len(columns.names))
    means = (np.bincount(columns.bot, weights=off, minlength=len(columns.names)) / number).tolist() if outcomes else []
    return Adjusted(
        value=division.luck_value,
        rounds=len(whole),
        matches=sum(outcome.plan in luck for played in rounds for outcome in played.outcomes),
        margins=mean_margins(without) if outcomes else {},
        luck=dict(zip(columns.names, means, strict=True)),
        factor=_factor(columns, without) if outcomes else None,
    )


def _counted_luck(division: Division, played: PlayedRound, luck: Luck) -> Iterable[Sequence[float]]:
    """The luck of each match of a round by seat, measured as its margins are.

    On field boards it is measured by all other tables of the board. Those that forfeited too: left out because of how
    they went, they would leave luck of another mean than 0.
    """
    if division.board_sets == "mirror":
        return [luck[outcome.plan] for outcome in played.outcomes]
    on_board: dict[int, list[MatchOutcome]] = defaultdict(list)
    for outcome in played.outcomes:
        on_board[outcome.board].append(outcome)
    totals = {
        board: [sum(seat) for seat in zip(*(luck[outcome.plan] for outcome in outcomes), strict=True)]
        for board, outcomes in on_board.items()
    }
    measured = []
    for outcome in played.outcomes:
        others = len(on_board[outcome.board]) - 1
        parts = luck[outcome.plan]
        measured.append(
            [part - (total - part) / others for part, total in zip(parts, totals[outcome.board], strict=True)]
            if others
            else parts
        )
    return measured


def _factor(plain: Columns, without: Columns) -> float | None:
    """How many times the variance of board sets is that of adjusted ones, within the bots of a table."""
    variances = [_variance_of_sets(columns) for columns in (plain, without)]
    if any(variance is None for variance in variances):
        return None
    of_plain, of_adjusted = variances
    return of_plain / of_adjusted if of_plain and of_adjusted else None


def _variance_of_sets(columns: Columns) -> float | None:
    bot, table, margin = board_set_margins(columns)
    _, of_table, sets = np.unique(table * len(columns.names) + bot, return_inverse=True, return_counts=True)
    means: Floats = np.bincount(of_table, weights=margin) / sets
    freedom = len(margin) - len(sets)
    if len(np.unique(columns.board_set)) < MIN_BOARD_SETS or not freedom:
        return None
    return float(((margin - means[of_table]) ** 2).sum()) / freedom
