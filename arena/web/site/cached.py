"""Answers that are made once for all who ask."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from arena.web.address import address_of
from arena.web.pages import HTML, CachedBody, render
from arena.web.queries import Endpoint, with_query
from arena.web.site.documents import VERSION
from arena.web.visitors import visitor
from arena.web.work import MadeOnce, Turns

JSON = "application/json"
ATOM = "application/atom+xml; charset=utf-8"
XML = "application/xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

Make = Callable[[], bytes]
"""Makes an answer's body of what was read for it."""
Body = Callable[[Request], Awaitable[Make]]
Read = Callable[[Request], Awaitable[dict[str, Any]]]
"""Reads what a page and its JSON tell."""
State = Callable[[Request], Awaitable[object]]
"""Of what an answer shows: something else whenever it may have changed."""

_MAX_CACHED = 128
_MIN_CACHED_S = 1.0
_CACHED_FACTOR = 100
_MAX_CACHED_S = 30.0
"""An answer stands for later states for `_MIN_CACHED_S`, or so many times as long as it took, up to this."""


def as_page(read: Read, template: str, **shared: Any) -> Body:
    """What was read as a page, with these values besides."""

    async def body(request: Request) -> Make:
        return partial(render, request, template, **shared, **await read(request))

    return body


def as_json(read: Read) -> Body:
    """What was read as JSON."""

    async def body(request: Request) -> Make:
        document = {"format": VERSION, **await read(request)}
        return lambda: msgspec.json.encode(document)

    return body


async def each_second(_: Request) -> object:
    """The state of what may have changed at any time."""
    return int(time.monotonic())


class _Cached(msgspec.Struct, frozen=True):
    """An answer, the state that it shows, and until when it stands for later ones."""

    state: object
    until: float
    body: CachedBody


class CachedAnswers:
    """The answers of a site, made one at a time: what is read for them, too, is read for one after the other."""

    def __init__(self) -> None:
        self._made: MadeOnce[object, tuple[CachedBody, float]] = MadeOnce(0)
        self._cached: OrderedDict[object, _Cached] = OrderedDict()
        self._turns = Turns()

    def endpoint(
        self, body: Body, media_type: str = HTML, state: State = each_second, query: Sequence[str] = ()
    ) -> Endpoint:
        """Return an endpoint that answers with this body, one for all who ask with the same values in this `query`."""

        async def answer(request: Request) -> Response:
            values = tuple(request.query_params.get(name) for name in query)
            # An answer names the site by the address that it was asked at.
            key = (address_of(request), request.url.path, values)
            cached = await self.get(key, await state(request), lambda: body(request), media_type, visitor(request))
            return cached.answer(request)

        return with_query(answer, query)

    async def get(
        self,
        key: object,
        state: object,
        read: Callable[[], Awaitable[Make]],
        media_type: str = HTML,
        asked_by: str = "",
    ) -> CachedBody:
        """Return the answer for this state, or for a recent one of the same key, made once however many ask.

        `read` reads what it shows, and returns what makes its body. Raises BusyError, and what these two raise.
        However fast the state changes, an answer that is quickly made takes one part in `_CACHED_FACTOR` of the time.
        """
        cached = self._cached.get(key)
        if cached is None or (cached.state != state and time.monotonic() >= cached.until):
            body, took_s = await self._made.get((key, state), lambda: self._answer(read, media_type, asked_by))
            stands_s = min(max(_MIN_CACHED_S, _CACHED_FACTOR * took_s), _MAX_CACHED_S)
            cached = self._cached[key] = _Cached(state, time.monotonic() + stands_s, body)
            if len(self._cached) > _MAX_CACHED:
                self._cached.popitem(last=False)
        return cached.body

    async def _answer(
        self, read: Callable[[], Awaitable[Make]], media_type: str, asked_by: str
    ) -> tuple[CachedBody, float]:
        """Return an answer, and what it took to read and make it, in seconds of a processor's time."""

        async def answer() -> tuple[CachedBody, float]:
            began = time.process_time()
            make = await read()
            body = await run_in_threadpool(lambda: CachedBody.of(make(), media_type))
            return body, time.process_time() - began

        return await self._turns.do(answer, asked_by)
