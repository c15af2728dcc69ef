"""Starts bubblewrap, with the pipes that it and the program in the cage need."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from arena.launcher.cage.counted import count
from arena.launcher.cage.errors import CageStartError
from arena.launcher.cage.freezing import described, tree
from arena.launcher.cage.pipes import pipe, read_all, read_some, receive

log = logging.getLogger(__name__)

SET_UP_S = 10.0
"""How long bubblewrap may take to start the cage's first process."""
_REAP_S = 2.0
"""How long the event loop may be held up by the end of what was killed."""
_CHUNK = 4_096
_NOTHING = "(it wrote nothing)"

T = TypeVar("T")


@dataclass(frozen=True)
class Handed:
    """What bubblewrap is handed: where it, or what it runs, reads the filters, where it says what it started, and where
    it waits; and what is to be the program's standard input and output.

    bubblewrap also stops waiting when the node ends: what it runs then has to make sure that the node lives.
    """

    filter_fd: int
    info_fd: int
    block_fd: int
    stdin: int
    stdout: int


@dataclass(frozen=True)
class Spawned:
    """bubblewrap, which waits before it runs its first program until something is written to `unblock`.

    `pipes` are the node's ends of the program's standard input, output and error; they do not block. `first` is the
    cage's first process.
    """

    monitor: "subprocess.Popen[bytes]"
    first: int
    pipes: tuple[int, int, int]
    unblock: int


async def spawn(
    command: Callable[[Handed], list[str]],
    filters: bytes,
    stack: ExitStack,
    inherited: Sequence[int] = (),
    apart: Collection[int] = (),
) -> Spawned:
    """Start bubblewrap and wait for the cage's first process; `stack` ends it and closes the pipes.

    The program has the descriptors `inherited` too, and its standard input or output under another number where they
    are `apart`: bubblewrap stays, and would keep the program's end of a pipe open. Raises CageStartError, OSError.
    """
    with ExitStack() as theirs:
        stdin, to_program = pipe(theirs, stack)
        block_fd, unblock = pipe(theirs, stack)
        from_program, stdout = pipe(stack, theirs)
        errors, stderr = pipe(stack, theirs)
        info, info_fd = pipe(stack, theirs)
        filter_fd = os.memfd_create("seccomp")
        theirs.callback(os.close, filter_fd)
        os.pwrite(filter_fd, filters, 0)
        descriptors = {0: stdin, 1: stdout}
        handed = Handed(
            filter_fd,
            info_fd,
            block_fd,
            *(descriptors[number] if number in apart else number for number in descriptors),
        )
        monitor = subprocess.Popen(  # noqa: S603, ASYNC220 - it is back as soon as bubblewrap runs
            command(handed),
            stdin=subprocess.DEVNULL if 0 in apart else stdin,
            stdout=subprocess.DEVNULL if 1 in apart else stdout,
            stderr=stderr,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            pass_fds=(filter_fd, info_fd, block_fd, *inherited, *(descriptors[number] for number in apart)),
            start_new_session=True,
        )
        stack.callback(_end, monitor)
    for descriptor in (to_program, from_program, errors):
        os.set_blocking(descriptor, False)
    try:
        async with asyncio.timeout(SET_UP_S):
            report = await read_all(info)
    except TimeoutError:
        raise CageStartError(f"bubblewrap set up no cage within {SET_UP_S:g} s") from None
    if not report:
        _end(monitor)
        raise CageStartError(f"bubblewrap ended with status {monitor.returncode}: {last_words(errors)}")
    first = json.loads(report)["child-pid"]
    # Not as the node, whose scheduling lets whatever else computes go on first: the clock of a bot that is asked runs.
    os.sched_setscheduler(first, os.SCHED_OTHER, os.sched_param(0))
    return Spawned(monitor, first, (to_program, from_program, errors), unblock)


async def set_up(spawned: Spawned) -> None:
    """Wait until a cage is set up and runs its first process, which says so. Raises CageStartError."""
    if not await _in_time(read_some(spawned.pipes[1])):
        raise _ran_nothing(spawned)


async def set_up_filtered(spawned: Spawned, gate: socket.socket, counted_calls: int, stack: ExitStack) -> None:
    """As `set_up`, where the first process filters its calls; so many counted ones go on until `stack` is closed."""
    message, listener = await _in_time(receive(gate))
    if not message:
        raise _ran_nothing(spawned)
    count(listener, counted_calls, stack)


async def _in_time(awaited: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(SET_UP_S):
            return await awaited
    except TimeoutError:
        raise CageStartError(f"bubblewrap ran nothing in its cage within {SET_UP_S:g} s") from None


def _ran_nothing(spawned: Spawned) -> CageStartError:
    return CageStartError(f"bubblewrap could not run a program in its cage: {last_words(spawned.pipes[2])}")


def last_words(errors: int) -> str:
    """What a program has written to a pipe, for an error's text."""
    with contextlib.suppress(BlockingIOError):
        return os.read(errors, _CHUNK).decode("utf-8", "replace").strip() or _NOTHING
    return _NOTHING


def _end(monitor: "subprocess.Popen[bytes]") -> None:
    """Kill bubblewrap and the cage's first process, which early in its life is not bound to it yet."""
    if monitor.returncode is None:
        for pid in tree(monitor.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            monitor.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            log.warning(
                "bubblewrap has not ended %g s after it was killed, and is left: %s", _REAP_S, described(monitor.pid)
            )
