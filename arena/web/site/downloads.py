"""Matches, decisions and deals as files to download, written while they are sent."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from io import RawIOBase
from typing import IO, Any, cast
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from arena.export import (
    FORMATS,
    TABLES,
    MatchFilter,
    MissingPartError,
    UnknownNameError,
    Writer,
    admitted,
    check_name,
    moment,
)
from arena.export.columns import Table
from arena.export.played import PlayedMatch
from arena.export.sources import StoreSource
from arena.store import Store
from arena.web.language import Filled
from arena.web.queries import with_query
from arena.web.visitors import visitor
from arena.web.work import BusyError
from core_ext import VARIANTS

_AT_ONCE = 4
_AT_ONCE_OF_ONE = 2
"""Downloads under way at once, of all visitors and of one."""
_PATIENCE_S = 30.0
"""How long a reader may take for a part of a file."""
_QUERY = ("league", "bot", "version", "owner", "variant", "won", "lost", "forfeited", "from", "to")
_MEDIA_TYPES = {
    "parquet": "application/vnd.apache.parquet",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
}


def download_routes(store: Store) -> list[Route]:
    """`/data/decisions.parquet` and so on; the query has the filters of `arena export`."""
    downloads = Downloads(store)
    return [Route("/data/{table}.{format}", with_query(downloads.answer, _QUERY))]


class Downloads:
    """The files of a store, so many at once at most."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._under_way: Counter[str] = Counter()

    async def answer(self, request: Request) -> Response:
        """A file. Raises BusyError; HTTPException 404 for one that there is not, 400 for a name that nothing has."""
        table, format_ = TABLES.get(request.path_params["table"]), request.path_params["format"]
        if table is None or format_ not in FORMATS:
            raise HTTPException(404)
        try:
            wanted, writer_of = _filter(request), FORMATS[format_]()
        except MissingPartError as error:
            raise HTTPException(404, "Parquet is not written here; CSV and JSON Lines are.") from error
        except ValueError as error:
            raise HTTPException(
                400, Filled("These data cannot be chosen so: %(why)s.", why=str(error).rstrip("."))
            ) from error
        headers = {"content-disposition": f"attachment; filename*=utf-8''{quote(_name(table, wanted, format_))}"}
        if format_ == "parquet":
            headers["content-encoding"] = "identity"  # it is compressed already
        if request.method == "HEAD":
            return Response(headers=headers, media_type=_MEDIA_TYPES[format_])
        who = visitor(request)
        if self._under_way.total() >= _AT_ONCE or self._under_way[who] >= _AT_ONCE_OF_ONE:
            raise BusyError
        self._under_way[who] += 1
        try:
            matches = admitted([StoreSource(self._store)], wanted)
            first = await anext(matches, None)
        except UnknownNameError as error:
            self._end(who)
            raise HTTPException(
                400, Filled("These data cannot be chosen so: %(why)s.", why=str(error).rstrip("."))
            ) from error
        except BaseException:
            self._end(who)
            raise
        parts = _parts(table, writer_of, first, matches)
        return _Download(parts, headers=headers, media_type=_MEDIA_TYPES[format_], ended=lambda: self._end(who))

    def _end(self, who: str) -> None:
        self._under_way[who] -= 1
        if not self._under_way[who]:
            del self._under_way[who]


def _refusal(error: Exception) -> Filled:
    return Filled("These data cannot be chosen so: %(why)s.", why=str(error).rstrip("."))


def _filter(request: Request) -> MatchFilter:
    """What the query asks for. ValueError."""
    query = request.query_params
    check_name("variant", query.get("variant"), VARIANTS)
    times: dict[str, float | None] = {}
    for name, field in (("from", "since"), ("to", "until")):
        try:
            times[field] = moment(query[name]) if name in query else None
        except ValueError as error:
            raise ValueError(f"{name} {error}") from error
    return MatchFilter(
        league=query.get("league"),
        bot=query.get("bot"),
        version=query.get("version"),
        owner=query.get("owner"),
        variant=query.get("variant"),
        won=query.get("won"),
        lost=query.get("lost"),
        forfeited=query.get("forfeited"),
        since=times["since"],
        until=times["until"],
    )


def _name(table: Table, wanted: MatchFilter, format_: str) -> str:
    return "-".join(filter(None, (wanted.league, wanted.bot, table.name))) + f".{format_}"


class _Sink(RawIOBase):
    """A file whose bytes are taken away as they are written."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        self._written += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        return self._written

    def take(self) -> bytes:
        """What was written since the last time."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


async def _parts(
    table: Table, writer_of: type[Writer], first: PlayedMatch | None, matches: AsyncIterator[PlayedMatch]
) -> AsyncIterator[bytes]:
    """The bytes of a file. What ends early has no end: a reader sees that the answer was cut off."""
    sink = _Sink()
    writer = await run_in_threadpool(writer_of, cast("IO[bytes]", sink), table)
    try:
        if first is not None:
            await run_in_threadpool(writer.add, first)
        async for match in matches:
            await run_in_threadpool(writer.add, match)
            if part := sink.take():
                yield part
    except BaseException:
        writer.close()  # into the sink, from which nothing is taken any more
        raise
    await run_in_threadpool(writer.close)
    yield sink.take()


class _Download(StreamingResponse):
    """A file that is sent while it is written; a reader who takes nothing for `_PATIENCE_S` loses it."""

    def __init__(self, parts: AsyncIterator[bytes], *, ended: Any, **options: Any) -> None:
        super().__init__(parts, **options)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()

    async def stream_response(self, send: Send) -> None:
        """Send the parts."""

        async def patient(message: Any) -> None:
            async with asyncio.timeout(_PATIENCE_S):
                await send(message)

        await super().stream_response(patient)
