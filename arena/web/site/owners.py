"""What owners did for one another in a league that is over, beyond what its results predict."""

import asyncio

import msgspec

from arena.league.owner_pairs import OwnerPair, PlayedDivision, by_chance, highest, owner_pairs
from arena.web.site.documents import LeagueDocument
from arena.web.site.reader import Reader
from arena.web.work import MadeOnce

_MAX_PAIRS = 200
"""Of a league's pairs."""
_MAX_CACHED = 32


class OwnersDocument(msgspec.Struct, frozen=True):
    """The pairs of owners with the highest z, of so many, and the z that hardly any honest league has."""

    pairs: tuple[OwnerPair, ...] = ()
    count: int = 0
    by_chance: float = 0.0

    @property
    def shares(self) -> bool:
        """Whether it can be told what boards were worth that others had at another table."""
        return any(pair.lift is not None for pair in self.pairs)

    @property
    def outstanding(self) -> int:
        """How many of the pairs are beyond chance."""
        return sum(highest(pair) > self.by_chance for pair in self.pairs)


class Owners:
    """The owners of a store's leagues, each league counted once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._made: MadeOnce[tuple[str, str], OwnersDocument] = MadeOnce(_MAX_CACHED)

    async def of(self, league: LeagueDocument) -> OwnersDocument:
        """The owners of a league; none before it is over."""
        if league.state != "finished":
            return OwnersDocument()
        return await self._made.get((league.name, league.version), lambda: self._read(league.name))

    async def _read(self, name: str) -> OwnersDocument:
        spec = await self._reader.spec(name)
        table, _ = await self._reader.tables(name)
        ratings = {division.variant: division.ratings for division in table.divisions}
        played = []
        for division in spec.divisions:
            entrants, rounds = await self._reader.field(name, division.variant)
            played.append(PlayedDivision(division, entrants, rounds, ratings.get(division.variant, {})))
        return await asyncio.to_thread(_document, played)


def _document(played: list[PlayedDivision]) -> OwnersDocument:
    pairs = owner_pairs(played)
    return OwnersDocument(pairs[:_MAX_PAIRS], len(pairs), round(by_chance(pairs), 2) if pairs else 0.0)
