"""What a fork server runs: it loads a runtime's modules once, and forks itself into cages that are set up for it.

It stands alone, in a cage with nothing but the runtime. It keeps nothing of what it is told, for all that it knows is
copied to its forks: what program to run is read in the fork, and the program itself when the fork has entered its cage
and has lost every privilege.

Its arguments are the number of its socket to the node, and the modules. The node sends it descriptors: the program's
standard input, output and error, a socket to the node, a file with the marshalled order, the first process of the
program's cage, and the files by which processes join the cage's control groups. Through the socket the fork sends an
empty line with the descriptor by which the kernel asks about its counted calls, and another one when it is in its cage,
or else why it could not get there; it runs the program when the node answers.
The answers are JSON arrays: PID for each order in turn, -1 where it could not be forked; and PID, exit status and
processor time in seconds at an end.
"""

import builtins
import contextlib
import ctypes
import gc
import importlib
import json
import marshal
import os
import resource
import select
import socket
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

_CLONE_NEWPID = 0x20000000
_OTHERS = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x40000000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWNET."""
_PR_CAPBSET_READ = 23
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_NEW_LISTENER = 8
_CAPABILITY_VERSION_3 = 0x20080522
_RULE_BYTES = 8
_MAX_DESCRIPTORS = 16
_STANDARD = 3
_GATE, _ORDER, _FIRST, _GROUPS = 3, 4, 5, 6
"""Places among the descriptors that the node sends."""
_FAILED = 125
_CALLS = ("capset", "close_range", "prctl", "setns", "syscall")
_libc = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("count", ctypes.c_ushort), ("rules", ctypes.c_char_p))


class _CapabilityHeader(ctypes.Structure):
    """struct __user_cap_header_struct."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def main(control: int, modules: list[str]) -> None:
    """Load the modules and serve; in a fork, run the program."""
    os.setgroups([])
    gc.disable()  # what is loaded is no garbage
    for name in modules:
        importlib.import_module(name)
    for name in _CALLS:
        getattr(_libc, name)  # found here once, and not in each fork
    gc.freeze()  # no collection of a fork touches, and so copies, what is here
    gc.enable()
    with socket.socket(fileno=control) as node:
        node.send(b"[]")
        arguments = _serve(node)
    if arguments:
        _run(arguments)


def _serve(node: socket.socket) -> list[str]:
    """Fork as the node orders until it is gone; in a fork, which is in its cage, return what it is to run."""
    process = os.pidfd_open(os.getpid())
    poll = select.poll()
    poll.register(node, select.POLLIN)
    forks: dict[int, int] = {}
    while True:
        for ready, _ in poll.poll():
            if ready in forks:
                poll.unregister(ready)
                os.close(ready)
                pid, status, used = os.wait4(forks.pop(ready), 0)
                node.send(json.dumps([pid, os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime]).encode())
                continue
            _, descriptors, _, _ = socket.recv_fds(node, 1, _MAX_DESCRIPTORS)
            if not descriptors:
                return []
            try:
                # A process's children are in the namespace of processes that it has set, not the process itself.
                _call("setns", descriptors[_FIRST], _CLONE_NEWPID)
                pid = os.fork()
            except OSError as error:  # the cage has ended before, or there are too many processes
                _tell(descriptors[_GATE], error)
                pid = -1
            if pid == 0:
                node.detach()
                return _entered(descriptors)
            _call("setns", process, _CLONE_NEWPID)
            # First of all: who writes to a program that has closed its input must not find a reader here.
            for descriptor in descriptors:
                os.close(descriptor)
            node.send(json.dumps([pid]).encode())
            if pid > 0:
                watch = os.pidfd_open(pid)
                forks[watch] = pid
                poll.register(watch, select.POLLIN)


def _entered(descriptors: list[int]) -> list[str]:
    """Get into the cage; returns what to run there."""
    try:
        file = descriptors[_ORDER]
        order = marshal.loads(os.pread(file, os.fstat(file).st_size, 0))  # noqa: S302 - the node has written it
        _enter(order, descriptors)
        os.write(descriptors[_GATE], b"\n")
    except BaseException as error:  # noqa: BLE001 - whatever it is, it must not run on outside
        _tell(descriptors[_GATE], error)
        os._exit(_FAILED)
    if not os.read(descriptors[_GATE], 1):
        os._exit(_FAILED)
    _call("close_range", _STANDARD, ctypes.c_uint(-1), 0)
    arguments: list[str] = order["arguments"]
    return arguments


def _tell(gate: int, error: BaseException) -> None:
    """Tell the node why a program is not in its cage, if the node still waits for that."""
    with contextlib.suppress(ConnectionError):
        os.write(gate, repr(error).encode())


def _enter(order: dict[str, Any], descriptors: list[int]) -> None:
    """Stand behind the cage's walls for good, as a program that bubblewrap has started there."""
    for group in descriptors[_GROUPS:]:
        os.write(group, b"0")
    _call("setns", descriptors[_FIRST], _OTHERS)
    for number in range(_STANDARD):
        os.dup2(descriptors[number], number)
    os.setsid()
    _become_environment(order["environment"])
    for number, limit in order["rlimits"]:
        resource.setrlimit(number, (limit, limit))
    os.chdir(order["folder"])
    # The namespace of users was entered with every capability in it.
    capability = 0
    while _libc.prctl(_PR_CAPBSET_READ, capability, 0, 0, 0) >= 0:
        _call("prctl", _PR_CAPBSET_DROP, capability, 0, 0, 0)
        capability += 1
    os.setresgid(*[order["user"]] * 3)
    os.setresuid(*[order["user"]] * 3)
    _call("capset", ctypes.byref(_CapabilityHeader(_CAPABILITY_VERSION_3, 0)), bytes(24))
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call("prctl", _PR_SET_DUMPABLE, 1, 0, 0, 0)  # as after an exec: its own /proc is its own
    _call("prctl", _PR_SET_NAME, os.path.basename(order["arguments"][0]).encode(), 0, 0, 0)
    listener = _install(order["seccomp"], order["counting"], _SECCOMP_FILTER_FLAG_NEW_LISTENER)
    with socket.socket(fileno=os.dup(descriptors[_GATE])) as gate:
        socket.send_fds(gate, [b"\n"], [listener])
    os.close(listener)
    _install(order["seccomp"], order["filter"], 0)


def _install(seccomp: int, rules: bytes, flags: int) -> int:
    """Install a filter by the system call of this number; returns a descriptor, where the flags ask for one."""
    program = _Filter(len(rules) // _RULE_BYTES, rules)
    descriptor = _libc.syscall(seccomp, _SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program))
    if descriptor < 0:
        number = ctypes.get_errno()
        what = "to have the kernel ask about calls (SECCOMP_FILTER_FLAG_NEW_LISTENER, Linux 5.5 or later)"
        raise OSError(number, f"{what if flags else 'seccomp'} failed with error {number}")
    return int(descriptor)


def _become_environment(environment: dict[str, str]) -> None:
    """Have this environment and nothing else. Most of it is the fork server's own: what stays is not written again."""
    for name in [*os.environ]:
        if name not in environment:
            del os.environ[name]
    for name, value in environment.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _run(arguments: list[str]) -> None:
    """Run a file as the interpreter does when it is given these arguments."""
    sys.argv[:] = arguments
    path = os.path.abspath(arguments[0])
    sys.path[0] = os.path.dirname(path)
    loader = SourceFileLoader("__main__", path)
    program = sys.modules["__main__"] = ModuleType("__main__")
    program.__dict__.update(
        __annotations__={}, __builtins__=builtins, __cached__=None, __file__=path, __loader__=loader
    )
    try:
        source = loader.get_data(path)
    except OSError as error:
        sys.exit(f"{sys.executable}: can't open file {path!r}: {error.strerror}")
    try:
        exec(compile(source, path, "exec"), program.__dict__)  # noqa: S102 - the very purpose
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - as the interpreter does
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
