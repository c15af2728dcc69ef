"""Waits that end when their time is over, by the arena's clock."""

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Self, TypeVar

from arena.match.clock import DecisionTimer, clock

T = TypeVar("T")


class OverdueError(TimeoutError):
    """The time of a wait is over."""


class Deadline:
    """Ends a wait of the current task when its time is over, by the arena's clock, which it keeps going.

    Made for waits that nearly always end long before their time (`DecisionTimer`), where `asyncio.timeout` makes and
    cancels a timer for each wait. One wait at a time.
    """

    def __init__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline is for a task")
        self._task: asyncio.Task[Any] = task
        self._timer = DecisionTimer(self._expire)
        self._cancelling = 0
        self._limit = 0.0
        self._expired = False
        self._clocked = clock.hold()

    @property
    def waited_s(self) -> float:
        """How long the last wait took."""
        return self._timer.thinking_s

    def within(self, seconds: float) -> Self:
        """For `with`: what is awaited inside ends after so many seconds with OverdueError."""
        self._limit = seconds
        return self

    def __enter__(self) -> None:
        """Begin."""
        self._cancelling = self._task.cancelling()
        self._timer.begin(self._limit)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End; OverdueError when what was awaited was cancelled because its time was over."""
        self._timer.stop()
        if not self._expired:
            return
        self._expired = False
        # Somebody else may have cancelled the task as well.
        mine = self._task.uncancel() <= self._cancelling
        if kind is None or issubclass(kind, asyncio.CancelledError):
            raise OverdueError if mine else asyncio.CancelledError

    def close(self) -> None:
        """Ends the timer; to be called once, at the end."""
        self._timer.close()
        clock.release(self._clocked)

    def _expire(self) -> None:
        self._expired = True
        self._task.cancel()


async def timed(thinking: Awaitable[T], limit_s: float) -> tuple[T | None, float]:
    """Return what is awaited, None when it takes longer than `limit_s` by the arena's clock, and how long it took."""
    deadline = Deadline()
    result: T | None = None
    try:
        with deadline.within(limit_s):
            result = await thinking
    except OverdueError:
        result = None
    finally:
        deadline.close()
    return result, deadline.waited_s
