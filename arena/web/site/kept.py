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
"""An answer stands for later states for `_FRESH_S`, or this many times as long as it took to make, if that is more."""
_COST = 4
_BURST_S = 4.0
"""All answers together take one part in `_COST` of the time, after a burst of `_BURST_S / _COST` seconds."""


class _Fresh(msgspec.Struct, frozen=True):
    """An answer, the state that it shows, and until when it stands for later ones."""

    state: str
    until: float
    body: KeptBody


class KeptAnswers:
    """The answers of a site. What is read for one is read by a coroutine, which returns the function that makes it."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[object, asyncio.Task[KeptBody]] = OrderedDict()
        self._fresh: OrderedDict[object, _Fresh] = OrderedDict()
        self._turn = asyncio.Lock()
        self._paid_at = 0.0
        """When the time that was taken so far will have been made up for."""

    async def once(
        self, key: object, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str = HTML
    ) -> KeptBody:
        """The answer of a key, made once however many ask; a failure is not kept."""
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._tasks[key] = asyncio.create_task(self._body(read, media_type))
            if len(self._tasks) > _MOST_KEPT:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return await asyncio.shield(task)

    async def fresh(
        self, key: object, state: str, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str = HTML
    ) -> KeptBody:
        """The answer for this state, or for an earlier one of the same key not long ago.

        However fast the state changes, the answers of a key take at most one part in `_FRESH_FACTOR` of the time.
        """
        known = self._fresh.get(key)
        if known is None or (known.state != state and time.monotonic() >= known.until):
            began = time.monotonic()
            body = await self.once((key, state), read, media_type)
            now = time.monotonic()
            known = self._fresh[key] = _Fresh(state, now + max(_FRESH_S, _FRESH_FACTOR * (now - began)), body)
            if len(self._fresh) > _MOST_KEPT:
                self._fresh.popitem(last=False)
        return known.body

    async def in_turn(self, make: Callable[[], Made]) -> Made:
        """What a function returns, in a thread: one function at a time, and all of them for their share of the time."""
        async with self._turn:
            await asyncio.sleep(self._paid_at - _BURST_S - time.monotonic())
            began = time.monotonic()
            try:
                return await run_in_threadpool(make)
            finally:
                self._paid_at = max(self._paid_at, began) + _COST * (time.monotonic() - began)

    async def _body(self, read: Callable[[], Awaitable[Callable[[], bytes]]], media_type: str) -> KeptBody:
        make = await read()
        return await self.in_turn(lambda: KeptBody.of(make(), media_type))
