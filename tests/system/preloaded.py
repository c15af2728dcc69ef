"""Starts `arena` commands, and bots, as forks of a process that has loaded the program, which they then need not load.

Run as a program, this is that process: it reads orders from the socket at its standard input, and reports to the socket
that came with an order the process id of the command and then its exit status.
"""

import atexit
import contextlib
import gc
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

ARENA = Path(sys.executable).parent / "arena"
ORDERS = "ARENA_TESTS_ORDERS"
"""The variable that tells `forked/arena` the number of the socket for orders, which it inherits."""
_ORDER_BYTES = 1 << 17
_LATE = ("email.parser", "encodings.idna", "numpy.ma", "rich.progress", "rich.table", "tomllib")
"""What is imported when it is first used."""
_SELDOM = ("arena.bench.", "arena.envs", "arena.node.traces")
"""What few commands of the tests use, and would bring large packages into every process."""
_NUMBER = struct.Struct("=q")


class Forked:
    """A command that was started, to be used as a `subprocess.Popen`."""

    def __init__(self, reports: socket.socket) -> None:
        self._reports = reports
        self.pid: int = _NUMBER.unpack(reports.recv(_NUMBER.size))[0]
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            try:
                if not select.select([self._reports], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(str(ARENA), timeout or 0.0)
                # Left there until the end: two threads may wait at once, and each of them is to read it.
                status = self._reports.recv(_NUMBER.size, socket.MSG_PEEK)
            except (OSError, ValueError):  # closed by the other thread
                if self.returncode is None:
                    raise
            else:
                self.returncode = _NUMBER.unpack(status)[0]
                self._reports.close()
        return self.returncode

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0.0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Tell it to end, if it still runs."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it, if it still runs."""
        self.send_signal(signal.SIGKILL)


def start(command: Sequence[str | Path], cwd: Path | None, env: Mapping[str, str], stdout: int, stderr: int) -> Forked:
    """Start `arena` or a file of Python, with its arguments, this environment and these files.

    Its standard input is empty.
    """
    with open(os.devnull, "rb") as nothing:
        return order(orders(), command, cwd, env, (nothing.fileno(), stdout, stderr))


def order(
    to: socket.socket,
    command: Sequence[str | Path],
    cwd: Path | None,
    env: Mapping[str, str],
    files: tuple[int, int, int],
) -> Forked:
    """Start a command by the process at the other end of this socket; `files` are its standard streams."""
    text = json.dumps([[str(word) for word in command], str(cwd or Path.cwd()), dict(env)]).encode()
    ours, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(to, [text], [*files, theirs.fileno()])
    return Forked(ours)


@cache
def orders() -> socket.socket:
    """The socket to the process that forks, which ends when it is closed, so with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen([sys.executable, __file__], stdin=theirs, stdout=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def _load() -> None:
    """Import what the commands import, and build their tree."""
    import arena
    import bots
    from arena.launcher.cage.errors import NoCageError
    from arena.launcher.cage.runtimes import runtime
    from arena.node.process import configure_grpc

    configure_grpc()
    packages = ((package, f"{package.__name__}.") for package in (arena, bots))
    modules = [one.name for package, prefix in packages for one in pkgutil.walk_packages(package.__path__, prefix)]
    for module in (*modules, *_LATE):
        if not module.startswith(_SELDOM):
            import_module(module)
    import_module("arena.cli.app").commands()
    with contextlib.suppress(NoCageError):
        runtime("python")  # whose libraries are looked for once
    gc.collect()
    gc.freeze()


def _next_order() -> tuple[list[str], list[int]]:
    """Fork for each order; returns in the children, with the command and the files."""
    orders = socket.socket(fileno=0)
    ended, wake = os.pipe()
    for descriptor in (ended, wake):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([orders, ended], [], [])
        if ended in ready:
            os.read(ended, 1 << 10)
            _report(running)
        if orders not in ready:
            continue
        text, files, _, _ = socket.recv_fds(orders, _ORDER_BYTES, 4)
        if not text:
            sys.exit()
        *files, reports = files
        pid = os.fork()
        if not pid:
            break
        running[pid] = reports
        os.write(reports, _NUMBER.pack(pid))
        for file in files:
            os.close(file)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    orders.detach()
    for descriptor in (ended, wake, reports, *running.values()):
        os.close(descriptor)
    command, cwd, env = json.loads(text)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    return command, files


def _reopened(descriptor: int, file: int, old: io.TextIOWrapper) -> io.TextIOWrapper:
    """A standard stream on another file."""
    os.dup2(file, descriptor)
    os.close(file)
    raw = io.FileIO(descriptor, "wb" if old.writable() else "rb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw) if old.writable() else io.BufferedReader(raw),
        old.encoding,
        old.errors,
        line_buffering=old.line_buffering,
        write_through=old.write_through,
    )


def _report(running: dict[int, int]) -> None:
    """Tell of the commands that have ended."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        reports = running.pop(pid)
        with contextlib.suppress(BrokenPipeError):
            os.write(reports, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
        os.close(reports)


if __name__ == "__main__":
    _load()
    command, files = _next_order()
    for descriptor, (name, file) in enumerate(zip(("stdin", "stdout", "stderr"), files, strict=True)):
        stream = _reopened(descriptor, file, getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    program = Path(command[0])
    sys.argv = command
    sys.path[0] = str(program.parent)
    status = 1
    try:
        if program == ARENA:
            from arena.cli import main

            main()
        else:
            runpy.run_path(str(program), run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does with what nobody catches
        traceback.print_exc()
    # As the interpreter ends, but for taking apart all that was loaded, which costs more than most commands.
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # it is closed, or nobody reads it
            stream.flush()
    os._exit(status)
