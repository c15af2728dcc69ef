"""Schedules: what a node is to do for leagues to come, and when. What that is, the worker knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.store import scripts
from arena.store.errors import ScheduleExistsError, UnknownScheduleError
from arena.store.keys import SCHEDULES, SCHEDULES_DUE, check_name
from arena.store.records import Schedule

if TYPE_CHECKING:
    from arena.store.client import Client


class Schedules:
    """All schedules of a store. Times are microseconds since 1970."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(self, name: str, record: bytes, due_us: int) -> Schedule:
        """Make a schedule; nothing happens when the very same is there. ScheduleExistsError, InvalidNameError."""
        check_name("schedule", name)
        if not await self._swap(name, b"", record, due_us):
            raise ScheduleExistsError(name)
        return Schedule(name, record, due_us)

    async def get(self, name: str) -> Schedule:
        """Return a schedule; UnknownScheduleError."""
        record = await self._client.call("HGET", SCHEDULES, name)
        due = await self._client.call("ZSCORE", SCHEDULES_DUE, name)
        if record is None or due is None:
            raise UnknownScheduleError(name)
        return Schedule(name, record, int(float(due)))

    async def list(self) -> tuple[Schedule, ...]:
        """Return all schedules, the first to be due first."""
        return await self._due("+inf")

    async def due(self, now_us: int) -> tuple[Schedule, ...]:
        """Return the schedules for which something is to be done by now."""
        return await self._due(str(now_us))

    async def move(self, schedule: Schedule, record: bytes, due_us: int) -> bool:
        """Put the next record in the schedule's place; False when it was moved or removed in the meantime."""
        return await self._swap(schedule.name, schedule.record, record, due_us)

    async def remove(self, name: str) -> None:
        """Remove a schedule; UnknownScheduleError."""
        while not await self._swap(name, (await self.get(name)).record, b"", 0):
            pass  # a node moved it on between the two

    async def _swap(self, name: str, before: bytes, after: bytes, due_us: int) -> bool:
        return bool(
            await self._client.script(scripts.SWAP_SCHEDULE, [SCHEDULES, SCHEDULES_DUE], [name, before, after, due_us])
        )

    async def _due(self, latest: str) -> tuple[Schedule, ...]:
        found = await self._client.call("ZRANGE", SCHEDULES_DUE, "-inf", latest, "BYSCORE", "WITHSCORES")
        if not found:
            return ()
        records = await self._client.call("HMGET", SCHEDULES, *found[::2])
        return tuple(
            Schedule(name.decode(), record, int(float(due)))
            for name, due, record in zip(found[::2], found[1::2], records, strict=True)
            if record is not None
        )
