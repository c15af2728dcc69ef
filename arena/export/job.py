"""An export: the matches of sources that a filter admits, written as rows."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import NamedTuple

from arena.export.filters import MatchFilter
from arena.export.played import PlayedMatch
from arena.export.sources import MatchSource


class UnknownNameError(ValueError):
    """A filter has a name that nothing has; the text says which names there are."""


class Exported(NamedTuple):
    """What an export came to. `closed` matches were left out: their boards are still being played."""

    matches: int
    rows: int
    closed: int


async def export(
    sources: Sequence[MatchSource],
    wanted: MatchFilter,
    add: Callable[[PlayedMatch], int],
    advance: Callable[[], None] = lambda: None,
) -> Exported:
    """Add every admitted match, of which `add` returns the number of rows; `advance` is called for each that was read.

    Raises what `admitted` and `add` raise.
    """
    matches = rows = 0
    async for match in admitted(sources, wanted, advance):
        rows += add(match)
        matches += 1
    return Exported(matches, rows, sum(source.closed for source in sources))


async def admitted(
    sources: Sequence[MatchSource], wanted: MatchFilter, advance: Callable[[], None] = lambda: None
) -> AsyncIterator[PlayedMatch]:
    """Every match that the filter admits; it can be cancelled after each that was read.

    Raises UnknownNameError where there is none because a name is unknown, and what the sources raise.
    """
    is_empty = True
    versions: set[str] = set()
    for source in sources:
        async for match in source.matches(wanted):
            await asyncio.sleep(0)  # so that a signal is seen
            advance()
            if wanted.admits(match):
                is_empty = False
                yield match
            elif wanted.version is not None:
                versions.update(map(match.version, range(len(match.record.names))))
    if is_empty:
        await _check_names(sources, wanted, versions)


async def _check_names(sources: Sequence[MatchSource], wanted: MatchFilter, versions: Iterable[str]) -> None:
    listings = [await source.names() for source in sources]
    leagues = {name for names in listings for name in names.leagues}
    bots = {name for names in listings for name in names.bots}
    check_name("owner", wanted.owner, {name for names in listings for name in names.owners})
    check_name("league", wanted.league, leagues)
    for option in ("bot", "won", "lost", "forfeited"):
        check_name(option, getattr(wanted, option), bots)
    if wanted.version is not None and not any(version.startswith(wanted.version) for version in versions):
        check_name("version", wanted.version, filter(None, versions))


_MAX_NAMES = 20
"""Names that an error lists."""


def check_name(option: str, value: str | None, candidates: Iterable[str]) -> None:
    """Raise UnknownNameError unless there is nothing to check, or it is known."""
    names = sorted(candidates)
    if value is None or value in names:
        return
    shown = ", ".join(names[:_MAX_NAMES]) or "none"
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    raise UnknownNameError(f"{option}: there is no {value!r}; there is: {shown}{more}")
