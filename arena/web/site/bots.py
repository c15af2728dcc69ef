"""What is known of a bot: its results by opponent, seat and variant, its yaku, its ratings in each league."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import zip_longest

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.league.estimates import Interval
from arena.replays import ReplayError, decode
from arena.replays.deals import deals_of
from arena.store import BotVersion
from arena.store.errors import BoardStillOpenError, UnknownBotError, UnknownReplayError
from arena.submissions.record import failed_step, is_reproducible, read_record
from arena.web.site.documents import ENDS, ReplayDocument, moment
from arena.web.site.outcomes import Score, outcome, scores
from arena.web.site.reader import Reader
from core_ext import variant_info
from core_ext.errors import CoreError

MAX_MATCHES = 2_000
"""Of how many matches the results are counted."""
MAX_EXAMINED = 60
"""Of how many of the newest matches the yaku are counted."""
MAX_LEAGUES = 200


class RatingPoint(msgspec.Struct, frozen=True):
    """A bot's rating at the end of a league, or as it stands in one under way."""

    league: str
    time: str
    name: str
    """The name under which it was entered there."""
    rating: Interval
    rank: int
    bots: int
    version: str
    """The submitted version that played, "" for other bots."""


class VersionLine(msgspec.Struct, frozen=True):
    """A version of a bot; `parent` is the one before it, "" of the first.

    A `reproducible` one played the same when its matches were run again; `failed_at` is the step at which one did not
    qualify, `failed_how` the way in which it failed there, a key of FAILURES, or "".
    """

    version: str
    parent: str
    created: str
    status: str
    active: bool
    reproducible: bool
    failed_at: str
    failed_how: str


class YakuCount(msgspec.Struct, frozen=True):
    """How often a yaku was scored, in how many of the matches that were looked at; the newest in this month of one."""

    variant: str
    yaku: str
    title: str
    times: int
    matches: int
    replay: str
    month: int


class BotDocument(msgspec.Struct, frozen=True):
    """A bot, by the name it plays under; `about` is what its active version, else its newest, says of itself."""

    name: str
    about: str
    names: tuple[str, ...]
    """Those under which it has played, the latest first; its own where it has not."""
    plays: str
    """The registered bot that plays under this name, where it has another."""
    owner: str
    registered: bool
    created: str
    matches: int
    complete: bool
    """Whether these are all of its matches, or the newest `MAX_MATCHES`."""
    variants: tuple[Score, ...]
    seats: tuple[Score, ...]
    opponents: tuple[Score, ...]
    forfeits: tuple[tuple[str, int], ...]
    yaku: tuple[YakuCount, ...]
    ratings: dict[str, tuple[RatingPoint, ...]]
    last: tuple[ReplayDocument, ...]
    thinking: tuple[int, ...]
    """How many decisions took less than 1, 2, 4, … ms."""
    versions: tuple[VersionLine, ...]


async def bot_document(reader: Reader, name: str) -> BotDocument | None:
    """Return the bot; None where nobody registered, entered one of the latest leagues, or played under that name."""
    try:
        registered = await reader.store.bots.get(name)
    except UnknownBotError:
        registered = None  # house bots and bots by path are not registered, and play all the same
    names = await reader.names_of(name, MAX_LEAGUES) if registered else {}
    played, complete = await reader.newest(name, MAX_MATCHES, names)
    entry = None if registered else await reader.entered(name)
    if not played and registered is None and entry is None:
        return None
    plays = entry.bot if entry is not None and entry.kind in ("registered", "submitted") else ""

    def is_own(match: ReplayDocument, seat: int) -> bool:
        return match.bots[seat] in names.get(match.league, (name,))

    seated = [(match, seat) for match in played for seat in range(len(match.bots)) if is_own(match, seat)]
    thinking = [match.thinking[seat] for match, seat in seated if match.thinking]
    versions = await reader.store.versions.list(name) if registered else ()
    return BotDocument(
        name=name,
        about=_about(versions),
        names=tuple(dict.fromkeys(match.bots[seat] for match, seat in seated)) or (name,),
        plays=plays,
        owner=registered.owner if registered else entry.owner if entry else "",
        registered=registered is not None,
        created=moment(registered.created_us) if registered else "",
        matches=len(played),
        complete=complete,
        variants=scores((match.variant, outcome(match, seat)) for match, seat in seated),
        seats=scores((f"seat {seat + 1}", outcome(match, seat)) for match, seat in seated),
        opponents=scores(
            (bot, outcome(match, seat, rival))
            for match, seat in seated
            for rival, bot in enumerate(match.bots)
            if rival != seat
        ),
        forfeits=tuple(Counter(ENDS[match.end] for match, seat in seated if match.offender == seat).most_common()),
        yaku=await _yaku(reader, seated[:MAX_EXAMINED]),
        ratings=await ratings_of(reader, name),
        last=tuple(played[:20]),
        thinking=tuple(map(sum, zip_longest(*thinking, fillvalue=0))),
        versions=_versions(versions),
    )


def _about(versions: Sequence[BotVersion]) -> str:
    shown = next((version for version in versions if version.active), versions[-1] if versions else None)
    return read_record(shown).manifest.about if shown is not None else ""


def _versions(versions: Sequence[BotVersion]) -> tuple[VersionLine, ...]:
    return tuple(
        VersionLine(
            version.version,
            version.parent,
            moment(version.created_us),
            str(version.status),
            version.active,
            is_reproducible(version),
            *failed_step(version),
        )
        for version in versions
    )


_Seated = tuple[ReplayDocument, int]
"""A match, and the bot's seat in it."""


async def _yaku(reader: Reader, newest: Sequence[_Seated]) -> tuple[YakuCount, ...]:
    raws = []
    for match, seat in newest:
        try:
            raws.append((match, seat, await reader.store.replays.get(match.replay)))
        except (UnknownReplayError, BoardStillOpenError):
            continue  # it has expired since it was listed
    return await run_in_threadpool(_count_yaku, raws)


def _count_yaku(raws: Sequence[tuple[ReplayDocument, int, bytes]]) -> tuple[YakuCount, ...]:
    counts: Counter[tuple[str, str]] = Counter()
    matches: Counter[str] = Counter()
    newest: dict[tuple[str, str], tuple[str, int]] = {}
    for match, seat, raw in raws:
        try:
            deals = list(deals_of(decode(raw)))
        except (ReplayError, CoreError):
            continue  # of an earlier version of the rules: this program cannot tell what was scored
        matches[match.variant] += 1
        for deal in deals:
            for score in deal.scores:
                if score.seat == seat:
                    counts[match.variant, score.name] += 1
                    newest.setdefault((match.variant, score.name), (match.replay, deal.month))
    rows = []
    for (variant, yaku), times in counts.most_common():
        info = variant_info(variant)
        titles = {row.id: row.name for row in info.yaku} | dict(info.titles)
        if yaku in titles:
            rows.append(YakuCount(variant, yaku, titles[yaku], times, matches[variant], *newest[variant, yaku]))
    return tuple(rows)


def latest(points: Sequence[RatingPoint]) -> RatingPoint:
    """Return the newest of these ratings that has error bars, the newest of all where none has."""
    return next((point for point in reversed(points) if point.rating.is_known), points[-1])


async def ratings_of(reader: Reader, name: str) -> dict[str, tuple[RatingPoint, ...]]:
    """Return a bot's ratings by variant, in each of the latest leagues that it played in, by time."""
    points: dict[str, list[RatingPoint]] = defaultdict(list)
    for league in (await reader.all_leagues())[:MAX_LEAGUES]:
        if not league.played:
            continue
        entrants = await reader.entrants(league.name)
        versions = {entry.name: entry.version for entry in entrants if name in (entry.name, entry.bot)}
        if not versions:
            continue
        _, tables = await reader.tables(league.name)
        for table in tables:
            for row in table.rows:
                if row.bot in versions and row.rating is not None:
                    time = league.finished or league.created
                    points[table.variant].append(
                        RatingPoint(
                            league.name, time, row.bot, row.rating, row.rank, len(table.rows), versions[row.bot]
                        )
                    )
    # The newest league came first, also of those that ended in one second.
    return {
        variant: tuple(sorted(rated, key=lambda point: point.time, reverse=True)[::-1])
        for variant, rated in sorted(points.items())
    }
