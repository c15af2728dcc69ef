"""What the probe runs in a cage: tries to get out, and prints as JSON what it got.

It stands alone: in the cage there is nothing of the arena but the SDK. The baits that it looks for (a file, an abstract
socket, a TCP port, a process) are named by its arguments.
"""

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable

_AF_VSOCK = 40
_CLONE_NEWUSER = 0x10000000
_MS_BIND = 4096
_PTRACE_ATTACH = 16
_ALLOWED_AT_THE_TOP = {"bot", "dev", "lib", "lib64", "tmp", "usr"}
_FIRST = 1
"""The first process of its own cage."""
_NUMBERS = 1_000
"""How many numbers of processes and descriptors are tried."""
_CAPABILITIES = 64
_CAPABILITY_VERSION_3 = 0x20080522
_PR_GET_SECCOMP = 21
_PR_CAPBSET_READ = 23
_PR_GET_NO_NEW_PRIVS = 39
_SECCOMP_MODE_FILTER = 2
_libc = ctypes.CDLL(None, use_errno=True)


class _CapabilityHeader(ctypes.Structure):
    """struct __user_cap_header_struct."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def _call(name: str, *arguments: object) -> str:
    if getattr(_libc, name)(*arguments) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return f"{name} succeeded"


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return f"read {len(file.read(1))} bytes of {path}"


def _write(path: str) -> str:
    with open(path, "wb") as file:
        file.write(b"x")
    return f"wrote {path}"


def _connect(family: int, address: str | tuple[int | str, int]) -> str:
    with socket.socket(family) as attempt:
        attempt.settimeout(1)
        attempt.connect(address)
    return f"connected to {address}"


def _see_processes() -> str:
    """Ask for the processes of low numbers, which are those of the cage, and of this machine where it has none."""
    seen = [pid for pid in range(1, _NUMBERS) if pid not in (_FIRST, os.getpid()) and _is_there(pid)]
    if not seen:
        raise LookupError("no process but those of its cage")
    return f"saw processes {', '.join(map(str, seen))}"


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _signal(pid: int) -> str:
    if pid == os.getpid():
        raise LookupError("here this number is its own")
    os.kill(pid, signal.SIGURG)
    return f"signalled process {pid}"


def _see_files() -> str:
    strange = set(os.listdir("/")) - _ALLOWED_AT_THE_TOP
    if not strange:
        raise LookupError("nothing of the file system")
    return f"saw {', '.join(sorted(strange))}"


def _inherit() -> str:
    inherited = [descriptor for descriptor in range(3, _NUMBERS) if _is_open(descriptor)]
    if not inherited:
        raise LookupError("no descriptor but its pipes")
    return f"inherited descriptors {', '.join(map(str, inherited))}"


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _hold_privileges() -> str:
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, of the first 32 and of the others
    _call("capget", ctypes.byref(_CapabilityHeader(_CAPABILITY_VERSION_3, 0)), sets)
    bounding = [number for number in range(_CAPABILITIES) if _libc.prctl(_PR_CAPBSET_READ, number, 0, 0, 0) == 1]
    checks = {
        "capabilities": list(sets) if any(sets) else None,
        "a bounding set": bounding or None,
        "new privileges": None if _libc.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 else True,
        "no filter": None if _libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) == _SECCOMP_MODE_FILTER else True,
        "user 0": True if os.getuid() == 0 else None,
    }
    wrong = {name: value for name, value in checks.items() if value is not None}
    if not wrong:
        raise LookupError("no privileges")
    return f"has {wrong}"


def _attempts(file: str, abstract: str, port: str, pid: str) -> dict[str, Callable[[], str]]:
    return {
        "files": _see_files,
        "file": lambda: _read(file),
        "bot": lambda: _write("/bot/left-behind"),
        "runtime": lambda: _write("/usr/lib/left-behind"),
        "root": lambda: _write("/left-behind"),
        "descriptors": _inherit,
        "processes": _see_processes,
        "signal": lambda: _signal(int(pid)),
        "privileges": _hold_privileges,
        "abstract socket": lambda: _connect(socket.AF_UNIX, f"\0{abstract}"),
        "network": lambda: _connect(socket.AF_INET, ("127.0.0.1", int(port))),
        "virtual machine's socket": lambda: _connect(_AF_VSOCK, (2, 1)),
        "user namespace": lambda: _call("unshare", _CLONE_NEWUSER),
        "ptrace": lambda: _call("ptrace", _PTRACE_ATTACH, int(pid), 0, 0),
        "mount": lambda: _call("mount", b"/proc", b"/tmp", None, _MS_BIND, None),
    }


def main() -> None:
    """Try everything; print a JSON object of those attempts that got something, and what."""
    got = {}
    for name, attempt in _attempts(*sys.argv[1:]).items():
        try:
            got[name] = attempt()
        except (OSError, LookupError):
            continue
    sys.stdout.write(json.dumps(got))


if __name__ == "__main__":
    main()
