"""The leagues service, over whoever keeps the leagues."""

from typing import NamedTuple, Protocol

import grpc

from arena.server.errors import invalid
from arena.server.paging import page_of
from hanafuda.arena.v1 import league_pb2, league_pb2_grpc


class Leagues(NamedTuple):
    """A part of the list of leagues; `next` is the cursor of the following part, "" at the end."""

    items: list[league_pb2.League]
    next: str


class LeagueBook(Protocol):
    """The leagues as everybody may see them. Errors are the store's: UnknownLeagueError, InvalidCursorError."""

    async def get(self, name: str) -> league_pb2.League:
        """A league."""

    async def list(self, after: str, limit: int) -> Leagues:
        """Leagues by name."""

    async def table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        """The table after the rounds that are complete."""


class LeagueServicer(league_pb2_grpc.LeagueServiceServicer):
    """What leagues there are and how they stand."""

    def __init__(self, book: LeagueBook) -> None:
        self._book = book

    async def GetLeague(  # noqa: N802
        self, request: league_pb2.GetLeagueRequest, context: object
    ) -> league_pb2.GetLeagueResponse:
        """A league. UNKNOWN_LEAGUE."""
        return league_pb2.GetLeagueResponse(league=await self._book.get(_name(request.name)))

    async def ListLeagues(  # noqa: N802
        self, request: league_pb2.ListLeaguesRequest, context: object
    ) -> league_pb2.ListLeaguesResponse:
        """All leagues, by name."""
        leagues = await self._book.list(*page_of(request))
        return league_pb2.ListLeaguesResponse(leagues=leagues.items, next_page_token=leagues.next)

    async def GetLeagueTable(  # noqa: N802
        self, request: league_pb2.GetLeagueTableRequest, context: object
    ) -> league_pb2.GetLeagueTableResponse:
        """A league's table. UNKNOWN_LEAGUE."""
        return await self._book.table(_name(request.name))


def _name(name: str) -> str:
    if not name:
        raise invalid(name="a league's name is wanted")
    return name


def register(servicer: LeagueServicer, server: grpc.aio.Server) -> str:
    """Add the service to a server; returns its name."""
    league_pb2_grpc.add_LeagueServiceServicer_to_server(servicer, server)
    return league_pb2.DESCRIPTOR.services_by_name["LeagueService"].full_name
