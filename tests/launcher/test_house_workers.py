"""House bots think in processes that all matches share: one that dies, hangs or fails costs no other match anything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil
import pytest
from arena_command import until

from arena.launcher import house_workers
from arena.launcher.errors import BotStartError
from arena.launcher.house_workers import HouseWorkers
from arena.match.model import End, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Question
from arena.match.referee import Referee
from arena.match.seat import SeatFailure
from arena.seats.house import HouseSeat
from arena.seats.in_process import InProcessSeat
from arena.wire import decision_response_bytes
from bots import house

SPEC = MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"), {"months": 1}, time=TimeControl(3_600_000, 0))
HOUR_S = 3_600.0
DECISION = decision_response_bytes(Referee(SPEC).ask())


@asynccontextmanager
async def working(folder: Path, most: int = 2, idle_s: float = HOUR_S) -> AsyncIterator[HouseWorkers]:
    workers = HouseWorkers(lambda: folder / "house.log", most, idle_s)
    try:
        yield workers
    finally:
        await workers.close()


def processes() -> list[psutil.Process]:
    """The processes that think for house bots here."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # a zombie counts as none
            found += [child] if "bots.worker" in child.cmdline() else []
    return found


class Killing(HouseSeat):
    """A seat that kills what thinks for it just after it was asked, at some of its questions."""

    killed = 0

    async def decide(self, question: Question) -> object:
        answer = asyncio.ensure_future(super().decide(question))
        if question.number in (2, 5):
            await asyncio.sleep(0)
            for process in processes():
                process.kill()
                self.killed += 1
        return await answer


async def test_a_match_is_the_same_whether_the_bots_think_here_or_elsewhere_and_are_killed_meanwhile(tmp_path):
    here = await play(SPEC, [InProcessSeat(house("search")), InProcessSeat(house("level2"))])
    async with working(tmp_path) as workers:
        killing = Killing("search", workers)
        there = await play(SPEC, [killing, HouseSeat("level2", workers)])
    assert killing.killed >= 2
    assert there.end is End.COMPLETED
    assert (there.choices, there.results, there.rejections) == (here.choices, here.results, here.rejections)


async def test_many_matches_share_as_many_processes_as_they_may_and_leave_none(tmp_path):
    async with working(tmp_path) as workers:
        answers = await asyncio.gather(*(workers.answer("level1", DECISION, HOUR_S) for _ in range(40)))
        assert len({answer.code for answer in answers}) == 1
        assert 1 <= len(processes()) <= 2
    assert not processes()


async def test_a_bot_that_does_not_answer_is_late_and_its_process_is_replaced(tmp_path):
    async with working(tmp_path, most=1) as workers:
        first = await workers.answer("level1", DECISION, HOUR_S)
        [process] = processes()
        process.suspend()
        assert (await workers.answer("level1", DECISION, 0.2)).code is None
        assert (await workers.answer("level1", DECISION, HOUR_S)).code == first.code
        assert processes() != [process]


async def test_a_bot_that_fails_fails_its_own_seat_alone(tmp_path):
    async with working(tmp_path, most=1) as workers:
        with pytest.raises(SeatFailure, match="DecodeError") as failure:
            await workers.answer("level1", b"\xff", HOUR_S)
        assert failure.value.end is End.BOT_ERROR
        assert (await workers.answer("level1", DECISION, HOUR_S)).code is not None


async def test_where_no_process_starts_the_match_fails_by_the_arena_and_nobody_forfeits(tmp_path, monkeypatch):
    monkeypatch.setattr(house_workers, "_FIRST_PAUSE_S", 0.0)
    monkeypatch.setattr(house_workers.sys, "executable", "/bin/false")
    async with working(tmp_path) as workers:
        with pytest.raises(BotStartError, match="ended with status 1"):
            await play(SPEC, [HouseSeat("search", workers), HouseSeat("search", workers)])


async def test_a_match_that_is_ended_leaves_its_process_to_others(tmp_path):
    async with working(tmp_path, most=1) as workers:
        await workers.answer("level1", DECISION, HOUR_S)
        [process] = processes()
        process.suspend()
        given_up = [asyncio.create_task(workers.answer("level1", DECISION, HOUR_S)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in given_up:
            task.cancel()
        await asyncio.wait(given_up)
        process.resume()
        assert (await workers.answer("level1", DECISION, HOUR_S)).code is not None
        assert processes() == [process]


async def test_processes_without_work_end_and_start_again_when_there_is_some(tmp_path):
    async with working(tmp_path, idle_s=0.01) as workers:
        first = await workers.answer("level1", DECISION, HOUR_S)
        await asyncio.to_thread(until, lambda: not processes(), "the process has ended")
        assert (await workers.answer("level1", DECISION, HOUR_S)).code == first.code


async def test_open_decisions_fail_by_the_arena_when_the_node_ends(tmp_path):
    async with working(tmp_path, most=1) as workers:
        await workers.answer("level1", DECISION, HOUR_S)
        [process] = processes()
        process.suspend()
        waiting = [asyncio.create_task(workers.answer("level1", DECISION, HOUR_S)) for _ in range(3)]
        await asyncio.sleep(0)
    assert [type(error) for error in await asyncio.gather(*waiting, return_exceptions=True)] == [BotStartError] * 3
