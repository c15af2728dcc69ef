"""Answers that are made once for all who ask."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.web.pages import HTML, KeptBody
from arena.web.work import MadeOnce, Turns

Read = Callable[[], Awaitable[Callable[[], bytes]]]
"""Reads what an answer shows, and returns the function that makes its body of that."""

_MOST_KEPT = 64
_FRESH_S = 1.0
_FRESH_FACTOR = 100
_LONGEST_FRESH_S = 30.0
"""An answer stands for later states for `_FRESH_S`, or so many times as long as it took, up to this."""


class _Fresh(msgspec.Struct, frozen=True):
    """An answer, the state that it shows, and until when it stands for later ones."""

    state: object
    until: float
    body: KeptBody


class KeptAnswers:
    """The answers of a site, made one at a time: what is read for them, too, is read for one after the other."""

    def __init__(self) -> None:
        self._kept: MadeOnce[object, KeptBody] = MadeOnce(_MOST_KEPT)
        self._made: MadeOnce[object, tuple[KeptBody, float]] = MadeOnce(0)
        self._fresh: OrderedDict[object, _Fresh] = OrderedDict()
        self._turns = Turns()

    async def once(self, key: object, read: Read, media_type: str = HTML) -> KeptBody:
        """The answer of a key, made once however many ask. Raises BusyError, and what `read` and its function raise."""

        async def make() -> KeptBody:
            body, _ = await self._answer(read, media_type)
            return body

        return await self._kept.get(key, make)

    async def fresh(self, key: object, state: object, read: Read, media_type: str = HTML) -> KeptBody:
        """The answer for this state, or for an earlier one of the same key not long ago. Raises what `once` raises.

        However fast the state changes, an answer that is quickly made takes one part in `_FRESH_FACTOR` of the time.
        """
        known = self._fresh.get(key)
        if known is None or (known.state != state and time.monotonic() >= known.until):
            body, took_s = await self._made.get((key, state), lambda: self._answer(read, media_type))
            stands_s = min(max(_FRESH_S, _FRESH_FACTOR * took_s), _LONGEST_FRESH_S)
            known = self._fresh[key] = _Fresh(state, time.monotonic() + stands_s, body)
            if len(self._fresh) > _MOST_KEPT:
                self._fresh.popitem(last=False)
        return known.body

    async def _answer(self, read: Read, media_type: str) -> tuple[KeptBody, float]:
        """An answer, and what it took to read and make it, in seconds of a processor's time."""

        async def answer() -> tuple[KeptBody, float]:
            began = time.process_time()
            make = await read()
            body = await run_in_threadpool(lambda: KeptBody.of(make(), media_type))
            return body, time.process_time() - began

        return await self._turns.do(answer)
