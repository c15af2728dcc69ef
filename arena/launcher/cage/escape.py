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
_ALLOWED_AT_THE_TOP = {"bot", "dev", "lib", "lib64", "proc", "tmp", "usr"}
_FIRST = 1
"""The first process of its own cage."""
_libc = ctypes.CDLL(None, use_errno=True)


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
    with socket.socket(family) as one:
        one.settimeout(1)
        one.connect(address)
    return f"connected to {address}"


def _see_processes() -> str:
    seen = [name for name in os.listdir("/proc") if name.isdecimal() and int(name) not in (_FIRST, os.getpid())]
    if not seen:
        raise LookupError("no process but those of its cage")
    return f"saw processes {', '.join(seen)}"


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
    inherited = set(os.listdir("/proc/self/fd")) - {"0", "1", "2", "3"}  # 3 is that of the folder itself
    if not inherited:
        raise LookupError("no descriptor but its pipes")
    return f"inherited descriptors {', '.join(sorted(inherited))}"


def _hold_privileges() -> str:
    with open("/proc/self/status") as file:
        status = dict(line.strip().split(":\t", 1) for line in file if ":\t" in line.strip())
    wanted = {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1, "Seccomp": 2}
    wrong = {name: status[name] for name, value in wanted.items() if int(status[name], 16) != value}
    if os.getuid() == 0:
        wrong["Uid"] = "0"
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
