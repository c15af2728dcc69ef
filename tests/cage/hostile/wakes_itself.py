"""Arranges by every means to be sent a SIGCONT when it is stopped, and thinks whenever it runs."""

import ctypes
import fcntl
import os
import signal
import threading
import time

from attempt import attempt, call, tell

from arena.sdk import Bot, run

_CLOCK_MONOTONIC = 1
_CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
_PIDFD_SEND_SIGNAL = 424
_PERIOD_NS = 10_000_000


class SignalEvent(ctypes.Structure):
    """struct sigevent, of which SIGEV_SIGNAL is 0."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("", ctypes.c_byte * 48),
    )


def think() -> None:
    while True:
        pass


def timer() -> None:
    made = ctypes.c_void_p()
    call("timer_create", _CLOCK_MONOTONIC, ctypes.byref(SignalEvent(signal=signal.SIGCONT)), ctypes.byref(made))
    call("timer_settime", made, 0, (ctypes.c_long * 4)(0, _PERIOD_NS, 0, _PERIOD_NS), None)


def helper() -> None:
    os.kill(0, signal.SIGCONT)
    if not os.fork():
        while True:
            os.kill(-1, signal.SIGCONT)


# What a child does a while later finds its parent stopped: in the time between its start and its first decision.
_WHILE_S = 0.5


def child_that_ends() -> None:
    if not call("syscall", _CLONE, int(signal.SIGCONT), 0, 0, 0, 0):
        time.sleep(_WHILE_S)
        os._exit(0)


def pipe() -> None:
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGCONT)


def group_that_loses_its_last_parent_outside() -> None:
    told, tell_parent = os.pipe()
    if not os.fork():
        member = os.fork()
        if not member:
            think()
        try:
            os.setpgid(member, member)
        except OSError as error:
            os.kill(member, signal.SIGKILL)
            os.write(tell_parent, bytes([error.errno]))
            os._exit(1)
        os.write(tell_parent, bytes(1))
        time.sleep(_WHILE_S)
        os._exit(0)
    if number := os.read(told, 1)[0]:
        raise OSError(number, os.strerror(number))


signal.signal(signal.SIGCONT, lambda *_: None)  # an ignored signal would disarm the timer
attempt("timer", timer)
attempt("helper", helper)
attempt("pidfd", lambda: call("syscall", _PIDFD_SEND_SIGNAL, os.pidfd_open(os.getpid()), int(signal.SIGCONT), None, 0))
attempt("thread", lambda: signal.pthread_kill(threading.get_ident(), signal.SIGCONT))
attempt("child that ends", child_that_ends)
attempt("pipe", pipe)
attempt("group", group_that_loses_its_last_parent_outside)
tell()
threading.Thread(target=think, daemon=True).start()


class Wakes(Bot):
    def choose(self, decision):
        return decision.legal[0]


run(Wakes())
