"""Streams under way, which end when their token is revoked."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from contextvars import ContextVar

from arena.rpc.errors import ApiError, Reason

STREAMS_AT_ONCE = 100
"""How many streams may be open with one token at one node."""


class OpenCall:
    """A stream under way: what runs in its `with` block, in the task that made it.

    The block ends with ApiError TOKEN_REVOKED when the token is revoked, or as `goodbye` ends it, where that is set.
    """

    __slots__ = ("_calls", "_revoked", "_task", "checked", "goodbye", "token")

    def __init__(self, token: str, calls: "OpenCalls", task: asyncio.Task[object]) -> None:
        self.token = token
        self.checked = -1
        """How many tokens had been revoked when its own was last looked up."""
        self.goodbye: Callable[[], None] | None = None
        self._calls = calls
        self._task = task
        self._revoked = False

    def __enter__(self) -> None:
        self._calls.add(self)
        open_call.set(self)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._calls.discard(self)
        if self._revoked and self._task.uncancel() == 0 and kind is asyncio.CancelledError:
            raise ApiError(Reason.TOKEN_REVOKED, "the token was replaced, or its owner ended") from None

    def end(self) -> None:
        """End the stream: its token is revoked."""
        if self.goodbye is not None:
            self.goodbye()
        elif not self._revoked:
            self._revoked = True
            self._task.cancel()


open_call: ContextVar[OpenCall] = ContextVar("open_call")
"""The stream that is served, inside a servicer's method; only where its token can be revoked."""


class OpenCalls:
    """The streams under way at this node, by the SHA-256 of their tokens."""

    def __init__(self) -> None:
        self._calls: set[OpenCall] = set()
        self._counts: Counter[str] = Counter()

    def until_revoked(self, token: str) -> OpenCall:
        """A stream of the current task with this token. ApiError LIMIT_REACHED where there are too many with it."""
        if self._counts[token] >= STREAMS_AT_ONCE:
            raise ApiError(
                Reason.LIMIT_REACHED,
                f"{STREAMS_AT_ONCE} streams are open with this token at this node; end one of them first",
                metadata={"limit": "streams", "most": str(STREAMS_AT_ONCE)},
            )
        task = asyncio.current_task()
        assert task is not None
        return OpenCall(token, self, task)

    def add(self, call: OpenCall) -> None:
        """The stream begins."""
        self._calls.add(call)
        self._counts[call.token] += 1

    def discard(self, call: OpenCall) -> None:
        """The stream has ended."""
        self._calls.discard(call)
        self._counts[call.token] -= 1
        if not self._counts[call.token]:
            del self._counts[call.token]

    def unchecked(self, revocations: int) -> list[str]:
        """Return the tokens of the streams that were not looked up since so many had been revoked."""
        return list({call.token for call in self._calls if call.checked != revocations})

    def check(self, looked_up: Collection[str], revoked: Collection[str], revocations: int) -> None:
        """End the streams of revoked tokens, after these tokens have been looked up."""
        for call in list(self._calls):
            if call.token in revoked:
                call.end()
            if call.token in looked_up:
                call.checked = revocations
