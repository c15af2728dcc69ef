"""Moves by chance what the kernel counts for the whole machine and bots can read: the numbers of pipes and sockets.

Each processor has a thousand of these numbers, and gets as many more when they are used up. A bot makes a few pipes at
most (arena.launcher.cage.counted). Where each processor then takes a random number of them, up to `MAX_LEAD` more than
one may be, nobody who reads the next tells whether the bot made any: to one who knows the counter's place before, and
reads it after, that is log2(1 + NUMBERS / (MAX_LEAD + 1)) bits at most, 0.02.
"""

import asyncio
import os
import random
import time

from arena.launcher.cage.inodes import take

BATCH = 1_024
"""How many numbers a processor gets at once. It uses up those that it had, so that what remains is by chance."""
MAX_LEAD = 2_047
NUMBERS = 32
"""That a caged program can take: two for each counted call."""
SHARE = 1 / 40
"""Of the machine's processors, that moving takes at most."""


def move() -> None:
    """Have each processor that this process may use take numbers by chance; no thread but this one is moved there."""
    processors = os.sched_getaffinity(0)
    chance = random.SystemRandom()
    try:
        for processor in processors:
            os.sched_setaffinity(0, {processor})
            take(BATCH + chance.randint(0, MAX_LEAD))
    finally:
        os.sched_setaffinity(0, processors)


class Mover:
    """Moves the numbers for all who wait for that, to be used from one event loop."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None
        self._not_before = 0.0

    async def moved(self) -> None:
        """Return when they have been moved since this was called."""
        if self._next is None:
            self._next = asyncio.create_task(self._move())
        await asyncio.shield(self._next)

    async def _move(self) -> None:
        async with self._lock:
            await asyncio.sleep(self._not_before - time.monotonic())
            self._next = None
            began = time.monotonic()
            await asyncio.to_thread(move)
            ended = time.monotonic()
            self._not_before = ended + (ended - began) / SHARE / len(os.sched_getaffinity(0))
