"""Lists give way to play, and callers take turns at them."""

import asyncio
import itertools

import pytest

from arena.rpc.errors import ApiError, Reason
from arena.rpc.list_turns import MAX_WAITING, ListTurns


async def test_one_list_is_made_at_a_time_and_callers_take_turns_whoever_has_how_many_waiting() -> None:
    turns, made, under_way = ListTurns(), [], []

    async def make(caller: str) -> None:
        async with turns.turn(caller):
            under_way.append(caller)
            await asyncio.sleep(0)
            assert under_way == [caller]
            under_way.clear()
            made.append(caller)

    await asyncio.wait_for(asyncio.gather(*map(make, ["ann"] * 5 + ["bob"] * 2)), 60)
    assert made == ["ann", "ann", "bob", "ann", "bob", "ann", "ann"]


async def test_other_work_has_three_quarters_of_the_time() -> None:
    turns, loop = ListTurns(), asyncio.get_running_loop()
    made: list[tuple[float, float]] = []

    async def make() -> None:
        async with turns.turn("ann"):
            began = loop.time()
            while loop.time() < began + 0.01:
                pass
            made.append((began, loop.time()))

    await asyncio.wait_for(asyncio.gather(*(make() for _ in range(8))), 60)
    for (began, ended), (following, _) in itertools.pairwise(made):
        assert following - ended >= 3 * (ended - began)


async def test_a_caller_has_only_so_many_lists_waiting_and_those_who_leave_hold_up_nobody() -> None:
    turns = ListTurns()
    held = turns.turn("ann")
    await held.__aenter__()

    async def make(caller: str) -> None:
        async with turns.turn(caller):
            pass

    waiting = [asyncio.create_task(make("ann")) for _ in range(MAX_WAITING)]
    bob = asyncio.create_task(make("bob"))
    await asyncio.sleep(0)
    with pytest.raises(ApiError) as refused:
        await make("ann")
    assert refused.value.reason is Reason.LIMIT_REACHED
    for task in waiting:
        task.cancel()
    await held.__aexit__(None, None, None)
    await asyncio.wait_for(bob, 60)
    await asyncio.wait_for(make("ann"), 60)
