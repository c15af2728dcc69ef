"""The node's side of a fork server: a process that has loaded what programs need, and is forked into their cages."""

import asyncio
import json
import logging
import marshal
import os
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from arena.launcher.cage.cgroups import Group
from arena.launcher.cage.command import PRIVILEGES, USER, fork_server
from arena.launcher.cage.counted import count
from arena.launcher.cage.errors import CageStartError
from arena.launcher.cage.pipes import channel, pipe, receive
from arena.launcher.cage.program import BOT, FORK_SERVER, Bind, Program, Runtime
from arena.launcher.cage.seccomp import machine_of
from arena.launcher.cage.spawn import Handed, last_words, spawn
from arena.launcher.cage.staging import Stage

log = logging.getLogger(__name__)

_SOURCE = Path(__file__).with_name("fork_server.py")
_LOAD_S = 30.0
"""How long it may take to load its modules."""
ENTER_S = 10.0
"""How long a fork may take to get into its cage."""
_MAX_BYTES = 1 << 12
_STEP_DONE = b"\n"
"""What a fork says when it filters its counted calls, and again when it is in its cage."""


@dataclass(frozen=True)
class Walls:
    """What confines a forked program: a cage, by its first process, and the limits and the filters."""

    first: int
    group: Group
    rlimits: Mapping[int, int]
    counting: bytes
    filter_program: bytes
    counted_calls: int


@dataclass(frozen=True)
class Exit:
    """How a process ended: its exit status, negative for the number of a signal, and its processor time."""

    status: int
    processor_s: float


@dataclass(frozen=True)
class Forked:
    """A program that was forked into its cage, and waits there until something is written to `go`.

    Where the fork server ended first, nobody knows how it ended: then `ended` is None.
    """

    first: int
    """Its process."""
    pipes: tuple[int, int, int]
    """The node's ends of its standard input, output and error; they do not block."""
    go: int
    ended: "asyncio.Future[Exit | None]"


class ForkServer:
    """A fork server that runs; to be used from one event loop."""

    def __init__(self, control: socket.socket, stack: ExitStack) -> None:
        self._control = control
        self._stack = stack
        stack.callback(self._lose)
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._answers: deque[asyncio.Future[tuple[int, asyncio.Future[Exit | None]] | None]] = deque()
        self.forks: dict[int, asyncio.Future[Exit | None]] = {}
        """What it has forked and has not told the end of."""
        self.alive = True
        self.answers = True
        """Whether it takes orders in time: else it was stopped, or hangs."""
        self._loop.add_reader(control, self._on_answer)

    @classmethod
    async def start(cls, command: Callable[[Handed, int], list[str]]) -> "ForkServer":
        """Start one; `command` makes its command line of the number of its socket. Raises CageStartError, OSError."""
        with ExitStack() as stack:
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.enter_context(control)
            control.setblocking(False)
            with theirs:
                spawned = await spawn(lambda handed: command(handed, theirs.fileno()), b"", stack, [theirs.fileno()])
            server = cls(control, stack)
            os.write(spawned.unblock, b"\n")
            try:
                async with asyncio.timeout(_LOAD_S):
                    await server._ready
            except TimeoutError:
                raise CageStartError(f"the fork server did not load its modules within {_LOAD_S:g} s") from None
            if not server.alive:
                raise CageStartError(f"the fork server ended before it was ready: {last_words(spawned.pipes[2])}")
            server._stack = stack.pop_all()
        return server

    async def fork(
        self, arguments: Sequence[str], environment: Mapping[str, str], walls: Walls, stack: ExitStack
    ) -> Forked:
        """Fork a program into its cage and wait until it is behind the walls; `stack` closes its pipes.

        Raises CageStartError.
        """
        order = {
            "arguments": arguments,
            "environment": {**environment, "PWD": BOT},
            "folder": BOT,
            "user": USER,
            "rlimits": list(walls.rlimits.items()),
            "seccomp": machine_of().seccomp,
            "counting": walls.counting,
            "filter": walls.filter_program,
        }
        with ExitStack() as theirs:
            stdin, to_program = pipe(theirs, stack)
            from_program, stdout = pipe(stack, theirs)
            errors, stderr = pipe(stack, theirs)
            gate, its_gate = channel(stack, theirs)
            first = os.pidfd_open(walls.first)
            theirs.callback(os.close, first)
            file = os.memfd_create("order")
            theirs.callback(os.close, file)
            os.pwrite(file, marshal.dumps(order), 0)
            descriptors = [stdin, stdout, stderr, its_gate.fileno(), file, first, *walls.group.joining(theirs)]
            try:
                socket.send_fds(self._control, [b"!"], descriptors)
            except OSError as error:
                raise CageStartError(f"the fork server takes no order: {error}") from error
        answer = self._loop.create_future()
        self._answers.append(answer)
        try:
            async with asyncio.timeout(ENTER_S):
                forked = await answer
                message, listener = await receive(gate)
                if message == _STEP_DONE:
                    count(listener, walls.counted_calls, stack)
                    message, _ = await receive(gate)
        except TimeoutError:
            self.answers = not answer.cancelled()
            raise CageStartError(f"the program was not in its cage within {ENTER_S:g} s") from None
        if forked is None:
            raise CageStartError("the fork server ended")
        if message != _STEP_DONE:
            raise CageStartError(f"the program could not enter its cage: {message.decode() or 'it ended'}")
        pid, ended = forked
        pipes = to_program, from_program, errors
        for descriptor in pipes:
            os.set_blocking(descriptor, False)
        return Forked(pid, pipes, gate.fileno(), ended)

    def close(self) -> None:
        """End it; its forks must have ended."""
        self._stack.close()

    def _on_answer(self) -> None:
        try:
            message = self._control.recv(_MAX_BYTES)
        except BlockingIOError:
            return
        except ConnectionResetError:
            message = b""
        if not message:
            self._lose()
            return
        match json.loads(message):
            case [pid, status, processor_s]:
                self.forks.pop(pid).set_result(Exit(status, processor_s))
            case [pid]:
                self.answers = True
                ended = self._loop.create_future()
                if pid > 0:  # else the pipe of the fork says why not
                    self.forks[pid] = ended
                answer = self._answers.popleft()
                if not answer.done():
                    answer.set_result((pid, ended))
            case _:
                self._ready.set_result(None)

    def _lose(self) -> None:
        """Note that it is gone, and end every wait for it."""
        if self.alive:
            self.alive = False
            self._loop.remove_reader(self._control)
            waiting: list[asyncio.Future[Any]] = [self._ready, *self._answers, *self.forks.values()]
            for future in waiting:
                if not future.done():
                    future.set_result(None)
            self.forks.clear()


class ForkServers:
    """The fork servers of a process, one for each runtime, started when it is first needed.

    Only root can have them: any other user lacks the privileges that it takes to enter a cage.
    """

    def __init__(self, binary: str, stage: Stage, marker: str) -> None:
        self._binary = binary
        self._stage = stage
        self._marker = marker
        self._usable = may_serve()
        self._servers: dict[Runtime, ForkServer] = {}
        self._silent: list[ForkServer] = []
        """Those that do not answer. What they have forked runs on."""
        self._starting = asyncio.Lock()

    def may_fork(self, program: Program) -> bool:
        """Whether a program is to be forked here."""
        return self._usable and program.is_forked

    async def server(self, runtime: Runtime, binds: Sequence[Bind]) -> ForkServer:
        """Return the server of a runtime that is made of `binds`. Raises CageStartError, OSError."""
        async with self._starting:
            server = self._servers.get(runtime)
            if server is None or not server.alive or not server.answers:
                if server is not None:
                    self._replace(server, runtime)
                every = [*binds, Bind(self._stage.permanent(_SOURCE), FORK_SERVER)]
                command = partial(fork_server, self._binary, runtime, every, self._marker)
                self._servers[runtime] = server = await ForkServer.start(command)
            return server

    def close(self) -> None:
        """End them all, and start no more; their forks must have ended."""
        self._usable = False
        for server in (*self._servers.values(), *self._silent):
            server.close()

    def _replace(self, server: ForkServer, runtime: Runtime) -> None:
        """End a fork server that is of no use any more; where it is only silent, not before what it has forked."""
        if server.alive:
            log.warning("the fork server of %s took no order for %g s: another one is started", runtime.name, ENTER_S)
            self._silent.append(server)
        else:
            server.close()
        for silent in [server for server in self._silent if not server.forks]:
            self._silent.remove(silent)
            silent.close()


def may_serve() -> bool:
    """Whether this process can give a fork server what it needs."""
    status = Path("/proc/self/status").read_text()
    effective = int(status.split("CapEff:")[1].split()[0], 16)
    return not os.geteuid() and all(effective >> number & 1 for number in PRIVILEGES.values())
