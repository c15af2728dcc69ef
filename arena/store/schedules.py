"""Schedules of leagues to come: a record each, and the time at which a node has to act on it."""

from arena.store.client import Section
from arena.store.errors import ScheduleExistsError, UnknownScheduleError
from arena.store.keys import SCHEDULES, SCHEDULES_DUE, check_name
from arena.store.records import ScheduleRecord


class Schedules(Section):
    """All schedules of a store. Times are microseconds since 1970."""

    async def create(self, name: str, record: bytes, due_us: int) -> None:
        """Make a schedule; nothing happens when the very same is there. ScheduleExistsError, InvalidNameError."""
        check_name("schedule", name)
        if not await self._swap(name, b"", record, due_us):
            raise ScheduleExistsError(name)

    async def get(self, name: str) -> ScheduleRecord:
        """Return a schedule; UnknownScheduleError."""
        record = await self._client.call("HGET", SCHEDULES, name)
        if record is None:
            raise UnknownScheduleError(name)
        return ScheduleRecord(name, record)

    async def list(self) -> tuple[ScheduleRecord, ...]:
        """Return all schedules, the first to be due first."""
        return await self._due("+inf")

    async def due(self, now_us: int) -> tuple[ScheduleRecord, ...]:
        """Return the schedules for which something is to be done by now."""
        return await self._due(str(now_us))

    async def move(self, schedule: ScheduleRecord, record: bytes, due_us: int) -> bool:
        """Put the next record in the schedule's place; False when it was moved or removed in the meantime."""
        return await self._swap(schedule.name, schedule.record, record, due_us)

    async def remove(self, name: str) -> None:
        """Remove a schedule; UnknownScheduleError."""
        while not await self.move(await self.get(name), b"", 0):
            pass  # a node moved it on between the two

    async def _swap(self, name: str, before: bytes, after: bytes, due_us: int) -> bool:
        return bool(await self._client.script("swap_record", [SCHEDULES, SCHEDULES_DUE], [name, before, after, due_us]))

    async def _due(self, latest: str) -> tuple[ScheduleRecord, ...]:
        names = await self._client.call("ZRANGE", SCHEDULES_DUE, "-inf", latest, "BYSCORE")
        records = await self._client.call("HMGET", SCHEDULES, *names) if names else ()
        stored = zip(names, records, strict=True)
        return tuple(ScheduleRecord(name.decode(), record) for name, record in stored if record is not None)
