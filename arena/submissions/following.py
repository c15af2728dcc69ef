"""Following a qualification, whichever node works on it."""

import asyncio
from collections.abc import AsyncGenerator

import msgspec

from arena.seats.watched import Step
from arena.store import BotVersion, Store
from arena.submissions.submit import STARTED, read_report

_LOOK_S = 0.2
_PATIENCE = 5
"""After so many looks without a step, say that no node has started."""


class Waiting(msgspec.Struct, frozen=True):
    """No node has started yet."""


class Started(msgspec.Struct, frozen=True):
    """A node has started, or started again after the one before it was lost."""


async def follow(store: Store, bot: str, version: str) -> AsyncGenerator[Waiting | Started | Step | BotVersion]:
    """Yield each step of a qualification when it is done, and at last the version. UnknownVersionError."""
    seen = fence = looks = 0
    while True:
        # Before the steps: those of a version that is over are all noted.
        stored = await store.versions.get(bot, version)
        for noted_for, step in await store.versions.steps(bot, version, seen):
            seen += 1
            if noted_for < fence:
                continue  # by a node that has lost the job
            fence = noted_for
            yield Started() if step == STARTED else msgspec.json.decode(step, type=Step)
        if stored.status != "qualifying":
            report = read_report(stored)
            if not seen and report is not None:
                for passed in report.steps:
                    yield passed
            yield stored
            return
        looks += 1
        if looks == _PATIENCE and not seen:
            yield Waiting()
        await asyncio.sleep(_LOOK_S)
