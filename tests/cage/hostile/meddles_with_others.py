"""Sees, signals and traces other processes."""

import os
import signal
import struct
import sys

from attempt import attempt, call, none

pid = int(sys.argv[1])


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


own = {os.getpid(), 1}  # the first process of its cage, if it is not that itself
attempt("others", lambda: none([other for other in range(1, 1_000) if other not in own and is_there(other)]))
attempt("list of all", lambda: os.listdir("/proc"))
attempt("kill", lambda: os.kill(pid, signal.SIGKILL))
attempt("kill all", lambda: os.kill(-1, signal.SIGKILL))
attempt("pidfd", lambda: os.pidfd_open(pid))
attempt("ptrace", lambda: call("ptrace", 16, pid, 0, 0))
attempt("trace me", lambda: call("ptrace", 0, 0, 0, 0))
attempt("read memory", lambda: call("process_vm_readv", pid, 0, 0, 0, 0, 0))
for nice in (-10, 0):
    attempt(f"renice to {nice}", lambda nice=nice: os.setpriority(os.PRIO_PROCESS, 0, nice))
attempt("schedule", lambda: os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0)))
attempt("schedule by parameters", lambda: os.sched_setparam(0, os.sched_param(0)))
attributes = struct.pack("=IIQiIQQQII", 56, 0, 0, 0, 0, 100_000, 0, 0, 0, 0)
attempt("short slices", lambda: call("syscall", {"x86_64": 314, "aarch64": 274}[os.uname().machine], 0, attributes, 0))
attempt("choose a processor", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
for barrier in (1, 2, 4):
    attempt(
        f"barrier {barrier}",
        lambda barrier=barrier: call("syscall", {"x86_64": 324, "aarch64": 283}[os.uname().machine], barrier, 0, 0),
    )


def child_of_a_session_of_its_own() -> None:
    """Which is no leader of a group, as whoever may begin a session must not be."""
    if not (child := os.fork()):
        try:
            os.setsid()
        except PermissionError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise PermissionError("setsid")


attempt("session", child_of_a_session_of_its_own)
attempt("before the disks", lambda: call("syscall", {"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, 0, 2 << 13))
attempt("a core alone", lambda: call("prctl", 62, 1, 0, 0, 0))
attempt("outlive", lambda: call("prctl", 1, 0, 0, 0, 0))
attempt("parent", lambda: none(os.getppid()))
if os.getpid() > 1:
    for part in ("mem", "environ", "fd/0", "root"):
        attempt(f"first process's {part}", lambda part=part: os.open(f"/proc/1/{part}", os.O_RDONLY))
    attempt("end the first process", lambda: os.kill(1, signal.SIGKILL) or none(not is_there(1)))
