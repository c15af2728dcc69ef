"""Freezing a cage whose node has no control group that could do it."""

import os
import signal
from pathlib import Path


class StoppedTree:
    """Processes and all below them, frozen by SIGSTOP.

    No process of a cage can send another that runs a SIGCONT once all are stopped; and none can escape: an orphan of a
    process namespace becomes a child of its first process, which is among `roots`.
    """

    def __init__(self, *roots: int) -> None:
        self._roots = roots
        self._stopped: set[int] = set()

    def freeze(self) -> None:
        """Stop all processes. A fork that is under way when its process is stopped is begun anew when that goes on, so
        a pass over the tree that finds nobody new has found everybody."""
        while found := [pid for pid in tree(*self._roots) if pid not in self._stopped]:
            for pid in found:
                self._stopped.add(pid)
                _send(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let all processes run again."""
        stopped, self._stopped = self._stopped, set()
        for pid in stopped:
            _send(pid, signal.SIGCONT)


def tree(*roots: int) -> list[int]:
    """Processes and all below them."""
    found = [*roots]
    for pid in found:
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
            children = [Path(f"/proc/{pid}/task/{task}/children").read_text() for task in tasks]
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
        found += [int(child) for line in children for child in line.split()]
    return found


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
