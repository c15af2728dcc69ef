"""A clock that stands still while the process does."""

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvloop
from seats_in_tests import FirstSeat, match

from arena.match.clock import GRACE_S, clock
from arena.match.deadline import Deadline, OverdueError
from arena.match.model import End, TimeControl
from arena.match.play import play


def hold_up(seconds: float) -> None:
    """Let nothing of the event loop run."""
    time.sleep(seconds)


both_loops = pytest.mark.parametrize("run", [asyncio.run, uvloop.run])


@both_loops
def test_it_runs_no_faster_than_time_and_does_not_stand_still_for_good(run):
    async def measured() -> tuple[float, float]:
        with clock.held():
            began, shown = time.monotonic(), clock.now()
            await clock.sleep_until(shown + 0.2)
            passed = clock.now() - shown
            return time.monotonic() - began, passed

    machine, shown = run(measured())
    assert machine >= shown >= 0.2


@both_loops
def test_a_loop_that_is_held_up_costs_no_time(run):
    async def shown() -> float:
        with clock.held():
            await clock.sleep_until(clock.now() + 0.05)
            before = clock.now()
            hold_up(0.5)
            await asyncio.sleep(0)
            return clock.now() - before

    assert run(shown()) <= 0.02


@both_loops
def test_after_a_stall_what_has_arrived_is_read_before_anything_falls_due(run):
    async def late() -> str:
        """An answer that comes some turns of the loop after the stall, to a question with next to no time left."""
        deadline = Deadline()
        answer = asyncio.get_running_loop().create_future()

        async def stall() -> None:
            await asyncio.sleep(0.05)
            hold_up(0.5)
            asyncio.get_running_loop().call_later(GRACE_S / 5, answer.set_result, "in time")

        stalling = asyncio.create_task(stall())

        async def wait() -> str:
            return await answer

        try:
            with deadline.within(0.15):
                return await wait()
        finally:
            await stalling
            deadline.close()

    assert run(late()) == "in time"


@both_loops
def test_a_timer_does_not_fall_due_by_a_stall(run):
    async def called() -> list[str]:
        log = []
        due = asyncio.Event()
        timer = clock.call_later(0.3, due.set)
        cancelled = clock.call_later(0.01, lambda: log.append("cancelled"))
        cancelled.cancel()
        cancelled.cancel()
        await asyncio.sleep(0)
        hold_up(0.6)
        await asyncio.sleep(0.01)
        log.append("stalled")
        assert not due.is_set()
        await due.wait()
        log.append("due")
        timer.cancel()
        return log

    assert run(called()) == ["stalled", "due"]


@both_loops
@pytest.mark.parametrize("slice_s", [0.001, 0.004, 0.015, 0.03])
def test_on_a_busy_node_an_answer_is_timed_no_later_than_it_arrives_and_one_in_time_is_read(run, slice_s):
    """Answers come through a socket while the event loop does other things for `slice_s` at a time."""
    limit_s = 0.03

    async def measured() -> list[tuple[float, float]]:
        """What was charged, and after how long the answer was sent."""
        found = []
        here, there = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=here)
        sent_at: list[float] = []

        def answer(after_s: float) -> None:
            time.sleep(after_s)
            there.send(b"!")
            sent_at.append(time.monotonic())

        async def other_work() -> None:
            while True:
                hold_up(slice_s)
                await asyncio.sleep(0)

        deadline = Deadline()
        busy = asyncio.create_task(other_work())
        with ThreadPoolExecutor(1) as bot:
            for number in range(20):
                began, asked = time.monotonic(), clock.now()
                answering = bot.submit(answer, number * limit_s / 20)
                try:
                    with deadline.within(limit_s):
                        await reader.readexactly(1)
                    charged = clock.read_until() - asked
                except OverdueError:
                    charged = limit_s
                    await reader.readexactly(1)
                answering.result()
                found.append((charged, sent_at[-1] - began))
        busy.cancel()
        deadline.close()
        writer.close()
        there.close()
        return found

    found = run(measured())
    assert [pair for pair in found if pair[0] > pair[1]] == []
    assert len(found) == 20


async def test_a_loop_that_is_held_up_again_and_again_still_ends_a_wait():
    deadline = Deadline()

    async def stalls() -> None:
        while True:
            hold_up(0.15)
            for _ in range(30):
                await asyncio.sleep(0.01)

    with pytest.raises(OverdueError), deadline.within(0.05):
        await stalls()
    deadline.close()


async def test_a_seat_does_not_pay_for_what_another_table_does_to_the_node():
    """One table's bot holds up the loop for longer than the other table's seats have for a decision."""

    class Waits(FirstSeat):
        async def think(self, question):
            answer = await super().think(question)
            await asyncio.sleep(0.03)
            return answer

    async def disturb() -> None:
        for _ in range(3):
            await asyncio.sleep(0.05)
            hold_up(0.5)

    spec = match(months=1, time=TimeControl(per_decision_ms=300, bank_ms=0))
    stalling = asyncio.create_task(disturb())
    result = await play(spec, [Waits(), Waits()])
    await stalling
    assert result.end is End.COMPLETED
    assert max(result.clock_ms) < 300
