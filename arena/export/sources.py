"""Where exported matches come from, one in memory at a time: files, and a store."""

from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.export.played import PlayedMatch, played_match
from arena.replays import ReplayError, ReplayRecord, decode
from arena.store import Store
from arena.store.paging import all_pages
from arena.store.records import ReplayInfo


class Known(NamedTuple):
    """What there is to be exported. `closed` counts the matches that cannot be read yet, `matches` the others."""

    matches: int
    closed: int
    leagues: frozenset[str]
    bots: frozenset[str]


class MatchSource(Protocol):
    """Matches, as often as they are asked for."""

    async def known(self) -> Known:
        """Look at what there is."""

    def matches(self) -> AsyncIterator[PlayedMatch]:
        """Read every match that can be read. Raises ReplayError with the replay's name."""


def files_in(places: Iterable[Path], *, strict: bool) -> list[Path]:
    """The files named, and those of replays in the folders named; with `strict` FileNotFoundError for what is not."""
    found: dict[Path, None] = {}
    for place in places:
        if strict and not place.exists():
            raise FileNotFoundError(2, "there is no such file or folder", str(place))
        found.update(dict.fromkeys(sorted(place.rglob("*.hreplay")) if not place.is_file() else [place]))
    return list(found)


class FileSource:
    """Replays in files."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    async def known(self) -> Known:
        """Read each file for its names."""
        leagues: set[str] = set()
        bots: set[str] = set()
        async for match in self.matches():
            leagues.add(match.league)
            bots.update(match.record.names)
        return Known(len(self._paths), 0, frozenset(leagues - {""}), frozenset(bots))

    async def matches(self) -> AsyncIterator[PlayedMatch]:
        """Read each file. Raises OSError, ReplayError."""
        for path in self._paths:
            yield played_match(_decode(path.read_bytes(), str(path)), path.stat().st_mtime)


class StoreSource:
    """The replays of a store's leagues and single matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def known(self) -> Known:
        """Go through the list of replays, without reading them. Leagues without replays count too."""
        readable = closed = 0
        bots: set[str] = set()
        async for info in self._listed():
            bots.update(info.bots)
            readable += info.readable
            closed += not info.readable
        leagues = {league.name async for league in all_pages(self._store.leagues.list)}
        return Known(readable, closed, frozenset(leagues), frozenset(bots))

    async def matches(self) -> AsyncIterator[PlayedMatch]:
        """Read them in the order of the list. Raises ReplayError, StoreError."""
        times: dict[str, float] = {}
        async for info in self._listed():
            if not info.readable:
                continue
            league = info.scope.name if info.scope.kind == "league" else ""
            if not league:
                time = (await self._store.matches.get(info.scope.name)).created_us / 1e6
            elif league in times:
                time = times[league]
            else:
                time = times[league] = (await self._store.leagues.get(league)).created_us / 1e6
            record = _decode(await self._store.replays.get(info.id), info.id)
            yield PlayedMatch(record, league, info.round, info.board if league else "", time)

    def _listed(self) -> AsyncIterator[ReplayInfo]:
        return all_pages(partial(self._store.replays.list))


def _decode(raw: bytes, name: str) -> ReplayRecord:
    try:
        return decode(raw)
    except ReplayError as error:
        raise type(error)(f"{name}: {error}") from error
