"""Previews by what they show, each drawn once. Drawing is dear: strangers may ask for only so many new ones."""

import time
from collections import deque
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from arena.web.pages import CachedBody
from arena.web.previews.sheet import png
from arena.web.work import BusyError, MadeOnce, Turns

_MAX_CACHED = 64
MAX_DRAWN, MAX_OF_ONE = 30, 10
_DRAWN_S = 60
"""At most `MAX_DRAWN` are drawn in `_DRAWN_S` seconds, and `MAX_OF_ONE` of them for one visitor: one takes a tenth of
a second, in which no page is answered."""


class Previews:
    """The previews of one process, the latest of them kept."""

    def __init__(self) -> None:
        self._made: MadeOnce[object, CachedBody] = MadeOnce(_MAX_CACHED)
        self._turns = Turns()
        self._drawn: deque[tuple[float, str]] = deque(maxlen=MAX_DRAWN)

    async def get(self, key: object, draw: Callable[[], str], asked_by: str = "") -> CachedBody:
        """Return the picture of this key; `draw` returns it as SVG. Raises BusyError."""

        async def made() -> CachedBody:
            now = time.monotonic()
            recent = [visitor for drawn_at, visitor in self._drawn if now - drawn_at < _DRAWN_S]
            if len(recent) == MAX_DRAWN or (asked_by and recent.count(asked_by) >= MAX_OF_ONE):
                raise BusyError
            self._drawn.append((now, asked_by))
            return await run_in_threadpool(lambda: CachedBody.of(png(draw()), "image/png"))

        return await self._made.get(key, lambda: self._turns.do(made, asked_by))
