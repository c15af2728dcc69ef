"""Sees, signals and traces other processes."""

import os
import signal
import sys

from attempt import attempt, call, none

pid = int(sys.argv[1])
own = {os.getpid(), 1}  # the first process of its cage, if it is not that itself
attempt("others", lambda: none([name for name in os.listdir("/proc") if name.isdecimal() and int(name) not in own]))
attempt("kill", lambda: os.kill(pid, signal.SIGKILL))
attempt("kill all", lambda: os.kill(-1, signal.SIGKILL))
attempt("pidfd", lambda: os.pidfd_open(pid))
attempt("ptrace", lambda: call("ptrace", 16, pid, 0, 0))
attempt("trace me", lambda: call("ptrace", 0, 0, 0, 0))
attempt("read memory", lambda: call("process_vm_readv", pid, 0, 0, 0, 0, 0))
attempt("renice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))
attempt("before the disks", lambda: call("syscall", {"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, 0, 2 << 13))
attempt("a core alone", lambda: call("prctl", 62, 1, 0, 0, 0))
attempt("outlive", lambda: call("prctl", 1, 0, 0, 0, 0))
attempt("parent", lambda: none(os.getppid()))
if os.getpid() > 1:
    for part in ("mem", "environ", "fd/0", "root"):
        attempt(f"first process's {part}", lambda part=part: os.open(f"/proc/1/{part}", os.O_RDONLY))
    attempt("end the first process", lambda: os.kill(1, signal.SIGKILL) or none(not os.path.exists("/proc/1")))
