"""One timer for many waits."""

import asyncio

import pytest
import uvloop

from arena.match.deadline import Deadline, OverdueError


async def forever() -> None:
    await asyncio.Event().wait()


async def soon() -> int:
    await asyncio.sleep(0)
    return 5


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_wait_ends_when_its_time_is_over_whatever_waits_went_before(run):
    async def waits() -> list[object]:
        deadline = Deadline()
        seen: list[object] = []
        for seconds in (30, 0.01, 20, 0.005, 0.02):
            with deadline.within(seconds):
                seen.append(await soon())
            if seconds < 1:
                with pytest.raises(OverdueError), deadline.within(seconds):
                    await forever()
                seen.append("over")
        deadline.close()
        return seen

    assert run(waits()) == [5, 5, "over", 5, 5, "over", 5, "over"]


async def test_a_cancellation_from_outside_is_not_taken_for_lost_time():
    begun = asyncio.Event()

    async def work() -> None:
        async def sleeper() -> None:
            begun.set()
            await forever()

        with Deadline().within(30):
            await sleeper()

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_from_outside_counts_more_than_lost_time():
    async def work() -> None:
        deadline = Deadline()

        async def cancelled_twice() -> None:
            try:
                await forever()
            finally:
                task.cancel()

        with deadline.within(0.01):
            await cancelled_twice()

    task = asyncio.create_task(work())
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_the_coroutine_raises_is_raised():
    async def fail() -> None:
        raise KeyError("mine")

    deadline = Deadline()
    with pytest.raises(KeyError, match="mine"), deadline.within(30):
        await fail()
    with deadline.within(30):
        assert await soon() == 5
    deadline.close()
