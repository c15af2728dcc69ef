"""The arena that a command speaks to: a store on this machine or a Redis, or a node that is called."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from arena.cli.reading import existing_store

if TYPE_CHECKING:
    from arena.cli.infos import EntryInfo, LeagueInfo
    from arena.cli.server import Server
    from arena.league.tables import LeagueTable
    from arena.replays import Summary

T = TypeVar("T")


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


def at(server: "Server | None", data: Path, redis: str | None, work: Callable[[Source], Awaitable[T]]) -> T:
    """Do work at the arena of a server, or without one at that of a store that is there already.

    Raises RemoteError; or StoreError, and WrongUseError where nothing is stored.
    """
    from arena.cli.aio import run

    return run(_called(server, work) if server is not None else _stored(data, redis, work))


async def _called(server: "Server", work: Callable[[Source], Awaitable[T]]) -> T:
    from arena.cli.remote_source import RemoteSource

    async with server.connect() as remote:
        return await work(RemoteSource(remote))


async def _stored(data: Path, redis: str | None, work: Callable[[Source], Awaitable[T]]) -> T:
    from arena.cli.store_source import StoreSource

    async with existing_store(data, redis) as store:
        return await work(StoreSource(store))
