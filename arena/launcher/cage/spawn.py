"""Starts bubblewrap, with the pipes that it and the program in the cage need."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from arena.launcher.cage.errors import CageStartError
from arena.launcher.cage.freezing import tree

SET_UP_S = 10.0
"""How long bubblewrap may take to start the cage's first process."""
_CHUNK = 4_096


@dataclass(frozen=True)
class Handed:
    """What bubblewrap is handed: where it reads the filter, where it says what it started, and where it waits."""

    filter_fd: int
    info_fd: int
    go_fd: int


@dataclass(frozen=True)
class Spawned:
    """bubblewrap, which waits before it runs the program until something is written to `go`.

    `pipes` are the node's ends of the program's standard input, output and error; they do not block. `first` is the
    cage's first process.
    """

    monitor: "subprocess.Popen[bytes]"
    first: int
    pipes: tuple[int, int, int]
    go: int


async def spawn(command: Callable[[Handed], list[str]], filter_program: bytes, held: ExitStack) -> Spawned:
    """Start bubblewrap and wait for the cage's first process; `held` ends it and closes the pipes.

    Raises CageStartError, OSError.
    """
    with ExitStack() as theirs:
        stdin, to_program = _pipe(theirs, held)
        go_fd, go = _pipe(theirs, held)
        from_program, stdout = _pipe(held, theirs)
        errors, stderr = _pipe(held, theirs)
        info, info_fd = _pipe(held, theirs)
        filter_fd = os.memfd_create("seccomp")
        theirs.callback(os.close, filter_fd)
        os.pwrite(filter_fd, filter_program, 0)
        monitor = subprocess.Popen(  # noqa: S603, ASYNC220 - it is back as soon as bubblewrap runs
            command(Handed(filter_fd, info_fd, go_fd)),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            pass_fds=(filter_fd, info_fd, go_fd),
            start_new_session=True,
        )
        held.callback(_end, monitor)
    for descriptor in (to_program, from_program, errors):
        os.set_blocking(descriptor, False)
    try:
        async with asyncio.timeout(SET_UP_S):
            told = await _read_all(info)
    except TimeoutError:
        raise CageStartError(f"bubblewrap set up no cage within {SET_UP_S:g} s") from None
    if not told:
        _end(monitor)
        words = os.read(errors, _CHUNK).decode("utf-8", "replace").strip()
        raise CageStartError(f"bubblewrap ended with status {monitor.returncode}: {words or '(it wrote nothing)'}")
    return Spawned(monitor, json.loads(told)["child-pid"], (to_program, from_program, errors), go)


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe whose ends, to read from and to write to, belong to these."""
    read, write = os.pipe()
    reader.callback(os.close, read)
    writer.callback(os.close, write)
    return read, write


def _end(monitor: "subprocess.Popen[bytes]") -> None:
    """Kill bubblewrap and the cage's first process, which early in its life is not bound to it yet."""
    if monitor.returncode is None:
        for pid in tree(monitor.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        monitor.wait()


async def _read_all(descriptor: int) -> bytes:
    """What is written to a pipe until its other end is closed."""
    loop = asyncio.get_running_loop()
    told = bytearray()
    os.set_blocking(descriptor, False)
    while True:
        ready = asyncio.Event()
        loop.add_reader(descriptor, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(descriptor)
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            return bytes(told)
        told += chunk
