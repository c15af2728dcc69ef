"""Running a command's coroutine on the arena's event loop."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

from arena.cli.failures import TerminatedError
from arena.cli.output import harmless
from arena.logs import TEXT, JsonFormatter, configure

T = TypeVar("T")


class LogFormatter(logging.Formatter):
    """Writes all lines of a record but the first indented: what a bot wrote cannot pass for a line of the arena's."""

    def format(self, record: logging.LogRecord) -> str:
        """The record with its traceback, if it has one."""
        return harmless(super().format(record)).replace("\n", "\n    ")


def run(work: Coroutine[Any, Any, T], log_level: int = logging.WARNING, *, log_as_json: bool = False) -> T:
    """Run to the end. SIGTERM, like Ctrl-C, cancels the work, which closes what it opened; TerminatedError follows.

    `log_level` is how much of what the arena does is logged to standard error, for people or as JSON.
    """
    configure(log_level, JsonFormatter() if log_as_json else LogFormatter(TEXT), every_event=log_as_json)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            return runner.run(_until_terminated(work))
        except asyncio.CancelledError:
            raise TerminatedError from None


async def stopped(asked: asyncio.Event | None = None) -> None:
    """Wait until the command is asked to stop, which cancels its work, or until the event."""
    with contextlib.suppress(asyncio.CancelledError):
        await (asked or asyncio.Event()).wait()


async def _until_terminated(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work
