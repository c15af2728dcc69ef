"""Waits that end when their time is over."""

import asyncio

import pytest
import uvloop

from arena.match.deadline import OverdueError, within


async def forever() -> None:
    await asyncio.Event().wait()


async def soon() -> int:
    await asyncio.sleep(0)
    return 5


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_wait_ends_when_its_time_is_over_whatever_waits_went_before(run):
    async def waits() -> list[object]:
        seen: list[object] = []
        for seconds in (30, 0.01, 20, 0.005, 0.02):
            async with within(seconds):
                seen.append(await soon())
            if seconds < 1:
                with pytest.raises(OverdueError):
                    async with within(seconds):
                        await forever()
                seen.append("over")
        return seen

    assert run(waits()) == [5, 5, "over", 5, 5, "over", 5, "over"]


async def test_a_cancellation_from_outside_is_not_taken_for_lost_time():
    begun = asyncio.Event()

    async def work() -> None:
        async with within(30):
            begun.set()
            await forever()

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_from_outside_counts_more_than_lost_time():
    async def work() -> None:
        async with within(0.01):
            try:
                await forever()
            finally:
                task.cancel()

    task = asyncio.create_task(work())
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_the_body_raises_is_raised_its_own_timeouts_too():
    async def fails(error: Exception) -> None:
        async with within(30):
            await soon()
            raise error

    for error in (KeyError("mine"), TimeoutError("mine")):
        with pytest.raises(type(error)) as caught:
            await fails(error)
        assert caught.value is error
    async with within(30):
        assert await soon() == 5
