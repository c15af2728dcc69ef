"""The arena that a command speaks to: a store on this machine or a Redis, or a node that is called."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from arena.challenges import Challenges

if TYPE_CHECKING:
    from arena.cli.infos import EntryInfo, LeagueInfo
    from arena.league.tables import LeagueTable
    from arena.replays import Summary


class Source(Protocol):
    """What commands read of an arena and do there. Each raises StoreError, or RemoteError."""

    async def leagues(self) -> "list[LeagueInfo]":
        """All leagues, by name."""

    async def league(self, name: str) -> "LeagueInfo":
        """A league, with the versions that play."""

    async def table(self, name: str) -> "LeagueTable":
        """A league's tables after the complete rounds of each division."""

    async def signed_table(self, name: str) -> bytes:
        """The same as a document that the arena has signed."""

    async def enter(
        self, league: str, bot: str, as_name: str | None, variants: Sequence[str], nonce: str
    ) -> "EntryInfo":
        """Enter a bot into a league. Also raises WrongUseError, LauncherError, OrganizerError."""

    async def withdraw(self, league: str, bot: str) -> Sequence[str]:
        """Take a bot out of a league; returns the names of the entries that were withdrawn."""

    def replays(self, league: str | None, bot: str | None) -> "AsyncIterator[tuple[str, Summary | None]]":
        """The ids of replays and what they are of; None of one that cannot be read yet."""

    async def replay(self, replay_id: str) -> bytes:
        """A replay's bytes."""

    async def bots(self) -> list[dict[str, str]]:
        """Name and owner of each bot."""

    async def rotate(self, bot: str) -> str:
        """A new token for a bot."""

    async def versions(self, bot: str) -> list[dict[str, Any]]:
        """The versions of a bot as a document says them, the oldest first."""

    async def activate(self, bot: str, version: str) -> str:
        """Activate the version whose digest begins so; return all of the digest."""

    async def retire(self, bot: str, version: str) -> str:
        """Retire the version whose digest begins so; return all of the digest."""

    async def take_challenges(self, bot: str, challenges: Challenges) -> None:
        """Set from whom a bot takes challenges."""

    async def owner(self, name: str) -> dict[str, Any]:
        """What an owner may have and what it has, as a document says it. An arena speaks of the token's owner alone."""

    async def rotate_owner(self, name: str) -> str:
        """A new token for an owner. An arena gives one to the token's owner alone."""

    def matches(self) -> AsyncIterator[dict[str, Any]]:
        """The single matches as a document says them, the oldest first."""

    async def match(self, match_id: str) -> dict[str, Any]:
        """A single match as a document says it."""

    async def delete_match(self, match_id: str) -> None:
        """Delete a single match that is over, with its replay."""
