"""Freezing, and measuring, a cage whose node has no control group that could do it."""

import contextlib
import os
import signal
from pathlib import Path

_TIMES = slice(11, 15)
"""Where behind its name a process's own times, and those of its children, stand: proc_pid_stat(5)."""
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_FLAGS = 6
"""Where its flags stand."""
_PF_EXITING = 0x4


class StoppedTree:
    """Processes and all below them, frozen by SIGSTOP.

    The filter refuses a cage all by which its processes could come by a SIGCONT; and none can escape: an orphan of a
    process namespace becomes a child of its first process, which is among `roots`.
    """

    def __init__(self, *roots: int) -> None:
        self._roots = roots
        self._stopped: set[int] = set()

    def freeze(self) -> None:
        """Stop all processes. A fork that is under way when its process is stopped is begun anew when that goes on, so
        a pass over the tree that finds nobody new, while nobody ends, has found everybody."""
        everybody = False
        while not everybody:
            processes, everybody = look(*self._roots)
            for pid in processes:
                if pid not in self._stopped:
                    everybody = False
                    self._stopped.add(pid)
                    _send(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let all processes run again."""
        stopped, self._stopped = self._stopped, set()
        for pid in stopped:
            _send(pid, signal.SIGCONT)

    def used_s(self) -> float:
        """The processor time of all processes, and of their children that have ended."""
        return sum(_used_s(pid) for pid in tree(*self._roots))


def tree(*roots: int) -> list[int]:
    """Processes and all below them."""
    return look(*roots)[0]


def look(*roots: int) -> tuple[list[int], bool]:
    """Processes and all below them; and whether none of these had a task that ended meanwhile, whose children may have
    been missed."""
    processes, whole = [*roots], True
    for pid in processes:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
        except (FileNotFoundError, ProcessLookupError):
            whole = whole and pid in roots
            continue
        for task in tasks:
            try:
                children = Path(f"/proc/{pid}/task/{task}/children").read_text()
            except (FileNotFoundError, ProcessLookupError):
                whole = False
                continue
            processes += [int(child) for child in children.split()]
    return processes, whole


def runs(pid: int) -> bool:
    """Whether some thread of a process has not ended and is not about to."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return False
    states = [_status(f"{pid}/task/{task}") for task in tasks]
    return not all(int(state[_FLAGS]) & _PF_EXITING for state in states if state)


def described(pid: int) -> str:
    """A process for a log: its number, its state as proc_pid_stat(5) has it, and where in the kernel it waits."""
    state = _status(str(pid))
    if not state:
        return f"{pid}, which is gone"
    with contextlib.suppress(OSError):
        return f"{pid}, in state {state[0]}, at {Path(f'/proc/{pid}/wchan').read_text()}"
    return f"{pid}, in state {state[0]}"


def sleeps(pid: int) -> bool:
    """Whether the first thread of a process sleeps, or is gone."""
    state = _status(str(pid))
    return not state or state[0] == "S"


def _used_s(pid: int) -> float:
    return sum(int(ticks) for ticks in _status(str(pid))[_TIMES]) / _TICKS_A_SECOND


def _status(of: str) -> list[str]:
    """What stands behind the name of a process, or of one of its threads; nothing when it has ended."""
    try:
        return Path(f"/proc/{of}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
