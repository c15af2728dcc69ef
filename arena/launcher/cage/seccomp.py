"""The seccomp filter of the cage, as the classic BPF program that bubblewrap takes: see seccomp(2).

It knows what a program may do, and refuses the rest: calls that are in no table of arena.launcher.cage.syscalls, and of
those whose arguments choose what they do (getsockopt, ioctl, prctl, fcntl, madvise and others) all but what is allowed
here. A refused call fails with EPERM; those that programs try before an older way fail with ENOSYS, so that they go on
to it; those that would only keep disks busy do nothing and succeed. A call of another machine's numbering kills the
program.

Pipes and pairs of sockets take numbers that the kernel counts for the whole machine. Another filter, `counting`, has
the kernel ask the node about each call that makes them: see arena.launcher.cage.counted.

A lone program may start threads, but no process: that fails with EAGAIN, as where the limit is reached.

A single-threaded program is refused also whatever could give it a second task, or wake it from a read of its standard
input before the node writes to it: a timer, another file as descriptor 0. Pipes of its own are refused too, and ways to
have an end of one closed later, so that one that waits for a pipe waits for the node.
"""

import errno
import platform
import signal
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.syscalls import (
    ALLOWED,
    COUNTED,
    DENIED_ALONE,
    EXAMINED,
    EXAMINED_ALONE,
    EXAMINED_LONE,
    IDLE,
    LAST_KNOWN,
    MISSING,
    PROCESSES,
    Numbers,
)

RULE_BYTES = 8
_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x25, 0x45, 0x06, 0x54
_ALLOW, _KILL, _ERROR, _ASK = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
"""Offsets in struct seccomp_data."""

_OUTSIDE = 0x7E020000 | 0x8000 | 0x1000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; CLONE_PARENT: no child but the cage's own; and
CLONE_PIDFD."""
_THREAD = 0x00010000
"""CLONE_THREAD, without which it makes a process."""
_EXIT_SIGNAL = 0xFF
"""CSIGNAL, the part of clone's flags that says what signal tells the parent of the child's end."""
_AF_UNIX = 1
_SOL_SOCKET = 1
_GET_SOCKET = {
    "SO_TYPE": 3,
    "SO_ERROR": 4,
    "SO_SNDBUF": 7,
    "SO_RCVBUF": 8,
    "SO_RCVTIMEO": 20,
    "SO_SNDTIMEO": 21,
    "SO_PROTOCOL": 38,
    "SO_DOMAIN": 39,
    "SO_RCVTIMEO_NEW": 66,
    "SO_SNDTIMEO_NEW": 67,
}
_SET_SOCKET = {"SO_SNDBUF": 7, "SO_RCVBUF": 8, "SO_RCVTIMEO": 20, "SO_SNDTIMEO": 21, "SO_RCVTIMEO_NEW": 66}
_FIOCLEX = 0x5451
_IOCTLS = {
    "TCGETS": 0x5401,
    "TCGETS2": 0x802C542A,
    "TIOCGPGRP": 0x540F,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "TIOCOUTQ": 0x5411,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": _FIOCLEX,
}
_F_SETFD, _F_SETFL = 2, 4
_FCNTLS = {
    "F_DUPFD": 0,
    "F_GETFD": 1,
    "F_SETFD": _F_SETFD,
    "F_GETFL": 3,
    "F_SETFL": _F_SETFL,
    "F_DUPFD_CLOEXEC": 1030,
    "F_GETPIPE_SZ": 1032,
}
_ADVICE = {
    "MADV_NORMAL": 0,
    "MADV_RANDOM": 1,
    "MADV_SEQUENTIAL": 2,
    "MADV_WILLNEED": 3,
    "MADV_DONTNEED": 4,
    "MADV_FREE": 8,
    "MADV_DONTFORK": 10,
    "MADV_DOFORK": 11,
    "MADV_HUGEPAGE": 14,
    "MADV_NOHUGEPAGE": 15,
    "MADV_DONTDUMP": 16,
    "MADV_DODUMP": 17,
    "MADV_WIPEONFORK": 18,
    "MADV_KEEPONFORK": 19,
    "MADV_POPULATE_READ": 22,
    "MADV_POPULATE_WRITE": 23,
}
_BARRIERS = {
    "QUERY": 0,
    "PRIVATE_EXPEDITED": 8,
    "REGISTER_PRIVATE_EXPEDITED": 16,
    "PRIVATE_EXPEDITED_SYNC_CORE": 32,
    "REGISTER_PRIVATE_EXPEDITED_SYNC_CORE": 64,
    "PRIVATE_EXPEDITED_RSEQ": 128,
    "REGISTER_PRIVATE_EXPEDITED_RSEQ": 256,
}
_OPTIONS = {
    "PR_GET_PDEATHSIG": 2,
    "PR_GET_DUMPABLE": 3,
    "PR_SET_NAME": 15,
    "PR_GET_NAME": 16,
    "PR_GET_SECCOMP": 21,
    "PR_CAPBSET_READ": 23,
    "PR_SET_TIMERSLACK": 29,
    "PR_GET_TIMERSLACK": 30,
    "PR_SET_NO_NEW_PRIVS": 38,
    "PR_GET_NO_NEW_PRIVS": 39,
    "PR_GET_TID_ADDRESS": 40,
    "PR_SET_THP_DISABLE": 41,
    "PR_GET_THP_DISABLE": 42,
    "PR_SVE_SET_VL": 50,
    "PR_SVE_GET_VL": 51,
    "PR_PAC_RESET_KEYS": 54,
    "PR_SET_TAGGED_ADDR_CTRL": 55,
    "PR_GET_TAGGED_ADDR_CTRL": 56,
    "PR_PAC_SET_ENABLED_KEYS": 60,
    "PR_PAC_GET_ENABLED_KEYS": 61,
    "PR_GET_MDWE": 66,
}
_RWF_APPEND = 0x10
_MAP_SHARED_ANONYMOUS, _MAP_HUGETLB = 0x21, 0x40000
_RLIMIT_CORE = 4
_X32 = 0x40000000
_FD_CLOEXEC, _O_ASYNC = 1, 0x2000
_FAULTS = {
    # As where the limit on processes is reached.
    **dict.fromkeys(("clone", "fork", "vfork"), errno.EAGAIN),
}
"""How refused calls fail, where that is not by EPERM."""


@dataclass(frozen=True)
class Machine:
    """A processor architecture: its place in the table of numbers, its AUDIT_ARCH value, its value of O_DIRECT, the
    last of its own numbers (those from 424 on are the same everywhere, and those between came to the kernel later), and
    the number of the system call `seccomp`.
    """

    column: int
    audit: int
    o_direct: int
    last_own: int
    seccomp: int


MACHINES = {"x86_64": Machine(0, 0xC000003E, 0x4000, 334, 317), "aarch64": Machine(1, 0xC00000B7, 0x10000, 294, 277)}
_FIRST_COMMON = 424


def program(machine: str | None = None, *, single_threaded: bool = False, lone: bool = False) -> bytes:
    """Return a machine's filter, by default this one's; a `lone` program gets no other process.

    `machine` is what `uname -m` calls it. Raises NoCageError.
    """
    name = machine or platform.machine()
    target = machine_of(name)
    column = target.column
    unknown = _line(_RETURN, _ERROR | errno.ENOSYS)
    lines = [
        _line(_LOAD, _MACHINE),
        _line(_JUMP_EQUAL, target.audit, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        *([_line(_JUMP_ANY_BIT, _X32, 0, 1), _line(_RETURN, _KILL)] if name == "x86_64" else []),
    ]
    if single_threaded:
        lines += _answers(DENIED_ALONE, column, errno.EPERM)
        # What they do not refuse, the rules for all programs look at.
        lines += _examinations(EXAMINED_ALONE, _RULES_ALONE, column, [_line(_LOAD, _NUMBER)])
    if lone:
        lines += _answers(PROCESSES, column, errno.EAGAIN)
        lines += _examinations(EXAMINED_LONE, _RULES_LONE, column, [_line(_LOAD, _NUMBER)])
    for number in _numbers(ALLOWED, column).values():
        lines += _if(_JUMP_EQUAL, number, [_ALLOWANCE])
    lines += _answers(IDLE, column, 0)
    lines += _answers(MISSING, column, errno.ENOSYS)
    lines += _examinations(EXAMINED, _RULES | _rules_on_direct(target.o_direct), column, [])
    lines += _if(_JUMP_GREATER, LAST_KNOWN, [unknown])
    lines += _if(_JUMP_GREATER, target.last_own, [_line(_JUMP_GREATER, _FIRST_COMMON - 1, 1, 0), unknown])
    lines.append(_refusal(errno.EPERM))
    return b"".join(lines)


def counting(machine: str | None = None) -> bytes:
    """The filter that has the kernel ask the node about each call that makes pipes or pairs of sockets.

    What the other filter refuses, it does not ask about. Raises NoCageError.
    """
    counted = _numbers(COUNTED, machine_of(machine).column).values()
    tests = [line for number in counted for line in _if(_JUMP_EQUAL, number, [_line(_RETURN, _ASK)])]
    return b"".join([_line(_LOAD, _NUMBER), *tests, _ALLOWANCE])


def machine_of(name: str | None = None) -> Machine:
    """The machine of a name, as `uname -m` has it, by default this one. Raises NoCageError."""
    name = name or platform.machine()
    if name not in MACHINES:
        raise NoCageError(f"there is no seccomp filter for {name}, only for {' and '.join(MACHINES)}")
    return MACHINES[name]


def _numbers(calls: dict[str, Numbers], column: int) -> dict[str, int]:
    """The numbers of those calls that a machine has."""
    return {call: number for call, numbers in calls.items() if (number := numbers[column]) is not None}


def _answers(calls: dict[str, Numbers], column: int, error: int) -> Iterator[bytes]:
    """Lines by which these calls do nothing and fail with an error, or succeed where that is 0."""
    for call, number in _numbers(calls, column).items():
        yield from _if(_JUMP_EQUAL, number, [_refusal(_FAULTS.get(call, error) if error else 0)])


def _examinations(
    calls: dict[str, Numbers], rules: dict[str, list[bytes]], column: int, otherwise: list[bytes]
) -> Iterator[bytes]:
    """The rules for these calls; `otherwise` follows each."""
    for call, number in _numbers(calls, column).items():
        yield from _if(_JUMP_EQUAL, number, [*rules[call], *otherwise])


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One struct sock_filter; the jumps count the lines that are left out."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


_ALLOWANCE = _line(_RETURN, _ALLOW)


def _refusal(error: int) -> bytes:
    return _line(_RETURN, _ERROR | error)


def _argument(index: int) -> bytes:
    """Load the low half of an argument, which is all that the kernel looks at in those that are examined."""
    return _line(_LOAD, _ARGUMENTS + 8 * index)


def _if(test: int, value: int, lines: list[bytes]) -> list[bytes]:
    """These lines, to be left out if the test of what was loaded fails."""
    return [_line(test, value, 0, len(lines)), *lines]


def _refuse(*values: int) -> list[bytes]:
    """Refuse the call if what was loaded is one of these."""
    return [line for value in values for line in _if(_JUMP_EQUAL, value, [_refusal(errno.EPERM)])]


def _refuse_bits(bits: int) -> list[bytes]:
    """Refuse the call if what was loaded has one of these bits."""
    return _if(_JUMP_ANY_BIT, bits, [_refusal(errno.EPERM)])


def _only(argument: int, values: Mapping[str, int], error: int) -> list[bytes]:
    """Allow the call if an argument is one of these, else have it fail with this error."""
    tests = [line for value in values.values() for line in _if(_JUMP_EQUAL, value, [_ALLOWANCE])]
    return [_argument(argument), *tests, _refusal(error)]


def _socket_option(names: Mapping[str, int]) -> list[bytes]:
    """Options of sockets alone, and of these only those named. SO_COOKIE and SO_NETNS_COOKIE are numbers that the
    kernel counts for the whole machine; SO_ATTACH_FILTER and its like take memory that no limit counts.
    """
    level = [_argument(1), _line(_JUMP_EQUAL, _SOL_SOCKET, 1, 0), _refusal(errno.ENOPROTOOPT)]
    return [*level, *_only(2, names, errno.ENOPROTOOPT)]


def _no_wake(signal_at: int) -> list[bytes]:
    """No SIGCONT: it would let processes go on that a node without a better freezer has stopped."""
    return [_argument(signal_at), *_refuse(signal.SIGCONT), _ALLOWANCE]


_ONLY_APPENDING = [
    _argument(5),
    _line(_JUMP_EQUAL, 0, 1, 0),
    _line(_JUMP_EQUAL, _RWF_APPEND, 0, 1),
    _ALLOWANCE,
    _refusal(errno.EOPNOTSUPP),
]
"""RWF_NOWAIT tells whether somebody has read this part of a file before; others go past the cache or wait for disks."""

_RULES = {
    # A child whose end takes its time may send its signal when its parent has been stopped.
    "clone": [_argument(0), *_refuse_bits(_OUTSIDE), _line(_AND, _EXIT_SIGNAL), *_refuse(signal.SIGCONT), _ALLOWANCE],
    "getsockopt": _socket_option(_GET_SOCKET),
    # Each file system has requests of its own, some of which leave something in a file that other cages see too.
    "ioctl": _only(1, _IOCTLS, errno.ENOTTY),
    "kill": _no_wake(1),
    # Whether a page is in memory, or is one with another's, is a word to a twin that can read it.
    "madvise": _only(2, _ADVICE, errno.EINVAL),
    # A barrier for all programs interrupts other processors, and waits for all of them.
    "membarrier": _only(0, _BARRIERS, errno.EINVAL),
    # Neither a limit on a process's memory nor the size of its folder counts shared anonymous memory. Of huge pages the
    # machine has a number that all programs share, and that no limit counts.
    "mmap": [
        _argument(3),
        *_refuse_bits(_MAP_HUGETLB),
        _line(_AND, _MAP_SHARED_ANONYMOUS),
        *_refuse(_MAP_SHARED_ANONYMOUS),
        _ALLOWANCE,
    ],
    "preadv2": _ONLY_APPENDING,
    "pwritev2": _ONLY_APPENDING,
    # bubblewrap has bound the program to its own life, and so to the node's: not PR_SET_PDEATHSIG. PR_SET_MM moves what
    # the node reads as its environment; PR_SCHED_CORE keeps others from its processor core.
    "prctl": _only(0, _OPTIONS, errno.EINVAL),
    # With a limit of 0 the kernel may hand all the memory of a program that crashes to one outside, which runs as root.
    "prlimit64": [_argument(1), *_refuse(_RLIMIT_CORE), _ALLOWANCE],
    "rt_sigqueueinfo": _no_wake(1),
    "rt_tgsigqueueinfo": _no_wake(2),
    "setrlimit": [_argument(0), *_refuse(_RLIMIT_CORE), _ALLOWANCE],
    "setsockopt": _socket_option(_SET_SOCKET),
    "socket": [_refusal(errno.EAFNOSUPPORT)],
    "socketpair": _only(0, {"AF_UNIX": _AF_UNIX}, errno.EAFNOSUPPORT),
    "tgkill": _no_wake(2),
    "tkill": _no_wake(1),
}


def _rules_on_direct(o_direct: int) -> dict[str, list[bytes]]:
    """Those that need the value of O_DIRECT. With it a file is read from the disk each time, past the cache; and what
    is written to a pipe has to be read in as many pieces.
    """
    return {
        # A lock, a lease, a watch or a hint on a file that other cages see too tells a twin something. F_SETSIG and
        # O_ASYNC choose a signal that comes when something happens to a descriptor, also to one of a stopped process.
        # The size of a pipe counts for the user who made it, which is the node.
        "fcntl": [
            _argument(1),
            *_if(_JUMP_EQUAL, _F_SETFL, [_argument(2), *_refuse_bits(o_direct | _O_ASYNC), _ALLOWANCE]),
            *_only(1, _FCNTLS, errno.EPERM),
        ],
        "open": [_argument(1), *_refuse_bits(o_direct), _ALLOWANCE],
        "openat": [_argument(2), *_refuse_bits(o_direct), _ALLOWANCE],
    }


_RULES_LONE = {"clone": [_argument(0), _line(_JUMP_ANY_BIT, _THREAD, 1, 0), _refusal(errno.EAGAIN)]}

# A timerfd or an eventfd as descriptor 0 would wake its reader. One that is closed when the program runs another
# (FD_CLOEXEC) leaves its place to the next file.
_RULES_ALONE = {
    "close": [_argument(0), *_refuse(0)],
    "close_range": [_argument(0), *_refuse(0)],
    "dup2": [_argument(1), *_refuse(0)],
    "dup3": [_argument(1), *_refuse(0)],
    "fcntl": [
        _argument(1),
        *_if(
            _JUMP_EQUAL,
            _F_SETFD,
            [_argument(2), *_if(_JUMP_ANY_BIT, _FD_CLOEXEC, [_argument(0), *_refuse(0)])],
        ),
    ],
    "ioctl": [_argument(1), *_if(_JUMP_EQUAL, _FIOCLEX, [_argument(0), *_refuse(0)])],
}
