"""The arena's clock: it stands still while the process does.

While a process is stopped, or its event loop is held up, it reads nothing that bots send: no bot is charged for that
time. So this clock does not follow the machine's clock but counts ticks of the event loop. A late tick counts as 20 ms
at most. After a stall nothing counts at all, and nothing for the next `GRACE_S` either, in which whatever arrived
during the stall is read. Nothing falls due by this clock before that.

A busy event loop reads an answer some turns after it has arrived. There is at most one tick a turn, so everything that
had arrived two ticks before the last one has been read by now. That moment is `read_until()`: answers are timed by it,
and deadlines are checked against it.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import final

GRACE_S: float
"""How long the clock stands still after a stall."""

@final
class Clock:
    """One process's clock, in seconds above 0 from an arbitrary start. It ticks while somebody holds it."""

    def now(self) -> float:
        """Return the time."""
    def read_until(self) -> float:
        """Return the latest time such that everything that had arrived by then has been read."""
    def held(self) -> AbstractContextManager[None]:
        """Keep the clock ticking on the running event loop."""
    def hold(self) -> asyncio.AbstractEventLoop:
        """Keep the clock ticking until `release` is called with what this returns."""
    def release(self, loop: asyncio.AbstractEventLoop) -> None:
        """Undo one `hold`."""
    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back when that much time has passed by this clock and everything that had arrived by then is read."""
    async def sleep_until(self, moment: float) -> None:
        """Wait until the clock shows `moment`."""

@final
class Timer:
    """A callback that is due some time later by a clock."""

    def cancel(self) -> None:
        """Do not call back. May be called again."""

@final
class DecisionTimer:
    """Measures the thinking time of a seat, decision after decision, and calls `expire` when a decision's is over.

    Made for decisions that nearly always end long before their limit: the event loop's timer is left running from one
    decision to the next, and checks only when it fires whether anything is due.
    """

    @property
    def thinking_s(self) -> float:
        """The time of the last decision that has ended."""
    def __init__(self, expire: Callable[[], None]) -> None: ...
    def begin(self, limit_s: float) -> None:
        """A decision begins: its time runs from now on, if nothing else is said later."""
    def restart(self) -> None:
        """The question leaves only now: the time runs from now on."""
    def suspend(self) -> None:
        """No time runs until `restart`."""
    def pause(self) -> None:
        """No time runs until `go_on`, by which what was used before still counts."""
    def go_on(self) -> None:
        """The time runs again."""
    def stop(self) -> None:
        """The answer has arrived, or nobody waits for it any more."""
    def close(self) -> None:
        """The last decision is over. May be called again."""

clock: Clock
"""The clock of this process's matches."""
