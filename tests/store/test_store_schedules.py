"""A schedule is moved on by one node, once."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from store_servers import BadLine, tell

from arena.store import ScheduleRecord, Store
from arena.store.errors import InvalidNameError, ScheduleExistsError, UnknownScheduleError


async def test_schedules_are_listed_by_the_time_at_which_they_are_due(store: Store) -> None:
    await store.schedules.create("late", b"b", 2_000_000_000_000_001)
    await store.schedules.create("soon", b"a", 2_000_000_000_000_000)
    late, soon = ScheduleRecord("late", b"b"), ScheduleRecord("soon", b"a")
    assert await store.schedules.list() == (soon, late)
    assert await store.schedules.due(1_999_999_999_999_999) == ()
    assert await store.schedules.due(2_000_000_000_000_000) == (soon,)
    assert await store.schedules.get("late") == late


async def test_the_same_schedule_is_made_once_and_another_of_its_name_is_refused(store: Store) -> None:
    for _ in range(2):
        await store.schedules.create("weekly", b"a", 1)
    with pytest.raises(ScheduleExistsError, match="there is another schedule named 'weekly'"):
        await store.schedules.create("weekly", b"b", 2)
    assert (await store.schedules.get("weekly")).record == b"a"
    with pytest.raises(InvalidNameError):
        await store.schedules.create("a b", b"", 1)


async def test_of_two_nodes_that_see_a_schedule_due_one_moves_it_on(store: Store) -> None:
    await store.schedules.create("weekly", b"1", 1)
    seen = await store.schedules.get("weekly")
    assert await store.schedules.move(seen, b"2", 5)
    assert not await store.schedules.move(seen, b"another 2", 7)
    assert await store.schedules.due(4) == ()
    assert await store.schedules.due(5) == (ScheduleRecord("weekly", b"2"),)


async def test_a_schedule_that_was_removed_does_not_come_back(store: Store) -> None:
    await store.schedules.create("weekly", b"1", 1)
    seen = await store.schedules.get("weekly")
    await store.schedules.remove("weekly")
    assert not await store.schedules.move(seen, b"2", 5)
    assert await store.schedules.list() == ()
    for call in (store.schedules.remove, store.schedules.get):
        with pytest.raises(UnknownScheduleError, match="'weekly'"):
            await call("weekly")


async def test_a_move_whose_answer_is_lost_is_recognised_as_made(tcp_url: str) -> None:
    async with BadLine(urlsplit(tcp_url).port or 0).open() as line:
        tell(tcp_url, "FLUSHALL")
        async with await Store.open(redis=f"redis://127.0.0.1:{line.port}/0") as store:
            await store.schedules.create("weekly", b"first", 1)
            seen = await store.schedules.get("weekly")
            line.swallow_answer_to = b"second"
            assert await store.schedules.move(seen, b"second", 2)
            line.swallow_answer_to = b"EVALSHA"
            await store.schedules.remove("weekly")
            assert line.swallowed == 2
