"""Thinking time, measured and limited."""

import asyncio
import time

import pytest

from arena.match.clock import DecisionTimer, clock
from arena.match.deadline import timed


def hold_up(seconds: float) -> None:
    """Let nothing of the event loop run."""
    time.sleep(seconds)


class Expiry:
    """A timer, and whether a decision's time was over."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.timer = DecisionTimer(self.over.set)

    async def wait(self, seconds: float) -> bool:
        """Whether the time is over when so much has passed by the arena's clock."""
        with clock.held():
            await clock.sleep_until(clock.now() + seconds)
        return self.over.is_set()


@pytest.fixture
def expiry():
    made = Expiry()
    yield made
    made.timer.close()


async def test_the_time_of_each_decision_is_limited_whatever_the_limits_of_those_before(expiry: Expiry) -> None:
    for limit_s in (30, 0.01, 20, 0.005):
        expiry.timer.begin(limit_s)
        if limit_s < 1:
            await expiry.over.wait()
            assert expiry.timer.thinking_s >= limit_s
            expiry.over.clear()
        else:
            expiry.timer.stop()
            assert expiry.timer.thinking_s < limit_s
    assert not expiry.over.is_set()


async def test_an_answer_that_has_arrived_is_not_late_however_long_it_takes_to_be_read(expiry: Expiry) -> None:
    expiry.timer.begin(0.02)
    expiry.timer.stop()
    assert not await expiry.wait(0.06)
    assert expiry.timer.thinking_s < 0.02


async def test_a_question_that_leaves_late_is_timed_from_then_on(expiry: Expiry) -> None:
    expiry.timer.begin(0.15)
    # However late the loop is, two ticks of 20 ms at most pass between the end of the wait and the restart.
    assert not await expiry.wait(0.05)
    left = clock.now()
    expiry.timer.restart()
    await expiry.over.wait()
    assert clock.read_until() - left >= 0.15
    assert expiry.timer.thinking_s >= 0.15


async def test_no_time_runs_while_a_bot_is_away_through_no_fault_of_its_own(expiry: Expiry) -> None:
    expiry.timer.begin(0.02)
    expiry.timer.suspend()
    assert not await expiry.wait(0.06)
    expiry.timer.stop()
    assert expiry.timer.thinking_s == 0
    expiry.timer.begin(0.02)
    expiry.timer.suspend()
    expiry.timer.restart()
    await expiry.over.wait()


async def test_a_stall_of_the_process_expires_nothing(expiry: Expiry) -> None:
    expiry.timer.begin(0.15)
    await asyncio.sleep(0)
    hold_up(0.5)
    for _ in range(3):
        await asyncio.sleep(0.01)
    assert not expiry.over.is_set()


async def test_what_takes_too_long_has_no_result_even_if_it_comes_after_its_cancellation() -> None:
    async def stubborn() -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return 5
        return 6

    result, seconds = await timed(stubborn(), 0.01)
    assert result is None
    assert seconds >= 0.01


async def test_no_time_runs_while_a_timer_is_paused_and_what_was_used_before_counts_on(expiry: Expiry) -> None:
    limit_s = 0.4
    expiry.timer.begin(limit_s)
    assert not await expiry.wait(0.2)
    expiry.timer.pause()
    assert not await expiry.wait(2 * limit_s)
    expiry.timer.go_on()
    with clock.held():
        began = clock.now()
        await expiry.over.wait()
        assert clock.now() - began < limit_s
    assert expiry.timer.thinking_s >= limit_s


async def test_an_answer_that_is_read_while_the_timer_is_paused_costs_what_was_used_before(expiry: Expiry) -> None:
    expiry.timer.begin(1)
    assert not await expiry.wait(0.1)
    expiry.timer.pause()
    assert not await expiry.wait(0.3)
    expiry.timer.stop()
    assert 0 < expiry.timer.thinking_s < 0.3
