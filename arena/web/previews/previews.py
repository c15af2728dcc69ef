"""Previews by what they show, each drawn once. Drawing is dear: strangers may ask for only so many new ones."""

import time
from collections import deque
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from arena.web.pages import KeptBody
from arena.web.previews.sheet import png
from arena.web.work import BusyError, MadeOnce, Turns

_KEPT = 64
MOST_DRAWN = 30
_DRAWN_S = 60
"""At most `MOST_DRAWN` are drawn in `_DRAWN_S` seconds: one takes a tenth of a second, in which no page is answered."""


class Previews:
    """The previews of one process, the latest of them kept."""

    def __init__(self) -> None:
        self._made: MadeOnce[object, KeptBody] = MadeOnce(_KEPT)
        self._turns = Turns()
        self._drawn: deque[float] = deque(maxlen=MOST_DRAWN)

    async def get(self, key: object, draw: Callable[[], str], asked_by: str = "") -> KeptBody:
        """Return the picture of this key; `draw` returns it as SVG. Raises BusyError."""

        async def made() -> KeptBody:
            now = time.monotonic()
            if len(self._drawn) == MOST_DRAWN and now - self._drawn[0] < _DRAWN_S:
                raise BusyError
            self._drawn.append(now)
            return await run_in_threadpool(lambda: KeptBody.of(png(draw()), "image/png"))

        return await self._made.get(key, lambda: self._turns.do(made, asked_by))
