"""Who has a place to think: in order, and as long as it works."""

import asyncio
from collections.abc import Iterable

from arena.seats.processors import AWAKE_S, Processors


class Thinker:
    """Somebody who takes places, and uses as much of a processor as its `work` says."""

    def __init__(self, processors: Processors, work: float = 1.0) -> None:
        self.has_place = asyncio.Event()
        self.is_asleep = asyncio.Event()
        self.is_awake = asyncio.Event()
        self.work = work
        self._processors = processors

    def on_free(self) -> None:
        self.has_place.set()

    def used_s(self) -> float:
        return self.work * asyncio.get_running_loop().time()

    def sleep(self) -> None:
        self.is_asleep.set()

    def wake(self) -> None:
        self.is_awake.set()


def thinkers(processors: Processors, works: Iterable[float]) -> list[Thinker]:
    return [Thinker(processors, work) for work in works]


def places(them: Iterable[Thinker]) -> list[bool]:
    return [one.has_place.is_set() for one in them]


async def test_no_more_places_are_taken_than_there_are() -> None:
    processors = Processors(2)
    first, second, third = thinkers(processors, (1, 1, 1))
    assert [processors.take(one) for one in (first, second, third)] == [True, True, False]
    processors.release(second)
    assert processors.take(third)
    assert processors.taken == 2


async def test_those_who_wait_get_a_place_in_their_order_before_anybody_who_comes_later() -> None:
    processors = Processors(1)
    holder, *waiting, late = thinkers(processors, 5 * [1])
    assert processors.take(holder)
    for one in waiting:
        processors.wait(one)
    processors.forget(waiting[1])
    processors.release(holder)
    assert places(waiting) == [True, False, False]
    assert not processors.take(late)
    processors.release(waiting[0])
    assert places(waiting) == [True, False, True], "who waits no more is passed over"
    processors.release(waiting[2])
    assert processors.take(late)


async def test_a_place_that_is_seized_is_given_back_to_nobody_while_there_are_too_many() -> None:
    processors = Processors(1)
    holder, hasty, waiting = thinkers(processors, (1, 1, 1))
    assert processors.take(holder)
    processors.seize(hasty)
    processors.wait(waiting)
    processors.release(hasty)
    assert places([waiting]) == [False]
    processors.release(holder)
    assert places([waiting]) == [True]


async def test_the_place_of_who_sleeps_goes_to_who_waits_and_that_of_who_works_does_not() -> None:
    processors = Processors(2)
    sleeper, worker, first, second = thinkers(processors, (0, 0.9, 0, 1))
    for one in (sleeper, worker):
        assert processors.take(one)
    processors.wait(first)
    await first.has_place.wait()
    assert sleeper.is_asleep.is_set()
    assert not worker.is_asleep.is_set()
    processors.wait(second)
    await second.has_place.wait()
    assert first.is_asleep.is_set()
    assert not worker.is_asleep.is_set()
    assert processors.taken == 2


async def test_who_wakes_is_found_awake_however_little_it_works_at_a_time() -> None:
    processors = Processors(1)
    sleeper, worker = thinkers(processors, (AWAKE_S, 1))
    assert processors.take(sleeper)
    processors.wait(worker)
    await worker.has_place.wait()
    await sleeper.is_awake.wait()
