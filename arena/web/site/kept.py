"""Answers that are made once for all who ask, and take no more of a node's time than their share."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.web.pages import HTML, KeptBody

Made = TypeVar("Made")

_MOST_KEPT = 64
_FRESH_S = 1.0
_FRESH_FACTOR = 100
_LONGEST_FRESH_S = 30.0
"""An answer stands for later states for `_FRESH_S`, or so many times as long as it took to make, up to this."""
_COST = 4
_BURST_S = 4.0
"""All answers together take one part in `_COST` of a processor's time, after a burst of `_BURST_S / _COST` seconds."""


class _Answer(msgspec.Struct, frozen=True):
    """An answer, and how long it took to make, in seconds of a processor's time."""

    body: KeptBody
    took_s: float


class _Fresh(msgspec.Struct, frozen=True):
    """An answer, the state that it shows, and until when it stands for later ones."""

    state: str
    until: float
    body: KeptBody


class KeptAnswers:
    """The answers of a site. What is read for one is read by a coroutine, which returns the function that makes it."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[object, asyncio.Task[_Answer]] = OrderedDict()
        self._fresh: OrderedDict[object, _Fresh] = OrderedDict()
        self._turn = asyncio.Lock()
        self._paid_at = 0.0
        """When the time that was taken so far will have been made up for."""

    async def once(
        self, key: object, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str = HTML
    ) -> KeptBody:
        """The answer of a key, made once however many ask; a failure is not kept."""
        return (await self._once(key, read, media_type)).body

    async def fresh(
        self, key: object, state: str, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str = HTML
    ) -> KeptBody:
        """The answer for this state, or for an earlier one of the same key not long ago.

        However fast the state changes, an answer that is quickly made takes one part in `_FRESH_FACTOR` of the time.
        """
        known = self._fresh.get(key)
        if known is None or (known.state != state and time.monotonic() >= known.until):
            answer = await self._once((key, state), read, media_type)
            stands_s = min(max(_FRESH_S, _FRESH_FACTOR * answer.took_s), _LONGEST_FRESH_S)
            known = self._fresh[key] = _Fresh(state, time.monotonic() + stands_s, answer.body)
            if len(self._fresh) > _MOST_KEPT:
                self._fresh.popitem(last=False)
        return known.body

    async def in_turn(self, make: Callable[[], Made]) -> Made:
        """What a function returns, in a thread: one function at a time, and all of them for their share of the time."""
        return (await self._timed(make))[0]

    async def _once(self, key: object, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str) -> _Answer:
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._tasks[key] = asyncio.create_task(self._answer(read, media_type))
            if len(self._tasks) > _MOST_KEPT:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return await asyncio.shield(task)

    async def _answer(self, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str) -> _Answer:
        make = await read()
        return _Answer(*await self._timed(lambda: KeptBody.of(make(), media_type)))

    async def _timed(self, make: Callable[[], Made]) -> tuple[Made, float]:
        took_s = 0.0

        def timed() -> Made:
            nonlocal took_s
            began = time.thread_time()
            try:
                return make()
            finally:
                took_s = time.thread_time() - began

        async with self._turn:
            await asyncio.sleep(self._paid_at - _BURST_S - time.monotonic())
            began = time.monotonic()
            try:
                return await run_in_threadpool(timed), took_s
            finally:
                self._paid_at = max(self._paid_at, began) + _COST * took_s
