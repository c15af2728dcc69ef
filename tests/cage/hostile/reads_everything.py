"""Writes down all that it can read of the machine, for a comparison with what it read in another cage.

Given a number, it first does as often whatever might move what the kernel counts for the whole machine.
"""

import json
import os
import resource
import socket
import sys
import time

MOVES = int(sys.argv[1])
ENTRIES = 400
"""Of each folder, that are looked at."""
PAIR = socket.socketpair()


def told(what: object) -> object:
    """What a call tells, or the error with which it is refused."""
    try:
        return what()
    except (OSError, AttributeError) as error:
        return f"{type(error).__name__} {getattr(error, 'errno', '')}"


def move() -> None:
    """Have the kernel count."""
    for option in (57, 71):
        told(lambda option=option: PAIR[0].getsockopt(socket.SOL_SOCKET, option, 8))
    told(lambda: os.close(os.pidfd_open(os.getpid())))
    if not (child := os.fork()):
        os._exit(0)
    os.waitpid(child, 0)
    told(lambda: os.open("/proc/self/autogroup", os.O_WRONLY))


def inside(folder: str) -> dict[str, object]:
    """The entries of a folder and below, as stat shows them, but for what changes with the time of its reading."""
    found: dict[str, object] = {}
    for path, folders, files in os.walk(folder):
        for name in sorted(folders + files)[:ENTRIES]:
            entry = os.path.join(path, name)
            stats = told(lambda entry=entry: os.lstat(entry))
            found[entry] = (
                stats if isinstance(stats, str) else [stats.st_ino, stats.st_mode, stats.st_uid, stats.st_size]
            )
    return found


def socket_numbers() -> dict[str, object]:
    near = PAIR[0]
    return {
        f"socket option {number}": told(lambda number=number: near.getsockopt(socket.SOL_SOCKET, number, 8).hex())
        for number in range(1, 100)
    }


for _ in range(MOVES):
    move()
seen: dict[str, object] = {
    "environment": sorted(name for name in os.environ if not name.startswith("hanafuda-arena-cage")),
    "ids": [os.getpid(), os.getppid(), os.getuid(), os.getgid(), os.getsid(0), os.getgroups()],
    "limits": [told(lambda number=number: resource.getrlimit(number)) for number in range(16)],
    "uname": list(os.uname()),
    "proc": told(lambda: os.listdir("/proc")),
    "sys": told(lambda: os.listdir("/sys")),
    "root": {path: [entry, os.lstat(f"/{path}").st_mode] for path in [""] for entry in os.listdir("/")},
    "processors": sorted(os.sched_getaffinity(0)),
    "priority": os.getpriority(os.PRIO_PROCESS, 0),
    "pidfd": told(lambda: os.fstat(os.pidfd_open(os.getpid())).st_ino),
    "eventfd": told(lambda: os.fstat(os.eventfd(0)).st_ino),
    "new file": told(lambda: os.fstat(os.open("/tmp/new", os.O_CREAT | os.O_RDWR)).st_ino),
    "second process": told(lambda: os.fork() or os._exit(0)),
    "resolution": [time.get_clock_info(clock).resolution for clock in ("monotonic", "perf_counter", "time")],
    **socket_numbers(),
    **{folder: inside(folder) for folder in ("/bot", "/dev", "/tmp", "/usr/bin", "/usr/lib/arena")},
}
sys.stderr.write("\n" + json.dumps(seen, sort_keys=True))
