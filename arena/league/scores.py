"""What each bot of a division scored, and its opponents: the columns of the table up to the direct encounter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.league.columns import Columns, Meetings, sums
from arena.league.results import DRAW, WIN, bye_game_points
from arena.league.spec import Division
from arena.league.values import PlayedRound, parts


def scores(
    names: Sequence[str], division: Division, rounds: Sequence[PlayedRound], columns: Columns
) -> tuple[dict[str, npt.NDArray[Any]], Sequence[Meetings]]:
    """Columns of `Standing` by their names, a row for each bot in the order of `names`, and what they follow from.

    `columns` are the matches of the rounds.
    """
    number = {name: row for row, name in enumerate(names)}
    byes, last = np.zeros((2, len(names)), dtype=np.int64)
    for played in rounds:
        for name in played.byes:
            byes[number[name]] += 1
            last[number[name]] = played.number
    bot = np.array([number[name] for name in columns.names], dtype=np.int64)
    meetings = [meeting._replace(bots=bot[meeting.bots]) for meeting in columns.meetings()]
    unit = parts(division.seats)
    match_points, game_points, margin = WIN * unit * byes, bye_game_points(division) * byes, np.zeros_like(byes)
    seen = byes.copy()
    for meeting in meetings:
        seats = meeting.bots.shape[1]
        np.add.at(match_points, meeting.bots, meeting.against.sum(axis=2) * parts(seats) // (seats - 1))
        np.add.at(game_points, meeting.bots, meeting.game_points * division.seats // seats)
        np.add.at(margin, meeting.bots, meeting.margins * division.seats // seats)
        np.add.at(seen, meeting.bots, 1)
        np.maximum.at(last, meeting.bots, np.broadcast_to(meeting.round[:, None], meeting.bots.shape))

    # A bot's score as its opponents count it, and as its own byes and missed rounds do.
    adjusted = match_points + DRAW * unit * np.where(seen, len(rounds) - last, 0)
    dummy = np.minimum(match_points, DRAW * unit * len(rounds)) * unit
    missed = len(rounds) - seen
    buchholz, sonneborn_berger = dummy * (byes + missed), dummy * WIN * byes
    least = np.where(byes, dummy, np.iinfo(np.int64).max)
    for meeting in meetings:
        share = unit // (meeting.bots.shape[1] - 1)
        theirs = adjusted[meeting.bots]
        mean = (theirs.sum(axis=1)[:, None] - theirs) * share
        np.add.at(buchholz, meeting.bots, mean)
        np.minimum.at(least, meeting.bots, mean)
        np.add.at(sonneborn_berger, meeting.bots, (meeting.against * theirs[:, None, :]).sum(axis=2) * share)
    cut = np.where(missed > 0, dummy, np.where(seen, least, 0))

    of_row = bot[columns.bot]
    behind = columns.seats[columns.match] - 1
    draw = DRAW * columns.parts[columns.match]
    won, drawn, lost = (
        np.bincount(of_row[column], minlength=len(names))
        for column in (columns.half_points > draw, columns.half_points == draw, columns.half_points < draw)
    )
    place = sums(of_row, 1 + behind * (1 - columns.half_points / (2 * draw)), len(names))
    matches = won + drawn + lost
    return {
        "match_points": match_points,
        "game_points": game_points,
        "buchholz_cut_1": buchholz - cut,
        "buchholz": buchholz,
        "sonneborn_berger": sonneborn_berger,
        "margin": margin,
        "played": matches,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "forfeits": np.bincount(of_row[columns.forfeits], minlength=len(names)),
        "byes": byes,
        "mean_place": place / np.maximum(matches, 1),
    }, meetings
