"""One program in its cage."""

import asyncio
import contextlib
import fcntl
import logging
import os
import signal
import termios
from contextlib import ExitStack
from dataclasses import dataclass
from typing import BinaryIO

from arena.launcher.cage.cgroups import Group
from arena.launcher.cage.forking import Exit, Forked
from arena.launcher.cage.freezing import StoppedTree, described, runs, sleeps
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.program import Program
from arena.launcher.cage.spawn import Spawned
from arena.launcher.output import MatchOutput
from arena.metrics import meters
from arena.printable import last_lines
from arena.processes import status_words
from arena.seats.rest import Rest

log = logging.getLogger(__name__)

DYING_S = 10.0
"""How long what was killed may take to end, before the node goes on without waiting for it."""
_CHUNK = 1 << 16
_INT = 4
"""Bytes of a number that the kernel fills in."""
_TAIL_BYTES = 2_000
_LISTEN_S = 0.01
"""How long nobody looks at its standard error after something came: it may be written to byte by byte."""
_FLOODED = "printed more than"
_LOST = "was lost with its cage"
_NEARLY = 0.75
"""The kernel counts ticks for the limit on processor time, and exactly for what was used."""


@dataclass(frozen=True)
class Ending:
    """The end of a caged program. `status` is its exit status, negative for the number of a signal."""

    status: int
    detail: str
    """For people, in words that follow the bot's name: "ended with status 1"."""
    last_output: str
    """The last lines of its standard error, without what could steer a terminal."""
    is_lost: bool
    """Whether its cage, or the fork server that it came from, was killed from outside: no fault of the bot's."""
    exited: bool = False
    """Whether it ended by itself, by its exit status."""

    def text(self, label: str, when: str = "") -> str:
        """Return all of it, for the error that a match ends with; `when` follows the detail."""
        output = self.last_output or "(its standard error is empty)"
        if self.detail.startswith(_FLOODED):  # one line says what it was: a terminal is not to be flooded too
            output = f"its last line: {output.splitlines()[-1]}"
        return f"bot {' '.join(filter(None, (label, self.detail, when)))}:\n{output}"


class CagedProcess:
    """A program that runs in a cage, until `ended` is done.

    It begins when `go` is called, which writes to the descriptor `go`. `stdin` and `stdout` are the node's ends of its
    pipes; they do not block. Whoever uses them takes them out of the event loop before `close`. `first` is the
    program's own process: the cage's first one, or what was `forked` into the cage. `stack` frees everything that the
    cage holds. What it writes to its standard error is added to the file `log`, where there is one.
    """

    def __init__(
        self,
        program: Program,
        spawned: Spawned,
        forked: Forked | None,
        go: int,
        group: Group,
        limits: CageLimits,
        stack: ExitStack,
        log: BinaryIO | MatchOutput | None,
    ) -> None:
        self.program = program
        self.limits = limits
        started = forked or spawned
        self.first = started.first
        self.stdin, self.stdout, self._stderr = started.pipes
        self._go = go
        self._monitor = spawned.monitor
        self._root = os.pidfd_open(spawned.first)
        stack.callback(os.close, self._root)
        self._group = group
        self._stack = stack
        self.freezer = group.freezer or StoppedTree(spawned.first, self.first)
        self.rest = Rest(self.first) if program.single_threaded else None
        if self.rest is not None:
            stack.callback(self.rest.close)
        self._why: str | None = None
        self._reason = ""
        self._output = 0
        self._tail: bytes = b""
        self._log = log
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[Ending] = self._loop.create_future()
        self._forked = forked.ended if forked else None
        if self._forked is not None:
            self._forked.add_done_callback(lambda _: self._kill_all())
        self._watch = os.pidfd_open(spawned.monitor.pid)
        self._loop.add_reader(self._watch, self._on_end)
        self._dying: asyncio.TimerHandle | None = None
        self._listening: asyncio.TimerHandle | None = None
        self._loop.add_reader(self._stderr, self._on_output)

    def go(self) -> None:
        """Let the program begin."""
        with contextlib.suppress(ConnectionError):  # it has ended before
            os.write(self._go, b"\n")

    def thaw(self) -> None:
        """Let its processes run again."""
        self.freezer.thaw()

    def has_read_all(self) -> bool:
        """Whether nothing is left to be read in its standard input, and its first thread sleeps."""
        unread = fcntl.ioctl(self.stdin, termios.FIONREAD, bytes(_INT))
        return not any(unread) and sleeps(self.first)

    def kill(self, why: str, reason: str = "ended") -> None:
        """Kill every process in the cage; the first `why`, in words that follow the bot's name, counts.

        `reason` is what the metrics call it.
        """
        if self._why is None:
            self._why, self._reason = why, reason
        self._kill_all()

    def kill_unless_ending(self, why: str, reason: str) -> None:
        """As `kill`, where the program has not ended and some of its threads are not about to."""
        if not self.ended.done() and runs(self.first):
            self.kill(why, reason)

    async def close(self) -> None:
        """End the program if it still runs, and free everything that it held, also where this is cancelled."""
        self.kill("was ended")
        try:
            await asyncio.shield(self.ended)
        finally:
            while not self.ended.done():  # soon, as it is killed; after twice `DYING_S` at the latest
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait((self.ended,))
            self._stack.close()

    def last_output(self) -> str:
        """The last lines of its standard error so far, without what could steer a terminal."""
        if not self.ended.done():
            self._take_output()
        return last_lines(self._tail)

    def _on_output(self) -> None:
        self._loop.remove_reader(self._stderr)
        if self._take_output():
            self._listening = self._loop.call_later(_LISTEN_S, self._loop.add_reader, self._stderr, self._on_output)

    def _take_output(self) -> bool:
        """Read once what is on its standard error, which is as much as a pipe holds; whether more is wanted."""
        if self._output > self.limits.output_bytes:
            return False
        try:
            written = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return True
        self._keep(written)
        if self._output > self.limits.output_bytes:
            self.kill(f"{_FLOODED} {self.limits.output_bytes / 2**20:g} MiB", "output")
        return bool(written)

    def _on_end(self) -> None:
        """bubblewrap has ended, after the first process of the cage and so all others."""
        self._stop_watching()
        _, waited, used = os.wait4(self._monitor.pid, 0)
        self._monitor.returncode = status = os.waitstatus_to_exitcode(waited)
        if status < 0:
            self._tell_end(None)  # somebody killed bubblewrap itself, which nobody in the cage can
        elif self._forked is not None:
            self._expect_end()
            self._forked.add_done_callback(lambda forked: self._tell_end(forked.result()))
        else:
            status = 128 - status if status > 128 else status  # bubblewrap's way to tell of a signal
            self._tell_end(Exit(status, used.ru_utime + used.ru_stime))

    def _stop_watching(self) -> None:
        self._loop.remove_reader(self._watch)
        self._loop.remove_reader(self._stderr)
        if self._listening is not None:
            self._listening.cancel()
        self._take_output()
        os.close(self._watch)

    def _expect_end(self) -> None:
        """Wait for the end of what was killed no longer than `DYING_S`."""
        if self._dying is None and not self.ended.done():
            self._dying = self._loop.call_later(DYING_S, self._on_survival)

    def _on_survival(self) -> None:
        """The kernel, or whoever stopped the fork server, keeps what was killed: end bubblewrap, which waits for it."""
        remaining = described(self.first)
        log.warning("a process of a cage has not ended %g s after it was killed, and is left: %s", DYING_S, remaining)
        if self._monitor.returncode is None:
            self._monitor.kill()
        self._dying = self._loop.call_later(DYING_S, self._give_up)

    def _give_up(self) -> None:
        """Go on without bubblewrap's end, or without the fork server's word."""
        if self._monitor.returncode is None:
            self._stop_watching()
        self._tell_end(None)

    def _tell_end(self, end: Exit | None) -> None:
        if self.ended.done():
            return
        if self._dying is not None:
            self._dying.cancel()
        is_lost = self._why is None and end is None
        detail = self._why
        if detail is None:
            self._reason, detail = ("lost", _LOST) if end is None else self._detail_of(end)
        meters.cage_ends.add(self._reason)
        # What its runtime has written as the reason is reported once.
        output = self.last_output().removesuffix(detail).strip()
        status = -signal.SIGKILL if end is None else end.status
        self.ended.set_result(Ending(status, detail, output, is_lost, detail == status_words(status)))

    def _kill_all(self) -> None:
        """Kill the first process of the cage, and so all others."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._root, signal.SIGKILL)
        self._expect_end()

    def _keep(self, written: bytes) -> None:
        self._output += len(written)
        self._tail = (self._tail + written)[-_TAIL_BYTES:]
        if self._log is not None:
            self._log.write(written)

    def _detail_of(self, end: Exit) -> tuple[str, str]:
        """Why it ended by itself: what the metrics call it, and in words."""
        if end.status in self.program.runtime.faults:
            return "runtime", self.last_output().rpartition("\n")[2]
        if end.status < 0 and self._group.out_of_memory():
            return "memory", f"used up its {self.limits.memory_bytes >> 20} MiB of memory"
        if end.status < 0 and end.processor_s >= _NEARLY * self.limits.processor_s:
            return "processor", f"used up its {self.limits.processor_s} s of processor time"
        return "signal" if end.status < 0 else "exit", status_words(end.status)
