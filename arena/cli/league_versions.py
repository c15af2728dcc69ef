"""Which versions of submitted bots play in a league."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.store import Store


@dataclass(frozen=True)
class EnteredVersion:
    """A version that plays, and whether it played the same when its qualification's match was run again."""

    version: str
    reproducible: bool


async def versions_in(store: "Store", league: str) -> dict[str, EnteredVersion]:
    """The versions of a league by the names of their entries. Raises UnknownVersionError."""
    import msgspec

    from arena.organizer.entries import Player

    entrants = await store.leagues.entrants(league)
    players = {entrant.bot: msgspec.msgpack.decode(entrant.payload, type=Player) for entrant in entrants}
    if not any(player.version for player in players.values()):
        return {}
    from arena.submissions.submit import read_report

    found = {}
    for name, player in players.items():
        if player.version:
            report = read_report(await store.versions.get(player.bot, player.version))
            found[name] = EnteredVersion(player.version, report is not None and bool(report.reproducible))
    return found
