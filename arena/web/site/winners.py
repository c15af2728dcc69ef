"""Who leads each division of a league, kept for every state of the leagues that lists show."""

import asyncio
from collections.abc import Sequence

from arena.web.site.documents import LeagueDocument
from arena.web.site.heads import Lead, leads_of
from arena.web.site.reader import Reader
from arena.web.work import MadeOnce

_MAX_CACHED = 1_000


class Winners:
    """The leaders of leagues; of a league that is over, its winners."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._leads: MadeOnce[tuple[str, str], list[Lead]] = MadeOnce(_MAX_CACHED)

    async def of(self, leagues: Sequence[LeagueDocument]) -> dict[str, list[Lead]]:
        """Return the leaders of each of these leagues, by its name."""
        return {league.name: await self._of(league) for league in leagues}

    async def _of(self, league: LeagueDocument) -> list[Lead]:
        if not league.played:
            return []

        async def read() -> list[Lead]:
            _, tables = await self._reader.tables(league.name)
            return await asyncio.to_thread(leads_of, league, tables)

        return await self._leads.get((league.name, league.version), read)
