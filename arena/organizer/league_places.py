"""Connected bots in leagues under way: single matches leave one place of each to its league; ladders come last."""

import asyncio
from collections.abc import Mapping

from arena.names import is_season
from arena.organizer.entries import player_of
from arena.store import Store


class LeaguePlaces:
    """The leagues under way of any bot. The entrants of each are read again when there are more of them."""

    def __init__(self, store: Store) -> None:
        self._leagues = store.leagues
        self._cached: dict[str, tuple[int, Mapping[str, str]]] = {}
        """By league: how many entrants it had, and the name there of each bot that connects by itself."""

    async def league_of(self, bot: str) -> str:
        """Return a league under way that a bot plays in under whatever name, and has not left; "" for none."""
        names = [name for name in await self._leagues.under_way() if not is_season(name)]
        listed = await asyncio.gather(*map(self._players, names))
        self._cached = dict(zip(names, listed, strict=True))
        for name, (_, players) in self._cached.items():
            if bot in players and not await self._leagues.has_left(name, players[bot]):
                return name
        return ""

    async def _players(self, league: str) -> tuple[int, Mapping[str, str]]:
        """Return the bots of a league. None of its entrants changes after its start, but late ones may be added."""
        count = await self._leagues.entrant_count(league)
        cached = self._cached.get(league)
        if cached is not None and cached[0] == count:
            return cached
        players = {}
        for entrant in await self._leagues.entrants(league):
            player = player_of(entrant)
            if player.connects:
                players[player.bot] = entrant.bot
        return count, players
