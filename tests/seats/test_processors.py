import asyncio

from arena.seats.processors import Processors


async def test_no_more_places_are_taken_than_there_are() -> None:
    processors = Processors(2)
    assert [processors.take() for _ in range(3)] == [True, True, False]
    processors.release()
    assert processors.take()


async def test_those_who_wait_get_a_place_in_their_order_before_anybody_who_comes_later() -> None:
    processors = Processors(1)
    await processors.acquire()
    order: list[int] = []

    async def think(number: int) -> None:
        async with processors:
            order.append(number)

    waiting = [asyncio.create_task(think(number)) for number in range(3)]
    await asyncio.sleep(0)
    processors.release()
    assert not processors.take()
    await asyncio.gather(*waiting)
    assert order == [0, 1, 2]
    assert processors.take()


async def test_a_place_goes_on_to_the_next_when_the_one_who_got_it_is_cancelled() -> None:
    processors = Processors(1)
    await processors.acquire()
    waiting = [asyncio.create_task(processors.acquire()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    processors.release()
    waiting[1].cancel()
    await asyncio.wait(waiting)
    assert [task.cancelled() for task in waiting] == [True, True, False]
    assert not processors.take()
