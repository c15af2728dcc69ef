"""Caged matches of one board are kept apart: one at a time, with a pause and moved numbers of pipes in between."""

import asyncio
import os

from arena.match.model import MatchSpec
from arena.node.boards import MIN_PAUSE_S, PAUSE, CagedBoards


def spec(seed: int, *names: str) -> MatchSpec:
    return MatchSpec("m", "koikoi", seed.to_bytes(32, "big"), names)


def batches() -> dict[int, int]:
    """By processor, from which thousand of numbers it gives the next one to a pipe."""
    processors = os.sched_getaffinity(0)
    found = {}
    try:
        for processor in processors:
            os.sched_setaffinity(0, {processor})
            ends = os.pipe()
            found[processor] = os.fstat(ends[0]).st_ino // 1_024
            for end in ends:
                os.close(end)
    finally:
        os.sched_setaffinity(0, processors)
    return found


async def test_the_next_match_of_a_board_waits_for_a_pause_and_for_other_numbers_of_pipes() -> None:
    freed = asyncio.Event()
    boards = CagedBoards(freed.set)
    one, twin, others = spec(1, "ann", "bea"), spec(1, "bea", "ann"), spec(1, "ann", "cid")
    with boards.played(one):
        assert boards.keep(twin)
        assert not boards.keep(others), "they share no cards"
        assert not boards.keep(spec(2, "ann", "bea"))
        before = batches()
    assert boards.keep(twin)
    await freed.wait()
    assert not boards.keep(twin)
    after = batches()
    assert all(after[processor] != before[processor] for processor in before)
    await boards.close()


async def test_pauses_are_by_chance_and_longer_after_a_longer_match() -> None:
    pauses: list[tuple[float, float]] = []
    freed: asyncio.Queue[None] = asyncio.Queue()
    boards = CagedBoards(lambda: freed.put_nowait(None))
    boards._chance.uniform = lambda low, high: pauses.append((low, high)) or 0.0  # type: ignore[assignment, func-returns-value]
    with boards.played(spec(1, "ann", "bea")):
        pass
    with boards.played(spec(2, "ann", "bea")):
        await asyncio.sleep(MIN_PAUSE_S)
    await freed.get()
    await freed.get()
    await boards.close()
    (low, short), (other_low, long) = pauses
    assert low == other_low == 0.0
    assert short >= MIN_PAUSE_S
    assert long >= PAUSE * MIN_PAUSE_S


async def test_in_a_test_of_two_bots_the_next_match_of_a_board_begins_at_once_but_not_beside_the_first() -> None:
    boards = CagedBoards(lambda: None, apart=False)
    with boards.played(spec(1, "ann", "bea")):
        assert boards.keep(spec(1, "bea", "ann"))
    assert not boards.keep(spec(1, "bea", "ann"))
    await boards.close()


async def test_what_ends_does_not_wait_for_pauses() -> None:
    boards = CagedBoards(lambda: None)
    for number in range(50):
        with boards.played(spec(number, "ann", "bea")):
            pass
    await boards.close()
    assert all(boards.keep(spec(number, "ann", "bea")) for number in range(50)), "none of them is played any more"
