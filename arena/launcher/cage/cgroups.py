"""Control groups: one for each cage, in whatever hierarchies this process may write to. See cgroups(7).

Machines have version 2, or version 1 with a hierarchy for each controller, or both: then controllers may be bound to
version 1 while the empty version 2 hierarchy freezes and kills. Version 1's own freezer is not used: it takes more than
half a millisecond, and what it has frozen cannot be killed.
"""

import contextlib
import errno
import logging
import os
import re
import secrets
import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from select import select as _select
from time import sleep as _sleep
from typing import Self

from arena.launcher.cage.limits import CageLimits
from arena.scratch import lock_folder

log = logging.getLogger(__name__)

_PREFIX = "hanafuda-arena-"
_WANTED = ("memory", "pids", "cpu")
_CPU_PERIOD_US = 100_000
_CPU_WEIGHT = {1: ("cpu.shares", "10240"), 2: ("cpu.weight", "1000")}
"""Ten times what a process has: a bot whose clock runs has its processor, whatever else runs on the machine."""
_USAGE_BYTES = 64
"""More than the first line of cpu.stat has."""
_QUICK_S = 1.0
_QUICK_PAUSE_S = 0.004
_REMOVAL_S = 0.5
"""How long to wait, when all groups are removed, for processes that are ending."""
_SWEPT_S = 1.0
"""How long another process may hold this one's own group, and how often to look whether it still does."""
_SWEPT_PAUSE_S = 0.001
FREEZE = "freeze"
"""What the version 2 hierarchy does without any controller."""


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy of groups, of version 1 or 2: the folder of this process's own group, and the controllers it has."""

    version: int
    folder: Path
    controllers: frozenset[str]


class GroupFreezer:
    """Stops the processes of a version 2 group, lets them go on, and says what they have used."""

    def __init__(self, folder: str) -> None:
        self._freeze = os.open(f"{folder}/cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)
        self._used = os.open(f"{folder}/cpu.stat", os.O_RDONLY | os.O_CLOEXEC)
        # Called for each decision, and so without a step in Python.
        self.freeze = partial(os.write, self._freeze, b"1")
        self.thaw = partial(os.write, self._freeze, b"0")

    def used_s(self) -> float:
        """The processor time that the processes have used."""
        return int(os.pread(self._used, _USAGE_BYTES, 0).split()[1]) / 1e6

    def close(self) -> None:
        """Close the group's files: nothing of this can be called any more."""
        os.close(self._freeze)
        os.close(self._used)
        del self.freeze, self.thaw, self._used


class Group:
    """The group of one cage, in each hierarchy: by controller, the folder that it has there.

    Its processes are in the groups `joined` too, which it shares with other cages.
    """

    def __init__(self, folders: dict[str, str], joined: Collection[Path] = ()) -> None:
        self._folders = folders
        self._entered = [*map(str, joined), *set(folders.values())]
        self.freezer = GroupFreezer(folders[FREEZE]) if FREEZE in folders else None
        """Freezes its processes, where one hierarchy is of version 2."""

    def add(self, pid: int) -> None:
        """Put a process into the group; those that it starts are in it too."""
        for folder in self._entered:
            _write(f"{folder}/cgroup.procs", str(pid))

    def joining(self, stack: ExitStack) -> list[int]:
        """Descriptors of files to which a process writes 0 to get into the group; `stack` closes them."""
        joining = []
        for folder in self._entered:
            joining.append(os.open(f"{folder}/cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
            stack.callback(os.close, joining[-1])
        return joining

    def out_of_memory(self) -> bool:
        """Whether a process was killed because the group had used up its memory."""
        if "memory" not in self._folders:
            return False
        folder = Path(self._folders["memory"])
        events = folder / "memory.events"
        text = (events if events.exists() else folder / "memory.oom_control").read_text()
        kills = re.search(r"^oom_kill (\d+)$", text, re.MULTILINE)
        return kills is not None and int(kills[1]) > 0

    def processes(self) -> Iterator[int]:
        """What runs in it, or is ending."""
        for folder in set(self._folders.values()):
            yield from map(int, Path(folder, "cgroup.procs").read_text().split())

    def remove(self) -> bool:
        """Remove the group; False while processes are still ending in it."""
        if self.freezer is not None:
            self.freezer.close()
            self.freezer = None
        gone = {folder: _remove(folder) for folder in set(self._folders.values())}
        self._folders = {name: folder for name, folder in self._folders.items() if not gone[folder]}
        return not self._folders


class QuickMoves:
    """Keeps the kernel ready to move processes to other groups, while cages are being started.

    A move waits for an RCU grace period, in which no group can be frozen or thawed either: a hundredth of a second,
    unless another move was just before. So one that moves nothing is made as often. Where the groups are mounted with
    the option `favordynmods` all moves are quick.
    """

    def __init__(self, group: Path) -> None:
        self._procs = os.open(group / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        self._lock = threading.Lock()
        self._until = 0.0
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def soon(self) -> None:
        """Processes will be moved in the next second."""
        with self._lock:
            self._until = time.monotonic() + _QUICK_S
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep, name="quick-moves", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        if (thread := self._thread) is not None:
            thread.join()
        os.close(self._procs)

    def _keep(self) -> None:
        try:
            while not self._closed.wait(_QUICK_PAUSE_S):
                with self._lock:
                    if time.monotonic() >= self._until:
                        self._thread = None
                        return
                os.write(self._procs, b"0")
        except OSError as error:
            # The thread stays known, so that no other is started: it would fail too.
            log.warning("bots start slowly: moves between control groups cannot be kept quick: %s", error)


class Cgroups:
    """This process's groups. `detected` looks for hierarchies; `controllers` says what those it found can do."""

    def __init__(self, bases: dict[str, tuple[int, Path]], locks: list[int]) -> None:
        self._bases = bases
        self._locks = locks
        self._abandoned: list[Group] = []
        self._quick_moves = QuickMoves(_own_group()) if bases else None

    @classmethod
    def detected(cls) -> Self:
        """Groups in every hierarchy that this process may write to. What killed processes left behind is removed."""
        bases: dict[str, tuple[int, Path]] = {}
        locks = []
        for hierarchy in hierarchies():
            with _where_permitted():
                _sweep(hierarchy.folder)
                controllers = _delegated(hierarchy) if hierarchy.version == 2 else hierarchy.controllers
                base = hierarchy.folder / f"{_PREFIX}{os.getpid()}"
                locks.append(_locked_group(base))
                if hierarchy.version == 2:
                    _enable(base, controllers)
                    bases[FREEZE] = (2, base)
                for controller in controllers:
                    bases[controller] = (hierarchy.version, base)
                if "cpu" in controllers:
                    file, weight = _CPU_WEIGHT[hierarchy.version]
                    _write(base / file, weight)
        return cls(bases, locks)

    @property
    def controllers(self) -> frozenset[str]:
        """Of `memory`, `pids`, `cpu` and `freeze`, those that there are."""
        return frozenset(self._bases)

    def group(self, limits: CageLimits, *, single_threaded: bool = False) -> Group:
        """A new group with limits, to which processes are to be moved at once.

        A `single_threaded` program cannot use more than one processor, so it needs no limit on them. Then it has no
        group of its own where there would be one only for them: the kernel does its accounts in each group, from the
        process's up, whenever the program waits for a message and whenever it is woken by one.
        """
        self._sweep_own()
        if self._quick_moves is not None:
            self._quick_moves.soon()
        name = f"cage-{secrets.token_hex(8)}"  # what its processes read in /proc/self/cgroup tells of no other
        folders = {}
        needed = {**self._bases}
        if single_threaded and limits.processors >= 1 and limits.share == 1:
            needed.pop("cpu", None)
        for controller, (version, base) in needed.items():
            folder = f"{base}/{name}"
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder)
            folders[controller] = folder
            for file, value in _settings(controller, version, limits):
                _write(f"{folder}/{file}", value)
        return Group(folders, {base for _, base in self._bases.values()} - {base for _, base in needed.values()})

    def release(self, group: Group) -> None:
        """Remove a group, now or when its last process has ended."""
        if not group.remove():
            self._abandoned.append(group)

    def close(self) -> None:
        """Remove all groups. Waits for processes that are ending, `_REMOVAL_S` at most."""
        if self._quick_moves is not None:
            self._quick_moves.close()
            self._quick_moves = None
        self._sweep_own()
        until = time.monotonic() + _REMOVAL_S
        for pid in {pid for group in self._abandoned for pid in group.processes()}:
            _wait_for_end(pid, until)
        self._sweep_own()
        for _, base in set(self._bases.values()):
            if not _remove(base):
                log.warning("the control group %s cannot be removed: processes are still ending in it", base)
        for lock in self._locks:
            os.close(lock)
        self._bases, self._locks = {}, []

    def _sweep_own(self) -> None:
        self._abandoned = [group for group in self._abandoned if not group.remove()]


def hierarchies(root: Path = Path("/")) -> list[Hierarchy]:
    """Return the mounted hierarchies that can do something for a cage, with this process's own group in each."""
    groups = {}
    for line in (root / "proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        groups[names] = path
    mounts = []
    for line in (root / "proc/self/mountinfo").read_text().splitlines():
        fields, _, filesystem = line.partition(" - ")
        _, _, _, top, place = fields.split()[:5]
        kind, _, options = filesystem.split(" ", 2)
        if kind == "cgroup2" and "" in groups:
            folder = _within(root, place, top, groups[""])
            offered = (folder / "cgroup.controllers").read_text().split()
            mounts.append(Hierarchy(2, folder, frozenset(offered) & set(_WANTED)))
        elif kind == "cgroup":
            controllers = [names for names in groups if names and set(names.split(",")) <= set(options.split(","))]
            wanted = frozenset(controllers[0].split(",")) & set(_WANTED) if controllers else frozenset()
            if wanted:
                mounts.append(Hierarchy(1, _within(root, place, top, groups[controllers[0]]), wanted))
    return mounts


@contextlib.contextmanager
def _where_permitted() -> Iterator[None]:
    """Leave out what this process may not do; a container may see all groups, and have none to write to."""
    try:
        yield
    except (PermissionError, FileNotFoundError):
        return
    except OSError as error:
        if error.errno != errno.EROFS:
            raise


def _own_group() -> Path:
    """This process's own group, in a hierarchy where it may move processes to it."""
    folders = (hierarchy.folder for hierarchy in hierarchies())
    return next(folder for folder in folders if os.access(folder / "cgroup.procs", os.W_OK))


def _within(root: Path, place: str, top: str, group: str) -> Path:
    """The folder of a group, where the mount at `place` shows the hierarchy from `top` on."""
    return root / place.lstrip("/") / (os.path.relpath(group, top) if group.startswith(top) else ".")


def _settings(controller: str, version: int, limits: CageLimits) -> Iterator[tuple[str, str]]:
    quota = str(int(limits.processors * _CPU_PERIOD_US))
    match controller, version:
        case "memory", 1:
            yield "memory.limit_in_bytes", str(limits.memory_bytes)
            yield "memory.swappiness", "0"
        case "memory", 2:
            yield "memory.max", str(limits.memory_bytes)
            yield "memory.swap.max", "0"
            yield "memory.oom.group", "1"
        case "pids", _:
            yield "pids.max", str(limits.processes)
        case "cpu", 1:
            yield "cpu.cfs_quota_us", quota  # of the period that a new group has
            yield "cpu.shares", str(int(1024 * limits.share))
        case "cpu", 2:
            yield "cpu.max", f"{quota} {_CPU_PERIOD_US}"
            yield "cpu.weight", str(int(100 * limits.share))


def _delegated(hierarchy: Hierarchy) -> frozenset[str]:
    """Make a version 2 group ready to have limited children, which one that holds processes cannot; what they can have.

    This process moves to a group beside the cages. Where others are in its group too, nothing can be limited.
    """
    folder = hierarchy.folder
    if not hierarchy.controllers or hierarchy.controllers <= _enabled(folder):
        return hierarchy.controllers
    if (folder / "cgroup.procs").read_text().split() == [str(os.getpid())]:
        node = folder / "node"
        node.mkdir(exist_ok=True)
        _write(node / "cgroup.procs", str(os.getpid()))
    _enable(folder, hierarchy.controllers)
    return hierarchy.controllers & _enabled(folder)


def _enabled(folder: Path) -> frozenset[str]:
    return frozenset((folder / "cgroup.subtree_control").read_text().split())


def _enable(folder: Path, controllers: frozenset[str]) -> None:
    for controller in controllers:
        try:
            _write(folder / "cgroup.subtree_control", f"+{controller}")
        except OSError as error:
            if error.errno not in (errno.EBUSY, errno.EOPNOTSUPP):
                raise


def _locked_group(base: Path) -> int:
    """Make and lock this process's own group. Another process that starts may just take it for one that was left
    behind: it locks or removes it for a moment. Raises BlockingIOError when that lasts longer than `_SWEPT_S`.
    """
    until = time.monotonic() + _SWEPT_S
    while True:
        base.mkdir(exist_ok=True)
        if (lock := lock_folder(base)) is not None:
            return lock
        if time.monotonic() > until:
            raise BlockingIOError(f"other processes keep the control group {base}")
        _sleep(_SWEPT_PAUSE_S)


def _sweep(folder: Path) -> None:
    """Kill and remove what processes that are gone left behind."""
    for base in folder.glob(f"{_PREFIX}*"):
        lock = lock_folder(base)
        if lock is None:
            continue
        kill = base / "cgroup.kill"
        if kill.exists():
            _write(kill, "1")
        for cage in base.glob("cage-*"):
            if not kill.exists():  # version 1, or a kernel before 5.14
                _kill_all(cage)
            _remove(cage)
        _remove(base)
        os.close(lock)


def _kill_all(group: Path) -> None:
    """Kill every process of a group, also those that they fork meanwhile."""
    killed: set[int] = set()
    with contextlib.suppress(FileNotFoundError):
        while new := {int(pid) for pid in (group / "cgroup.procs").read_text().split()} - killed:
            for pid in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            killed |= new


def _wait_for_end(pid: int, until: float) -> None:
    """Wait until a process has ended, or until a time of the monotonic clock."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        _select([process], [], [], max(0.0, until - time.monotonic()))
    finally:
        os.close(process)


def _write(file: Path | str, text: str) -> None:
    """Write to a file of a group, in one system call."""
    written = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(written, text.encode())
    finally:
        os.close(written)


def _remove(folder: Path | str) -> bool:
    """Remove a group's folder; False while it is in use."""
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True
