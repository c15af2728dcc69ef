"""Streams under way, which end when their token is revoked."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from arena.rpc.errors import ApiError, Reason

STREAMS_AT_ONCE = 100
"""How many streams may be open with one token at one node."""


@dataclass(eq=False)
class OpenCall:
    """A stream under way, by the SHA-256 of its token. `end` ends it; a servicer may set one that says goodbye."""

    token: str
    end: Callable[[], None]
    checked: int = -1
    """How many tokens had been revoked when its own was last looked up."""


open_call: ContextVar[OpenCall] = ContextVar("open_call")
"""The stream that is served, inside a servicer's method; only where its token can be revoked."""


class OpenCalls:
    """The streams under way at this node."""

    def __init__(self) -> None:
        self._calls: set[OpenCall] = set()
        self._counts: Counter[str] = Counter()

    @asynccontextmanager
    async def until_revoked(self, token: str) -> AsyncIterator[None]:
        """The body is a stream with this token; ApiError TOKEN_REVOKED when it has ended because of that.

        Raises ApiError LIMIT_REACHED where there are too many with this token already.
        """
        if self._counts[token] >= STREAMS_AT_ONCE:
            raise ApiError(
                Reason.LIMIT_REACHED,
                f"{STREAMS_AT_ONCE} streams are open with this token at this node; end one of them first",
                metadata={"limit": "streams", "most": str(STREAMS_AT_ONCE)},
            )
        self._counts[token] += 1
        try:
            async with asyncio.timeout(None) as body:
                call = OpenCall(token, lambda: body.reschedule(0))
                self._calls.add(call)
                open_call.set(call)
                try:
                    yield
                finally:
                    self._calls.discard(call)
        except TimeoutError:
            if body.expired():
                raise ApiError(Reason.TOKEN_REVOKED, "the token was replaced, or its owner ended") from None
            raise
        finally:
            self._counts[token] -= 1
            if not self._counts[token]:
                del self._counts[token]

    def unchecked(self, revocations: int) -> list[str]:
        """The tokens of the streams that were not looked up since so many had been revoked."""
        return list({call.token for call in self._calls if call.checked != revocations})

    def check(self, looked_up: Collection[str], revoked: Collection[str], revocations: int) -> None:
        """End the streams of revoked tokens, after these tokens have been looked up."""
        for call in list(self._calls):
            if call.token in revoked:
                call.end()
            if call.token in looked_up:
                call.checked = revocations
