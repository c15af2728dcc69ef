"""Where exported matches come from, a few in memory at a time: files, and a store."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.export.filters import MatchFilter
from arena.export.played import PlayedMatch, played_match
from arena.replays import ReplayError, ReplayRecord, decode
from arena.store import Store
from arena.store.errors import InvalidNameError, UnknownBotError
from arena.store.paging import all_pages
from arena.store.records import ReplayInfo


class Names(NamedTuple):
    """The names that a filter may have."""

    leagues: frozenset[str]
    bots: frozenset[str]
    owners: frozenset[str]


class MatchSource(Protocol):
    """Matches, as often as they are asked for."""

    closed: int
    """How many were left out the last time because their boards are still being played."""

    async def count(self, wanted: MatchFilter) -> int | None:
        """How many matches are read for this filter, None where that is not known before."""

    def matches(self, wanted: MatchFilter) -> AsyncIterator[PlayedMatch]:
        """Read every match that can be read and that the filter may admit. Raises ReplayError with a replay's name."""

    async def names(self) -> Names:
        """Every league, every bot of a match, and every owner."""


def files_in(places: Iterable[Path], *, strict: bool) -> list[Path]:
    """The files named, and those of replays in the folders named; with `strict` FileNotFoundError for what is not."""
    paths: dict[Path, None] = {}
    for place in places:
        if strict and not place.exists():
            raise FileNotFoundError(2, "there is no such file or folder", str(place))
        paths.update(dict.fromkeys(sorted(place.rglob("*.hreplay")) if not place.is_file() else [place]))
    return list(paths)


class FileSource:
    """Replays in files."""

    closed = 0

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    @property
    def is_empty(self) -> bool:
        """Whether there is none."""
        return not self._paths

    async def count(self, wanted: MatchFilter) -> int | None:
        """All of them."""
        return len(self._paths)

    async def matches(self, wanted: MatchFilter) -> AsyncIterator[PlayedMatch]:
        """Read each file. Raises OSError, ReplayError."""
        for path in self._paths:
            yield played_match(decoded(path.read_bytes(), str(path)), path.stat().st_mtime, str(path))

    async def names(self) -> Names:
        """Read each file for its names."""
        leagues, bots = set[str](), set[str]()
        async for match in self.matches(MatchFilter()):
            leagues.add(match.league)
            bots.update(match.record.names)
        return Names(frozenset(leagues - {""}), frozenset(bots), frozenset())


class StoreSource:
    """The replays of a store's leagues and single matches."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._leagues: dict[str, _League] = {}
        self._bots: dict[str, str] = {}
        self.closed = 0

    async def count(self, wanted: MatchFilter) -> int | None:
        """Go through the list of replays, without reading them."""
        readable = 0
        async for info in self._listed(wanted):
            readable += info.readable
        return readable

    async def matches(self, wanted: MatchFilter) -> AsyncIterator[PlayedMatch]:
        """Read them in the order of the list. Raises ReplayError, StoreError."""
        self.closed = 0
        async for replay in self.replays(wanted):
            record = decoded(replay.raw, replay.info.id)
            info, league = replay.info, replay.league
            yield PlayedMatch(record, league, info.round, info.board if league else "", replay.time, replay.owners)

    async def replays(self, wanted: MatchFilter) -> AsyncIterator["StoredReplay"]:
        """What is listed and can be read, not decoded. Raises StoreError."""
        readable: list[ReplayInfo] = []
        async for info in self._listed(wanted):
            if not info.readable:
                self.closed += 1
                continue
            readable.append(info)
            if len(readable) == _TOGETHER:
                for replay in await self._read(readable):
                    yield replay
                readable.clear()
        for replay in await self._read(readable):
            yield replay

    async def names(self) -> Names:
        """Go through the lists. Leagues without replays count too."""
        bots: set[str] = set()
        async for info in self._listed(MatchFilter()):
            bots.update(info.bots)
        leagues = frozenset([league.name async for league in all_pages(self._store.leagues.list)])
        owners = {owner.name async for owner in all_pages(self._store.owners.list)}
        for name in leagues:
            owners.update(entrant.owner for entrant in await self._store.leagues.entrants(name))
        return Names(leagues, frozenset(bots), frozenset(owners - {""}))

    async def _read(self, infos: Sequence[ReplayInfo]) -> list["StoredReplay"]:
        raw = await asyncio.gather(*(self._store.replays.get(info.id) for info in infos))
        return [await self._described(info, replay) for info, replay in zip(infos, raw, strict=True)]

    async def _described(self, info: ReplayInfo, raw: bytes) -> "StoredReplay":
        name = info.scope.name
        if info.scope.kind != "league":
            time = (await self._store.matches.get(name)).created_us / 1e6
            return StoredReplay(info, raw, "", time, tuple([await self._owner(bot) for bot in info.bots]))
        if name not in self._leagues:
            entrants = await self._store.leagues.entrants(name)
            time = (await self._store.leagues.get(name)).created_us / 1e6
            self._leagues[name] = _League(time, {entrant.bot: entrant.owner for entrant in entrants})
        league = self._leagues[name]
        return StoredReplay(info, raw, name, league.time, tuple(league.owners.get(bot, "") for bot in info.bots))

    async def _owner(self, bot: str) -> str:
        """The owner of a bot of a single match; "" of a house bot, or of one that is known no more."""
        if bot not in self._bots:
            try:
                self._bots[bot] = (await self._store.bots.get(bot)).owner
            except (UnknownBotError, InvalidNameError):
                self._bots[bot] = ""
        return self._bots[bot]

    async def _listed(self, wanted: MatchFilter) -> AsyncIterator[ReplayInfo]:
        bot = wanted.bots[0] if wanted.bots else None
        try:
            async for info in all_pages(partial(self._store.replays.list, league=wanted.league, bot=bot)):
                yield info
        except InvalidNameError:
            return  # nothing has a name that cannot be one


class StoredReplay(NamedTuple):
    """A replay of a store as it lies there; `league` is "" outside one."""

    info: ReplayInfo
    raw: bytes
    league: str
    time: float
    owners: tuple[str, ...]


class _League(NamedTuple):
    time: float
    owners: Mapping[str, str]


_TOGETHER = 64
"""Replays that are asked for at once."""


def decoded(raw: bytes, name: str) -> ReplayRecord:
    """The record of a replay. Raises ReplayError with its name."""
    try:
        return decode(raw)
    except ReplayError as error:
        raise type(error)(f"{name}: {error}") from error
