"""Single-threaded: wants a thread, another process, a signal, or another file as its standard input, to run unasked."""

import _thread
import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys

from attempt import attempt, call, none

FIOCLEX, FIOASYNC, FIOSETOWN, SIOCSPGRP = 0x5451, 0x5452, 0x8901, 0x8902
CLOSE_RANGE_CLOEXEC = 4
F_SETOWN_EX = 15
ARM = os.uname().machine == "aarch64"
program = [sys.executable, "-c", ""]


def set_alarm() -> object:
    """The C library's function tells of no error."""
    signal.alarm(100)
    return none(signal.getitimer(signal.ITIMER_REAL)[0])


def make_timer() -> int:
    return call("timer_create", 1, None, ctypes.byref(ctypes.c_void_p()))


attempt("thread", lambda: _thread.start_new_thread(print, ()))
attempt("fork", os.fork)
attempt("vfork", lambda: call("vfork"))
attempt("clone", lambda: call("syscall", 220 if ARM else 56, signal.SIGCHLD, 0, 0, 0, 0))
attempt("clone3", lambda: call("syscall", 435, struct.pack("=11Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0), 88))
attempt("program", lambda: subprocess.run(program, check=False))
attempt("spawned program", lambda: os.posix_spawn(sys.executable, program, {}))

for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    attempt(f"interval timer {timer}", lambda timer=timer: signal.setitimer(timer, 1))
attempt("alarm", set_alarm)
attempt("timer", make_timer)

near, far = socket.socketpair()
for file in (near, sys.stdin):
    attempt("owner", lambda file=file: fcntl.fcntl(file, fcntl.F_SETOWN, os.getpid()))
    attempt("owner's thread", lambda file=file: fcntl.fcntl(file, F_SETOWN_EX, struct.pack("=2i", 0, os.getpid())))
    attempt("signal", lambda file=file: fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGUSR1))
    attempt("signals", lambda file=file: fcntl.fcntl(file, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK))
    for number in (FIOASYNC, FIOSETOWN, SIOCSPGRP):
        attempt(f"ioctl {number:#x}", lambda file=file, n=number: fcntl.ioctl(file, n, struct.pack("=i", os.getpid())))
attempt("lease", lambda: fcntl.fcntl(os.open(__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK))
attempt("watched folder", lambda: fcntl.fcntl(os.open("/bot", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS))
attempt("message queue", lambda: call("mq_open", b"/queue", os.O_CREAT | os.O_RDWR, 0o600, None))

attempt("pipe", os.pipe)
attempt("pipe by the C library", lambda: call("pipe", ctypes.byref(ctypes.c_uint64())))
attempt("named pipe", lambda: os.mkfifo("/tmp/pipe"))
# The kernel closes later what is in flight to nobody, and what asynchronous I/O has used.
attempt("descriptor in flight", lambda: socket.send_fds(near, [b"!"], [1]))
attempt("asynchronous I/O", lambda: call("syscall", 0 if ARM else 206, 1, ctypes.byref(ctypes.c_uint64())))
timer = call("timerfd_create", 1, 0)
for file in (timer, os.eventfd(1), near.fileno()):
    attempt("dup2", lambda file=file: os.dup2(file, 0))
    attempt("dup3", lambda file=file: os.dup2(file, 0, inheritable=False))
attempt("close", lambda: os.close(0))
attempt("close_range", lambda: call("close_range", 0, 0, 0))
# What is closed by execve leaves its number to the next file.
attempt("closing at an exec", lambda: fcntl.fcntl(0, fcntl.F_SETFD, fcntl.FD_CLOEXEC))
attempt("closing at an exec by ioctl", lambda: fcntl.ioctl(0, FIOCLEX))
attempt("closing all at an exec", lambda: call("close_range", 0, 0, CLOSE_RANGE_CLOEXEC))
