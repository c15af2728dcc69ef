"""Thinking time of what is awaited in this process, measured and limited."""

from collections.abc import Awaitable
from typing import TypeVar

from arena.match.clock import clock
from arena.match.deadline import Deadline, OverdueError

T = TypeVar("T")


async def timed(thinking: Awaitable[T], limit_s: float) -> tuple[T | None, float]:
    """What is awaited, None when it takes longer than `limit_s` by the arena's clock, and how long it took."""
    deadline = Deadline()
    began = clock.now()
    result: T | None
    try:
        with deadline.within(limit_s):
            result = await thinking
    except OverdueError:
        result = None
    finally:
        deadline.close()
    return result, max(0.0, clock.settled() - began)
