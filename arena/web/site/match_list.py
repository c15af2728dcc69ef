"""The list of matches, the newest first: of all leagues, single ones, and those whose replays lie as files.

Each division has an index of its own, by time. The list is their merge: an index is looked at only when something in it
may be newer than all that is known, so that a page needs those of the leagues that were under way at its time.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial

import msgspec

from arena.store import ReplayInfo, Scope
from arena.store.errors import InvalidCursorError
from arena.store.paging import split
from arena.web.site.documents import LeagueDocument, ReplayDocument
from arena.web.site.outcomes import outcome
from arena.web.site.reader import Reader, replay_document

PAGE = 50
MAX_EXAMINED = 1_000
"""So many matches are looked at for a page; what they did not fill, the next page goes on with."""
MAX_OPENED = 200
"""So many indexes are opened for a page, besides those that reach to its beginning."""
RESULTS = ("won", "drawn", "lost")

_FETCHED = 100
_EVER = 10**18
_LAST = "\U0010ffff"
"""After every id."""

Position = tuple[int, str]
"""A match's time in microseconds and its replay's id: what the list is ordered by, from the greatest on."""
_Item = tuple[Position, ReplayDocument | None]
"""A match, with None for one whose replay cannot be read yet."""


class MatchQuery(msgspec.Struct, frozen=True):
    """What is asked of a list of matches; "" is everything. `result` is that of `bot`, `forfeited` is yes or no."""

    variant: str = ""
    bot: str = ""
    league: str = ""
    result: str = ""
    forfeited: str = ""

    def admits(self, match: ReplayDocument) -> bool:
        """Return whether a match of the right league is asked for."""
        seats = [seat for seat, name in enumerate(match.bots) if name == self.bot]
        return (
            self.variant in ("", match.variant)
            and (not self.bot or bool(seats))
            and (not self.forfeited or (self.forfeited == "yes") == (match.offender >= 0))
            and (not self.result or any(RESULTS[2 - outcome(match, seat)] == self.result for seat in seats))
        )


class _Source:
    """Matches of one index, the newest first; none of them is newer than `until_us`."""

    def __init__(self, until_us: int, fetch: Callable[[Position], Awaitable[Sequence[_Item]]]) -> None:
        self.until_us = until_us
        self._fetch = fetch
        self._items: deque[_Item] = deque()

    async def open(self, before: Position) -> bool:
        """Fetch what comes before a position; return whether there is anything."""
        self._items.extend(await self._fetch(before))
        return bool(self._items)

    @property
    def first(self) -> Position:
        """Where the newest of what is left stands."""
        return self._items[0][0]

    async def take(self) -> tuple[_Item, bool]:
        """Return the newest, and whether anything is left after it."""
        item = self._items.popleft()
        return item, bool(self._items) or await self.open(item[0])


async def latest_matches(
    reader: Reader, files: Sequence[_Item], query: MatchQuery, after: str = "", limit: int = PAGE
) -> tuple[list[ReplayDocument], str]:
    """Return matches, the newest first, after a cursor, and the cursor of those after them, "" at the end.

    `files` are those that lie as files, the newest first. Raises InvalidCursorError.
    """
    before = _position(after)
    waiting = deque(await _sources(reader, files, query, before))
    open_sources: list[_Source] = []
    matches: list[ReplayDocument] = []
    seen = last = before
    examined = opened = 0
    while True:
        newest = max(open_sources, key=lambda source: source.first, default=None)
        if waiting and (newest is None or waiting[0].until_us >= newest.first[0]):
            if opened == MAX_OPENED:
                return matches, _cursor(min(seen, (waiting[0].until_us, _LAST)))
            source = waiting.popleft()
            opened += source.until_us < before[0]  # what is looked at on every page does not count: each gets on
            if await source.open(before):
                open_sources.append(source)
            continue
        if newest is None:
            return matches, ""
        if examined == MAX_EXAMINED:
            return matches, _cursor(seen)
        (seen, match), goes_on = await newest.take()
        examined += 1
        if not goes_on:
            open_sources.remove(newest)
        if match is not None and query.admits(match):
            if len(matches) == limit:
                return matches, _cursor(last)
            matches.append(match)
            last = seen


def _position(cursor: str) -> Position:
    if not cursor:
        return _EVER, ""
    time_us, replay = split(cursor)
    if not (time_us.isascii() and time_us.isdecimal() and len(time_us) <= len(str(_EVER))):
        raise InvalidCursorError(cursor)
    return int(time_us), replay


def _cursor(position: Position) -> str:
    return f"{position[0]} {position[1]}"


async def _sources(reader: Reader, files: Sequence[_Item], query: MatchQuery, before: Position) -> list[_Source]:
    """Return where matches before a position may stand, by how new these can be."""

    async def of_files(before: Position) -> Sequence[_Item]:
        return [item for item in files if item[0] < before]

    sources = [] if query.league else [_Source(_EVER, of_files), _Source(_EVER, partial(_stored, reader, None, query))]
    for league in await reader.all_leagues():
        if query.league not in ("", league.name) or _micros(league.created) > before[0]:
            continue
        for division in league.divisions:
            if division.played and query.variant in ("", division.variant):
                scope = Scope.league(league.name, division.variant)
                sources.append(_Source(_until_us(league), partial(_stored, reader, scope, query)))
    return sorted(sources, key=lambda source: source.until_us, reverse=True)


async def _stored(reader: Reader, scope: Scope | None, query: MatchQuery, before: Position) -> Sequence[_Item]:
    infos = await reader.store.replays.latest(scope, bot=query.bot or None, before=before, limit=_FETCHED)
    return [_item(info) for info in infos]


def _item(info: ReplayInfo) -> _Item:
    return (info.time_us, info.id), replay_document(info) if info.readable else None


def _until_us(league: LeagueDocument) -> int:
    """Return a time after which no match of the league was committed."""
    return _micros(league.finished) + 1_000_000 if league.finished else _EVER


def _micros(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1_000_000)
