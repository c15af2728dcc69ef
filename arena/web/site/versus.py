"""Two bots side by side: what each won from the other on the boards that they shared, and their ratings."""

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev

import msgspec

from arena.league.estimates import Interval
from arena.league.statistics import estimate
from arena.web.site.bots import MAX_MATCHES, RatingPoint, latest, ratings_of
from arena.web.site.documents import ReplayDocument
from arena.web.site.outcomes import Score, outcome, scores
from arena.web.site.reader import Reader
from core_ext import VARIANTS

_LAST = 20


class VersusVariant(msgspec.Struct, frozen=True):
    """A variant in which two bots met, as the first of them sees it.

    `margin` is in the variant's points a match, the mean of the boards with its 95 % error bars, without the forfeited
    matches; `boards` counts the boards of these, and who had more points on each over all of its games. `ratings` are
    the newest of each bot, None for one that has none.
    """

    variant: str
    matches: Score
    boards: Score | None
    margin: Interval | None
    ratings: tuple[RatingPoint | None, RatingPoint | None]


class VersusDocument(msgspec.Struct, frozen=True):
    """Two bots that met, by the names they play under, as the first of them sees it.

    `complete` says whether all matches of the first were looked at, or its newest `MAX_MATCHES`.
    """

    bots: tuple[str, str]
    complete: bool
    matches: Score | None
    variants: tuple[VersusVariant, ...]
    last: tuple[ReplayDocument, ...]


async def versus_document(reader: Reader, bot: str, opponent: str) -> VersusDocument:
    """Return how two bots stand to each other; raises what the store raises."""
    newest, complete = await reader.newest(bot, MAX_MATCHES)
    met = [match for match in newest if opponent in match.bots]
    ratings = [
        {variant: latest(points) for variant, points in (await ratings_of(reader, name)).items()}
        for name in (bot, opponent)
    ]
    by_variant: dict[str, list[ReplayDocument]] = defaultdict(list)
    for match in met:
        by_variant[match.variant].append(match)
    variants = []
    for variant in VARIANTS:
        if not by_variant[variant]:
            continue
        margins = board_margins(by_variant[variant], bot, opponent)
        [of_matches] = scores((variant, _outcome(match, bot, opponent)) for match in by_variant[variant])
        of_boards = scores((variant, 1 + (margin > 0) - (margin < 0)) for margin in margins)
        variants.append(
            VersusVariant(
                variant,
                of_matches,
                of_boards[0] if of_boards else None,
                mean_margin(margins),
                (ratings[0].get(variant), ratings[1].get(variant)),
            )
        )
    total = scores(("", _outcome(match, bot, opponent)) for match in met)
    return VersusDocument((bot, opponent), complete, total[0] if total else None, tuple(variants), tuple(met[:_LAST]))


def board_margins(matches: Sequence[ReplayDocument], bot: str, opponent: str) -> list[float]:
    """Return what a bot had more than another a match, for each board; games of one board differ by their last letter.

    Matches that were forfeited have no points that could be compared, and are left out.
    """
    boards: dict[str, list[int]] = defaultdict(list)
    for match in matches:
        if match.scored and match.offender < 0:
            points, opponents_points = (match.results[match.bots.index(name)] for name in (bot, opponent))
            board = match.replay.rpartition(".")[0] if match.league else match.replay
            boards[board].append(points - opponents_points)
    return [mean(games) for games in boards.values()]


def mean_margin(margins: Sequence[float]) -> Interval | None:
    """Return the mean of boards with its error bars, None without a board."""
    if not margins:
        return None
    error = stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else 0.0
    return Interval.of_margin(estimate(mean(margins), error, len(margins) - 1, len(margins)))


def _outcome(match: ReplayDocument, bot: str, opponent: str) -> int:
    return outcome(match, match.bots.index(bot), match.bots.index(opponent))
