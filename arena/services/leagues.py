"""The leagues service, over whoever keeps the leagues."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import grpc

from arena.rpc.errors import invalid
from arena.rpc.identity import caller
from arena.services.paging import page_of
from hanafuda.arena.v1 import league_pb2, league_pb2_grpc


class Leagues(NamedTuple):
    """A part of the list of leagues; `next` is the cursor of the following part, "" at the end."""

    items: list[league_pb2.League]
    next: str


class LeagueBook(Protocol):
    """The leagues as everybody may see them, and how bots enter and leave. Errors are the store's, and ApiError."""

    async def get(self, name: str) -> league_pb2.League:
        """A league."""

    async def list(self, after: str, limit: int) -> Leagues:
        """Leagues by name."""

    async def table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        """The tables after the rounds that are complete."""

    async def enter(self, name: str, bot: str, variants: Sequence[str], nonce: str) -> league_pb2.LeagueEntrant:
        """A registered bot enters."""

    async def withdraw(self, name: str, bot: str) -> Sequence[league_pb2.LeagueEntrant]:
        """All entries of a registered bot leave."""


class LeagueServicer(league_pb2_grpc.LeagueServiceServicer):
    """What leagues there are, who enters, and how they stand."""

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
        """A league's tables. UNKNOWN_LEAGUE."""
        return await self._book.table(_name(request.name))

    async def EnterLeague(  # noqa: N802
        self, request: league_pb2.EnterLeagueRequest, context: object
    ) -> league_pb2.EnterLeagueResponse:
        """The caller's bot enters. UNKNOWN_LEAGUE, INVALID_REQUEST, ENTRY_REFUSED, ALREADY_ENTERED, LEAGUE_CLOSED."""
        league = _name(request.league, "league")
        entrant = await self._book.enter(league, caller.get().name, request.variants, request.nonce)
        return league_pb2.EnterLeagueResponse(entrant=entrant)

    async def WithdrawFromLeague(  # noqa: N802
        self, request: league_pb2.WithdrawFromLeagueRequest, context: object
    ) -> league_pb2.WithdrawFromLeagueResponse:
        """The caller's bot leaves. UNKNOWN_LEAGUE, NOT_ENTERED, LEAGUE_CLOSED."""
        withdrawn = await self._book.withdraw(_name(request.league, "league"), caller.get().name)
        return league_pb2.WithdrawFromLeagueResponse(entrants=withdrawn)


def _name(name: str, field: str = "name") -> str:
    if not name:
        raise invalid(**{field: "a league's name is wanted"})
    return name


def register(servicer: LeagueServicer, server: grpc.aio.Server) -> str:
    """Add the service to a server; returns its name."""
    league_pb2_grpc.add_LeagueServiceServicer_to_server(servicer, server)
    return league_pb2.DESCRIPTOR.services_by_name["LeagueService"].full_name
