"""Which versions of submitted bots play in a league."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.organizer.entries import player_of
from arena.store import EntryRecord, Store
from arena.submissions.record import is_reproducible


@dataclass(frozen=True)
class EnteredVersion:
    """A version that plays, and whether it played the same when its qualification's match was run again."""

    version: str
    reproducible: bool


async def entered_versions(store: Store, entrants: Iterable[EntryRecord]) -> Mapping[str, EnteredVersion]:
    """The versions of submitted bots by the names of their entries. Raises UnknownVersionError."""
    players = {entrant.bot: player_of(entrant) for entrant in entrants}
    return {
        name: EnteredVersion(player.version, is_reproducible(await store.versions.get(player.bot, player.version)))
        for name, player in players.items()
        if player.version
    }
