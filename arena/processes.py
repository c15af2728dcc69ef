"""Processes: children that cannot outlive the one that started them, how they ended, and how many files they open."""

import ctypes
import errno
import os
import resource
import signal as signals
import sys
from collections.abc import Sequence
from importlib.resources import files

_PR_SET_PDEATHSIG = 1
_MAX_OPEN_FILES = 65_536
_BOUND = str(files("arena") / "bound")


def bound_to_parent(command: Sequence[str], parent: int, signal: int = 9) -> list[str]:
    """The command line that runs `command` as a child that gets `signal` when the process `parent` ends.

    Start it from a thread that lives as long as the process: the kernel means the thread that forked.
    Without prctl (outside Linux) the command runs unbound.
    """
    if sys.platform != "linux":
        return list(command)
    return [_BOUND, str(signal), str(parent), *command]


def die_with_parent(parent: int) -> None:
    """Let the kernel end this process with `parent`, whose main thread started it; nothing outside Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signals.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def connections_limit() -> int:
    """How many connections of strangers one server of this process may hold: a quarter of the files that it may open.

    The rest is for others, the store and bots. The soft limit on open files is raised to the hard one.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_OPEN_FILES)
    if soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return max(soft, limit) // 4


def shortage_cure(error: OSError) -> str:
    """What to do where no more files can be opened, for the end of an error's text; nothing for any other error."""
    if error.errno not in (errno.EMFILE, errno.ENFILE):
        return ""
    return ": raise the limit (`ulimit -n`), or play fewer matches at once; a caged bot takes about a dozen"


def without_hello(status: int) -> str:
    """When a bot ended that said no Hello, and what that hints at, for the end of an error's text."""
    return "before its Hello" + (" (is run(MyBot()) missing at its end?)" if status == 0 else "")


def status_words(status: int) -> str:
    """How a process ended: a negative status is a signal's number, of those that the system knows."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signals.strsignal(-status) or "unnamed"
    except ValueError:
        return f"ended with status {status}"
    return f"was killed by signal {-status} ({name})"
