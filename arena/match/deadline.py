"""One timer for all of a match's waits."""

import asyncio
from types import TracebackType
from typing import Any, Self

from arena.match.clock import RESOLUTION_S, clock


class OverdueError(TimeoutError):
    """The time of a wait is over."""


class Deadline:
    """Ends a wait of the current task when its time is over, by the arena's clock, which it keeps going.

    Made for waits that nearly always end long before their time: the timer is left running from one wait to the next
    and looks only when it fires whether anything is due, where `asyncio.timeout` makes and cancels a timer for each
    wait. One wait at a time.
    """

    def __init__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline is for a task")
        self._task: asyncio.Task[Any] = task
        self._cancelling = 0
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = 0.0
        self._limit = 0.0
        self._due = 0.0
        self._waiting = False
        self._expired = False
        self._clocked = clock.hold()

    def within(self, seconds: float) -> Self:
        """For `with`: what is awaited inside ends after so many seconds with OverdueError."""
        self._limit = seconds
        return self

    def __enter__(self) -> None:
        """Begin."""
        self._waiting = True
        self._cancelling = self._task.cancelling()
        self._due = due = clock.now() + self._limit
        if self._timer is None:
            self._arm(due, self._limit)
        elif due < self._fires_at:
            self._timer.cancel()
            self._arm(due, self._limit)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End; OverdueError when what was awaited was cancelled because its time was over."""
        self._waiting = False
        if not self._expired:
            return
        self._expired = False
        # Somebody else may have cancelled the task as well.
        mine = self._task.uncancel() <= self._cancelling
        if kind is None or issubclass(kind, asyncio.CancelledError):
            raise OverdueError if mine else asyncio.CancelledError

    def close(self) -> None:
        """Ends the timer; to be called once, at the end."""
        clock.release(self._clocked)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, at: float, seconds: float) -> None:
        self._fires_at = at
        self._timer = self._loop.call_later(seconds, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if not self._waiting:
            return
        left = self._due - clock.settled()
        if left > 0:
            left = max(left, RESOLUTION_S)
            self._arm(clock.now() + left, left)
            return
        self._expired = True
        self._task.cancel()
