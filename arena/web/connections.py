"""The site's connections: bounds on what strangers hold open, and the way to write to many readers at once.

So many connections are held in all, half of them from one address, none of them idle.
"""

import asyncio
from collections import Counter

import h11
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

IDLE_S = 10.0
"""A connection without a request, or whose reader takes nothing, ends after so long; after twice as long at most."""
TRANSPORT = "arena.transport"
"""The extension of a request's scope that holds the transport of its connection."""
_TWO_ENDS = {b"content-length", b"transfer-encoding"}
"""With both of them a request has two ends, and a proxy before the site may take another one than the site does."""
_REFUSED = PlainTextResponse("either Content-Length or Transfer-Encoding\n", 400, {"connection": "close"})


def bounded(limit: int) -> type[H11Protocol]:
    """Return the protocol of a server with at most so many connections; one too many is closed at once.

    h11 bounds what a request's head may hold; httptools, which uvicorn would take where it is installed, does not.
    """
    open_connections: Counter[str] = Counter()

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            open_connections[self._address] += 1
            self._seen: object = None
            self._check = self.loop.call_later(IDLE_S, self._end_if_idle)
            if open_connections.total() > limit or open_connections[self._address] > max(limit // 2, 1):
                transport.abort()
            site = self.app

            async def answer(scope: Scope, receive: Receive, send: Send) -> None:
                scope.setdefault("extensions", {})[TRANSPORT] = transport
                if {name for name, _ in scope["headers"]} >= _TWO_ENDS:
                    await _REFUSED(scope, receive, send)
                    return
                await site(scope, receive, send)

            self.app = answer

        def connection_lost(self, exc: Exception | None) -> None:
            self._check.cancel()
            open_connections[self._address] -= 1
            if not open_connections[self._address]:
                del open_connections[self._address]
            super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                super().send_400_response(msg)
            else:  # an answer was begun, which no other can follow now
                self.transport.abort()

        def _end_if_idle(self) -> None:
            unsent = self.transport.get_write_buffer_size()
            is_idle = unsent or self.cycle is None or self.cycle.response_complete
            seen = (self.cycle, unsent) if is_idle else None
            if seen is not None and seen == self._seen:
                self.transport.abort()
                return
            self._seen = seen
            self._check = self.loop.call_later(IDLE_S, self._end_if_idle)

    return Bounded
