"""A connection to an arena, and its services."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

import grpc

from arena.remote.errors import NotServedError, RefusedError, RemoteError, UnreachableError
from arena.sdk.connection import Endpoint, error_info
from hanafuda.arena.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    bot_pb2_grpc,
    ladder_pb2_grpc,
    league_pb2_grpc,
    match_pb2_grpc,
    owner_pb2_grpc,
    replay_pb2_grpc,
    submission_pb2_grpc,
)

_ANSWER_S = 30.0
"""How long an answer may take that is not a stream."""
_PAGE = 100
_DOMAIN = "hanafuda-arena"
_LOST = {
    grpc.StatusCode.UNAVAILABLE: "the connection was lost",
    grpc.StatusCode.DEADLINE_EXCEEDED: f"no answer came within {_ANSWER_S:g} s",
    grpc.StatusCode.CANCELLED: "the connection was lost",
    grpc.StatusCode.UNKNOWN: "",
    grpc.StatusCode.INTERNAL: "",
}
"""Status codes that gRPC gives of itself when nobody answers or a connection breaks, and what they mean where that is
always the same."""


class _ListRequest(Protocol):
    page_size: int
    page_token: str


class _ListResponse(Protocol):
    next_page_token: str


Request = TypeVar("Request")
Response = TypeVar("Response")
ListRequest = TypeVar("ListRequest", bound=_ListRequest)
ListResponse = TypeVar("ListResponse", bound=_ListResponse)
Item = TypeVar("Item")


class Client:
    """An arena as one caller has it. Its services are stubs, called by `call`, `stream`, `pages` and `list_all`.

    These raise RefusedError, UnreachableError, NotServedError.
    """

    def __init__(self, channel: grpc.aio.Channel, address: str, token: str) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self.bots = bot_pb2_grpc.BotServiceStub(channel)
        self.ladders = ladder_pb2_grpc.LadderServiceStub(channel)
        self.leagues = league_pb2_grpc.LeagueServiceStub(channel)
        self.matches = match_pb2_grpc.MatchServiceStub(channel)
        self.owners = owner_pb2_grpc.OwnerServiceStub(channel)
        self.submissions = submission_pb2_grpc.SubmissionServiceStub(channel)
        self.replays = replay_pb2_grpc.ReplayServiceStub(channel)

    async def call(self, method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]", request: Request) -> Response:
        """Return the answer to one request."""
        try:
            return await method(request, metadata=self._metadata, timeout=_ANSWER_S)
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error, self._address) from error

    async def stream(
        self, method: "grpc.aio.UnaryStreamMultiCallable[Request, Response]", request: Request
    ) -> AsyncIterator[Response]:
        """Yield each message of the stream that answers a request."""
        try:
            async for message in method(request, metadata=self._metadata):
                yield message
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error, self._address) from error

    async def pages(
        self,
        method: "grpc.aio.UnaryUnaryMultiCallable[ListRequest, ListResponse]",
        request: ListRequest,
        items: Callable[[ListResponse], Iterable[Item]],
    ) -> AsyncIterator[Item]:
        """Yield each item of a whole list, page after page."""
        request.page_size = _PAGE
        while True:
            page = await self.call(method, request)
            for item in items(page):
                yield item
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def list_all(
        self,
        method: "grpc.aio.UnaryUnaryMultiCallable[ListRequest, ListResponse]",
        request: ListRequest,
        items: Callable[[ListResponse], Iterable[Item]],
    ) -> list[Item]:
        """Return a whole list."""
        return [item async for item in self.pages(method, request, items)]


@asynccontextmanager
async def connected(endpoint: Endpoint) -> AsyncIterator[Client]:
    """Yield the first node of an arena that answers. Raises RemoteError."""
    failures: list[RemoteError] = []
    for address in endpoint.addresses:
        async with endpoint.channel(address) as channel:
            try:
                await arena_pb2_grpc.ArenaServiceStub(channel).GetArena(arena_pb2.GetArenaRequest(), timeout=_ANSWER_S)
            except grpc.aio.AioRpcError as error:
                failure = refusal_of(error, address)
                if isinstance(failure, UnreachableError):
                    failure = UnreachableError(address, await endpoint.why_unreachable(address))
                failures.append(failure)
                continue
            yield Client(channel, address, endpoint.token)
            return
    away = [failure for failure in failures if isinstance(failure, UnreachableError)]
    if len(away) < len(failures) or len(away) == 1:
        raise failures[-1]
    reasons = "; ".join(f"{failure.address}: {failure.why}" for failure in away)
    raise UnreachableError(endpoint.address, reasons or await endpoint.why_unreachable(endpoint.address))


def refusal_of(error: grpc.aio.AioRpcError, address: str) -> RemoteError:
    """Return the error that a failed call is reported as."""
    text = " ".join((error.details() or error.code().name).split())
    info = error_info(error)
    if info is not None and info.domain == _DOMAIN:
        return RefusedError(info.reason, text, info.metadata)
    if error.code() in _LOST:
        return UnreachableError(address, _LOST[error.code()] or text)
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        return NotServedError(address)
    return RemoteError(f"the call to {address} failed: {text} ({error.code().name})")
