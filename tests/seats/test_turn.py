"""When a caged bot runs: what is done to it, in order."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.seats.outbox import Outbox, Pending
from arena.seats.processors import Processors
from arena.seats.rest import Rest
from arena.seats.turn import Turn


class Asking(Pending):
    """Writes a bot its question."""

    def __init__(self, bot: "Bot") -> None:
        self.bot = bot

    def flush(self) -> None:
        self.bot.done.append(f"{self.bot.name} is asked")


class Bot:
    """A bot that writes down what is done to it."""

    def __init__(
        self, name: str, done: list[str], processors: Processors, outbox: Outbox, rest: Rest | None = None
    ) -> None:
        self.name = name
        self.done = done
        self.outbox = outbox
        self.turn = Turn(self, processors, outbox, rest)
        self.turn.timer = self

    def ask(self) -> None:
        self.outbox.put(Asking(self))

    def freeze(self) -> None:
        self.done.append(f"{self.name} is frozen")

    def thaw(self) -> None:
        self.done.append(f"{self.name} is thawed")

    def used_s(self) -> float:
        raise AssertionError("these tests put bots to sleep themselves: no processor time is looked up")

    def pause(self) -> None:
        self.done.append(f"the clock of {self.name} stands still")

    def go_on(self) -> None:
        self.done.append(f"the clock of {self.name} goes on")


@pytest.fixture
async def outbox() -> Outbox:
    return Outbox()


@pytest.fixture
def done() -> list[str]:
    return []


@pytest.fixture
def waiting() -> Iterator[Rest]:
    """A program that waits in a read of its standard input."""
    with running("cat") as (cat, rest):
        os.write(cat.stdin.fileno(), b"\n")
        os.read(cat.stdout.fileno(), 1)
        while Path(f"/proc/{cat.pid}/wchan").read_text() == "0":  # it is on its way back to the read
            pass
        yield rest


@pytest.fixture
def sleeping() -> Iterator[Rest]:
    """A program that sleeps, but not over its standard input."""
    with running("sleep", "infinity") as (_, rest):
        yield rest


@contextmanager
def running(*command: str) -> "Iterator[tuple[subprocess.Popen[bytes], Rest]]":
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        rest = Rest(program.pid)
        yield program, rest
        rest.close()
        program.kill()


def bots(count: int, processors: Processors, done: list[str], outbox: Outbox) -> list[Bot]:
    return [Bot(f"bot {number}", done, processors, outbox) for number in range(1, count + 1)]


def asked(count: int, processors: Processors, done: list[str], outbox: Outbox) -> list[Bot]:
    """Bots that all have something to decide, and of which so many are at it as there are processors."""
    made = bots(count, processors, done, outbox)
    for bot in made:
        bot.turn.begin(bot.ask)
    outbox.take()
    done.clear()
    return made


def answered(done: list[str], outbox: Outbox, rest: Rest | None = None) -> Bot:
    """A bot that was asked, and has answered in the turn of the loop that now ends."""
    bot = Bot("the bot", done, Processors(1), outbox, rest)
    ask_and_answer(bot)
    return bot


def ask_and_answer(bot: Bot) -> None:
    bot.turn.begin(bot.ask)
    bot.outbox.take()
    bot.turn.end()


async def test_a_bot_is_thawed_after_its_question_is_written_and_frozen_after_its_answer(
    done: list[str], outbox: Outbox
) -> None:
    [bot] = bots(1, Processors(1), done, outbox)
    bot.turn.begin(bot.ask)
    assert done == []
    outbox.take()
    assert done == ["bot 1 is asked", "bot 1 is thawed"]
    bot.turn.end()
    outbox.take()
    assert done[2:] == ["bot 1 is frozen"]


async def test_when_others_wait_for_a_processor_a_bot_is_frozen_and_the_next_one_asked_at_once(
    done: list[str], outbox: Outbox
) -> None:
    processors = Processors(1)
    first, second, third = asked(3, processors, done, outbox)
    first.turn.end()
    assert done == ["bot 1 is frozen", "bot 2 is asked", "bot 2 is thawed"]
    second.turn.end()
    assert done[3:] == ["bot 2 is frozen", "bot 3 is asked", "bot 3 is thawed"]
    assert processors.taken == 1
    third.turn.end()
    assert processors.taken == 0


async def test_a_bot_that_is_asked_again_in_the_same_turn_of_the_loop_is_not_frozen_in_between(
    done: list[str], outbox: Outbox
) -> None:
    bot = answered(done, outbox)
    bot.turn.begin(bot.ask)
    outbox.take()
    assert done == ["the bot is asked", "the bot is thawed", "the bot is asked"]


async def test_a_bot_whose_decision_is_over_before_it_was_thawed_stays_frozen(done: list[str], outbox: Outbox) -> None:
    processors = Processors(1)
    [bot] = bots(1, processors, done, outbox)
    bot.turn.begin(bot.ask)
    bot.turn.end()
    outbox.take()
    assert done == ["bot 1 is asked"]
    assert processors.taken == 0


async def test_a_bot_that_waits_no_more_leaves_its_processor_to_the_next(done: list[str], outbox: Outbox) -> None:
    processors = Processors(1)
    first, second, _ = asked(3, processors, done, outbox)
    second.turn.end()
    first.turn.end()
    assert done == ["bot 1 is frozen", "bot 3 is asked", "bot 3 is thawed"]


async def test_a_bot_whose_turns_are_over_gives_its_processor_back_and_is_touched_no_more(
    done: list[str], outbox: Outbox
) -> None:
    processors = Processors(1)
    [bot] = asked(1, processors, done, outbox)
    bot.turn.close()
    outbox.take()
    assert done == []
    assert processors.taken == 0


async def test_the_processor_of_a_bot_that_sleeps_is_anothers_until_both_work(done: list[str], outbox: Outbox) -> None:
    processors = Processors(1)
    first, second, third = asked(3, processors, done, outbox)
    first.turn.sleep()
    processors.release(first.turn)
    assert done == ["bot 2 is asked", "bot 2 is thawed"]
    first.turn.wake()
    assert done[2:] == ["bot 1 is frozen", "the clock of bot 1 stands still"]
    second.turn.end()
    third.turn.end()
    assert done[4:] == [
        "bot 2 is frozen",
        "bot 3 is asked",
        "bot 3 is thawed",
        "the clock of bot 1 goes on",
        "bot 3 is frozen",
        "bot 1 is thawed",
    ]
    first.turn.end()
    assert processors.taken == 0


async def test_a_bot_that_is_asked_in_secret_waits_for_no_processor_and_its_clock_goes_on_when_it_wakes(
    done: list[str], outbox: Outbox
) -> None:
    processors = Processors(1)
    first, second = asked(2, processors, done, outbox)
    secret = Bot("the secret one", done, processors, outbox)
    secret.turn.begin(secret.ask, at_once=True)
    outbox.take()
    assert done == ["the secret one is asked", "the secret one is thawed"]
    secret.turn.sleep()
    processors.release(secret.turn)
    secret.turn.wake()
    secret.turn.end()
    outbox.take()
    assert done[2:] == ["the secret one is frozen"], "the others have not got more processors than there are"
    first.turn.end()
    assert done[3:] == ["bot 1 is frozen", "bot 2 is asked", "bot 2 is thawed"]
    second.turn.end()
    assert processors.taken == 0


async def test_a_bot_that_wakes_while_a_processor_is_free_runs_on(done: list[str], outbox: Outbox) -> None:
    processors = Processors(1)
    first, second = asked(2, processors, done, outbox)
    first.turn.sleep()
    processors.release(first.turn)
    second.turn.end()
    outbox.take()
    done.clear()
    first.turn.wake()
    outbox.take()
    assert done == []
    assert processors.taken == 1


async def test_a_bot_that_answers_in_its_sleep_is_frozen_and_takes_nobodys_processor(
    done: list[str], outbox: Outbox
) -> None:
    processors = Processors(1)
    first, _ = asked(2, processors, done, outbox)
    first.turn.sleep()
    processors.release(first.turn)
    done.clear()
    first.turn.end()
    outbox.take()
    assert done == ["bot 1 is frozen"]
    assert processors.taken == 1


async def test_a_single_threaded_bot_that_waits_for_its_next_question_is_not_frozen(
    done: list[str], outbox: Outbox, waiting: Rest
) -> None:
    answered(done, outbox, waiting)
    for _ in range(3):
        outbox.take()
    assert done == ["the bot is asked", "the bot is thawed"]


async def test_a_single_threaded_bot_that_does_not_wait_is_frozen_two_turns_of_the_loop_later(
    done: list[str], outbox: Outbox, sleeping: Rest
) -> None:
    answered(done, outbox, sleeping)
    for _ in range(2):
        outbox.take()
        assert done == ["the bot is asked", "the bot is thawed"]
    outbox.take()
    assert done[2:] == ["the bot is frozen"]


async def test_a_single_threaded_bot_that_is_asked_again_within_two_turns_of_the_loop_is_not_frozen_in_between(
    done: list[str], outbox: Outbox, sleeping: Rest
) -> None:
    bot = answered(done, outbox, sleeping)
    outbox.take()
    outbox.take()
    ask_and_answer(bot)
    outbox.take()
    outbox.take()
    assert done == ["the bot is asked", "the bot is thawed", "the bot is asked"]


async def test_a_single_threaded_bot_that_does_not_wait_is_frozen_before_another_one_has_its_processor(
    done: list[str], outbox: Outbox, sleeping: Rest
) -> None:
    processors = Processors(1)
    bot = Bot("the bot", done, processors, outbox, sleeping)
    [opponent] = bots(1, processors, done, outbox)
    bot.turn.begin(bot.ask)
    opponent.turn.begin(opponent.ask)
    outbox.take()
    bot.turn.end()
    assert done[2:] == ["the bot is frozen", "bot 1 is asked", "bot 1 is thawed"]
