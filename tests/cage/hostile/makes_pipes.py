"""Makes as many pipes and pairs of sockets as it can, in every way, and tells how many it got.

One line on standard error: a JSON object of how many were `made`, what became of children that called by the numbers of
other machines, and the descriptors that answer as those do by which the kernel asks about calls.
"""

import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time

EACH = 40
THREADS, PROCESSES = 6, 3
X32_SOCKETPAIR = 0x40000000 | 53
IS_VALID = 0x40082102
"""SECCOMP_IOCTL_NOTIF_ID_VALID."""
COMPAT_PIPE = bytes.fromhex("b82a00000031dbcd80c3")
"""mov eax, 42; xor ebx, ebx; int 0x80; ret: pipe by the numbers of i386."""
made = os.open("/tmp/made", os.O_CREAT | os.O_RDWR | os.O_APPEND)
libc = ctypes.CDLL(None, use_errno=True)


def pipe() -> None:
    for end in os.pipe():
        os.close(end)


def pipe_nowhere() -> None:
    """It takes a number too, before the kernel finds that it can give the descriptors to nobody."""
    libc.pipe(8)
    if ctypes.get_errno() != 14:
        raise OSError


def pair() -> None:
    for end in socket.socketpair():
        end.close()


def old_pipe() -> None:
    ends = (ctypes.c_int * 2)()
    if libc.syscall(22, ends):
        raise OSError
    for end in ends:
        os.close(end)


def work() -> None:
    for turn in range(EACH):
        try:
            (pipe, pair, pipe_nowhere, old_pipe)[turn % 4]()
        except OSError:
            continue
        os.write(made, b".")


def ended_by(what: object) -> int:
    """The signal that ends a child which does this, or 0."""
    if not (child := os.fork()):
        what()
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def compat() -> None:
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(COMPAT_PIPE)
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def listeners() -> list[int]:
    found = []
    for descriptor in range(64):
        try:
            fcntl.ioctl(descriptor, IS_VALID, bytes(8))
        except OSError as error:
            if error.errno == 2:  # of no question
                found.append(descriptor)
    return found


signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
children = []
for _ in range(PROCESSES):
    if not (child := os.fork()):
        break
    children.append(child)
else:
    child = -1
threads = [threading.Thread(target=work) for _ in range(THREADS)]
for thread in threads:
    thread.start()
work()
for thread in threads:
    thread.join()
if not child:
    os._exit(0)
for child in children:
    os.waitpid(child, 0)
signal.setitimer(signal.ITIMER_REAL, 0)
told = {
    "made": os.fstat(made).st_size,
    "x32": ended_by(lambda: libc.syscall(X32_SOCKETPAIR, 1, 1, 0, (ctypes.c_int * 2)())),
    "i386": ended_by(compat),
    "listeners": listeners(),
}
time.sleep(0.05)  # as one would who hopes that calls are counted by time
work()
told["later"] = os.fstat(made).st_size
sys.stderr.write(json.dumps(told))
