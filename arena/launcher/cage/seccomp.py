"""The seccomp filter of the cage, as the classic BPF program that bubblewrap takes: see seccomp(2).

A refused call fails with EPERM; those that programs try before an older way fail with ENOSYS, so that they go on to it;
those that would only keep disks busy do nothing and succeed. A call of another machine's numbering kills the program.

A single-threaded program is refused also whatever could give it a second task, or wake it from a read of its standard
input before the node writes to it: a timer, a signal that a file sends, another file as descriptor 0. Pipes of its own
are refused too, and ways to have an end of one closed later, so that one that waits for a pipe waits for the node.
"""

import errno
import platform
import signal
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.syscalls import DENIED, DENIED_ALONE, EXAMINED, EXAMINED_ALONE, IDLE, LAST_KNOWN, Numbers

_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x25, 0x45, 0x06, 0x54
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSED = _ERROR | errno.EPERM
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
"""Offsets in struct seccomp_data."""

_OUTSIDE = 0x7E020000 | 0x8000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; and CLONE_PARENT: no child but the cage's own."""
_EXIT_SIGNAL = 0xFF
"""CSIGNAL, the part of clone's flags that says what signal tells the parent of the child's end."""
_AF_UNIX = 1
_FIOCLEX = 0x5451
_IOCTLS = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5411, 0x5421, 0x5450, _FIOCLEX)
"""TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ, FIONREAD, TIOCOUTQ, FIONBIO, FIONCLEX and FIOCLEX."""
_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026, 1036, 1038, 1040)
"""F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY, F_SET_RW_HINT,
F_SET_FILE_RW_HINT, F_SETDELEG."""
_F_SETSIG, _F_SETPIPE_SZ = 10, 1031
_REFUSED_ADVICE = (12, 20, 21, 25)
"""MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT, MADV_COLLAPSE."""
_GLOBAL_BARRIERS = (1, 2, 4)
"""MEMBARRIER_CMD_GLOBAL, GLOBAL_EXPEDITED, REGISTER_GLOBAL_EXPEDITED."""
_RWF_NOWAIT, _RWF_DONTCACHE = 0x8, 0x80
_MAP_SHARED_ANONYMOUS, _MAP_HUGETLB = 0x21, 0x40000
_REFUSED_OPTIONS = (1, 22, 35, 62)
"""PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_MM, PR_SCHED_CORE."""
_LAST_OPTION = 66
"""PR_GET_MDWE, the highest option of prctl that was looked at."""
_RLIMIT_CORE = 4
_ATTACHED_PROGRAMS = (26, 50, 51, 52)
"""SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF."""
_X32 = 0x40000000
_F_SETFD, _FD_CLOEXEC = 2, 1
_F_SETFL, _O_ASYNC = 4, 0x2000
_OWNERS = (8, 15)
"""F_SETOWN, F_SETOWN_EX."""
_FAULTS = {
    **dict.fromkeys(("clone3", "memfd_create", "io_uring_setup", "openat2", "timer_create"), errno.ENOSYS),
    # As where the limit on processes is reached.
    **dict.fromkeys(("clone", "fork", "vfork"), errno.EAGAIN),
}
"""How refused calls fail, where that is not by EPERM."""


@dataclass(frozen=True)
class Machine:
    """A processor architecture: its place in the table of numbers, its AUDIT_ARCH value, its value of O_DIRECT, and the
    last of its own numbers: those from 424 on are the same everywhere, and those between came to the kernel later.
    """

    column: int
    audit: int
    o_direct: int
    last_own: int


MACHINES = {"x86_64": Machine(0, 0xC000003E, 0x4000, 334), "aarch64": Machine(1, 0xC00000B7, 0x10000, 294)}
_FIRST_COMMON = 424


def program(machine: str | None = None, *, single_threaded: bool = False) -> bytes:
    """The filter for a machine as `uname -m` names it, by default this one. Raises NoCageError."""
    name = machine or platform.machine()
    if name not in MACHINES:
        raise NoCageError(f"there is no seccomp filter for {name}, only for {' and '.join(MACHINES)}")
    column, audit = MACHINES[name].column, MACHINES[name].audit
    unknown = _line(_RETURN, _ERROR | errno.ENOSYS)
    lines = [
        _line(_LOAD, _MACHINE),
        _line(_JUMP_EQUAL, audit, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        *([_line(_JUMP_ANY_BIT, _X32, 0, 1), _line(_RETURN, _KILL)] if name == "x86_64" else []),
        *_if(_JUMP_GREATER, LAST_KNOWN, [unknown]),
        *_if(_JUMP_GREATER, MACHINES[name].last_own, [_line(_JUMP_GREATER, _FIRST_COMMON - 1, 1, 0), unknown]),
    ]
    if single_threaded:
        lines += _refusals(DENIED_ALONE, column)
        # What they do not refuse, the rules for all programs look at.
        lines += _examinations(EXAMINED_ALONE, _RULES_ALONE, column, _line(_LOAD, _NUMBER))
    lines += _refusals(DENIED, column)
    for number in _numbers(IDLE, column).values():
        lines += _if(_JUMP_EQUAL, number, [_line(_RETURN, _ERROR)])
    allow = _line(_RETURN, _ALLOW)
    lines += _examinations(EXAMINED, _RULES | _rules_on_direct(MACHINES[name].o_direct), column, allow)
    lines.append(allow)
    return b"".join(lines)


def _numbers(calls: dict[str, Numbers], column: int) -> dict[str, int]:
    """The numbers of those calls that a machine has."""
    return {call: number for call, numbers in calls.items() if (number := numbers[column]) is not None}


def _refusals(calls: dict[str, Numbers], column: int) -> Iterator[bytes]:
    for call, number in _numbers(calls, column).items():
        yield from _if(_JUMP_EQUAL, number, [_line(_RETURN, _ERROR | _FAULTS.get(call, errno.EPERM))])


def _examinations(
    calls: dict[str, Numbers], rules: dict[str, list[bytes]], column: int, otherwise: bytes
) -> Iterator[bytes]:
    """The rules for these calls; `otherwise` is done with what they do not refuse."""
    for call, number in _numbers(calls, column).items():
        yield from _if(_JUMP_EQUAL, number, [*rules[call], otherwise])


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One struct sock_filter; the jumps count the lines that are left out."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(index: int) -> bytes:
    """Load the low half of an argument, which is all that the kernel looks at in those that are examined."""
    return _line(_LOAD, _ARGUMENTS + 8 * index)


def _if(test: int, value: int, lines: list[bytes]) -> list[bytes]:
    """These lines, to be left out if the test of what was loaded fails."""
    return [_line(test, value, 0, len(lines)), *lines]


_REFUSAL = _line(_RETURN, _REFUSED)


def _refuse(*values: int) -> list[bytes]:
    """Refuse the call if what was loaded is one of these."""
    return [line for value in values for line in _if(_JUMP_EQUAL, value, [_REFUSAL])]


def _refuse_bits(bits: int) -> list[bytes]:
    """Refuse the call if what was loaded has one of these bits."""
    return _if(_JUMP_ANY_BIT, bits, [_REFUSAL])


_UNIX_ONLY = [_argument(0), _line(_JUMP_EQUAL, _AF_UNIX, 1, 0), _line(_RETURN, _ERROR | errno.EAFNOSUPPORT)]


def _no_wake(signal_at: int) -> list[bytes]:
    """No SIGCONT: it would let processes go on that a node without a better freezer has stopped."""
    return [_argument(signal_at), *_refuse(signal.SIGCONT)]


_RULES = {
    # A child whose end takes its time may send its signal when its parent has been stopped.
    "clone": [_argument(0), *_refuse_bits(_OUTSIDE), _line(_AND, _EXIT_SIGNAL), *_refuse(signal.SIGCONT)],
    # Each file system has requests of its own, some of which leave something in a file that other cages see too.
    "ioctl": [
        _argument(1),
        *(line for request in _IOCTLS for line in _if(_JUMP_EQUAL, request, [_line(_RETURN, _ALLOW)])),
        _line(_RETURN, _ERROR | errno.ENOTTY),
    ],
    "kill": _no_wake(1),
    # Whether a page is in memory, or is one with another's, is a word to a twin that can read it.
    "madvise": [_argument(2), *_refuse(*_REFUSED_ADVICE)],
    # A barrier for all programs interrupts other processors, and waits for all of them.
    "membarrier": [_argument(0), *_refuse(*_GLOBAL_BARRIERS)],
    # Neither a limit on a process's memory nor the size of its folder counts shared anonymous memory. Of huge pages the
    # machine has a number that all programs share, and that no limit counts.
    "mmap": [
        _argument(3),
        *_refuse_bits(_MAP_HUGETLB),
        _line(_AND, _MAP_SHARED_ANONYMOUS),
        *_refuse(_MAP_SHARED_ANONYMOUS),
    ],
    "pidfd_send_signal": _no_wake(1),
    # It tells whether somebody has read this part of a file before; or reads it from the disk each time.
    "preadv2": [_argument(5), *_refuse_bits(_RWF_NOWAIT | _RWF_DONTCACHE)],
    # The program is the first process of its cage: bubblewrap has bound it to its own life, and so to the node's. With
    # core scheduling nobody else may run on the other threads of its processor core. PR_SET_MM moves what the node
    # reads as its environment. Among the later ones are PR_SET_MEMORY_MERGE, and PR_FUTEX_HASH, which takes memory of
    # the kernel.
    "prctl": [_argument(0), *_if(_JUMP_GREATER, _LAST_OPTION, [_REFUSAL]), *_refuse(*_REFUSED_OPTIONS)],
    # With a limit of 0 the kernel may hand all the memory of a program that crashes to one outside, which runs as root.
    "prlimit64": [_argument(1), *_refuse(_RLIMIT_CORE)],
    "rt_sigqueueinfo": _no_wake(1),
    "rt_tgsigqueueinfo": _no_wake(2),
    "setrlimit": [_argument(0), *_refuse(_RLIMIT_CORE)],
    # Compiled programs take memory that no limit counts, of which the machine has a fixed amount: without any left, no
    # filter can be loaded, and so no cage be set up.
    "setsockopt": [_argument(2), *_refuse(*_ATTACHED_PROGRAMS)],
    "socket": _UNIX_ONLY,
    "socketpair": _UNIX_ONLY,
    "tgkill": _no_wake(2),
    "tkill": _no_wake(1),
}


def _rules_on_direct(o_direct: int) -> dict[str, list[bytes]]:
    """Those that need the value of O_DIRECT. With it a file is read from the disk each time, past the cache; and what
    is written to a pipe has to be read in as many pieces.
    """
    return {
        # A lock, a lease, a watch or a hint on a file that other cages see too tells a twin something. F_SETSIG chooses
        # a signal that comes when something happens to a descriptor, also to one of a stopped process. The size of a
        # pipe counts for the user who made it, which is the node.
        "fcntl": [
            _argument(1),
            *_refuse(*_LOCKS, _F_SETSIG, _F_SETPIPE_SZ),
            *_if(_JUMP_EQUAL, _F_SETFL, [_argument(2), *_refuse_bits(o_direct)]),
        ],
        "open": [_argument(1), *_refuse_bits(o_direct)],
        "openat": [_argument(2), *_refuse_bits(o_direct)],
    }


# A timerfd or an eventfd as descriptor 0 would wake its reader. One that is closed when the program runs another
# (FD_CLOEXEC) leaves its place to the next file.
_RULES_ALONE = {
    "close": [_argument(0), *_refuse(0)],
    "close_range": [_argument(0), *_refuse(0)],
    "dup2": [_argument(1), *_refuse(0)],
    "dup3": [_argument(1), *_refuse(0)],
    "fcntl": [
        _argument(1),
        *_refuse(*_OWNERS),
        *_if(_JUMP_EQUAL, _F_SETFL, [_argument(2), *_refuse_bits(_O_ASYNC), _argument(1)]),
        *_if(_JUMP_EQUAL, _F_SETFD, [_argument(2), *_if(_JUMP_ANY_BIT, _FD_CLOEXEC, [_argument(0), *_refuse(0)])]),
    ],
    "ioctl": [_argument(1), *_if(_JUMP_EQUAL, _FIOCLEX, [_argument(0), *_refuse(0)])],
}
