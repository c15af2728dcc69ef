"""Waits that end when their time is over, by the arena's clock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TypeVar

from arena.match.clock import clock

T = TypeVar("T")


class OverdueError(TimeoutError):
    """The time of a wait is over."""


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """What the body awaits ends after so many seconds by the arena's clock; then this raises OverdueError."""
    try:
        async with asyncio.timeout(None) as body:
            timer = clock.call_later(seconds, lambda: body.reschedule(0))
            try:
                yield
            finally:
                timer.cancel()
    except TimeoutError:
        if not body.expired():
            raise
    if body.expired():
        raise OverdueError


async def timed(thinking: Awaitable[T], limit_s: float) -> tuple[T | None, float]:
    """What is awaited, None when it takes longer than `limit_s` by the arena's clock, and how long it took."""
    result: T | None = None
    with clock.held():
        began = clock.now()
        try:
            async with within(limit_s):
                result = await thinking
        except OverdueError:
            result = None
        return result, max(0.0, clock.read_until() - began)
