"""Leaves something for its twin: files, what is kept of them, shared memory, a queue, a lock; looks for the twin's."""

import fcntl
import os
import socket
import struct

from attempt import attempt, call, touched

F_SET_RW_HINT, RWH_WRITE_LIFE_LONG = 1036, 4
EXT4_IOC_PRECACHE_EXTENTS, EXT4_IOC_GETSTATE = 0x6612, 0x40046629

attempt("shared memory", lambda: call("shmget", 4711, 4096, 0o1666))
attempt("semaphore", lambda: call("semget", 4711, 1, 0o1666))
attempt("messages", lambda: call("msgget", 4711, 0o1666))
attempt("queue", lambda: call("mq_open", b"/twin", 0o102, 0o666, 0))
attempt("memory file", lambda: os.memfd_create("twin"))
attempt("/dev/shm", lambda: os.listdir("/dev/shm"))
attempt("twin's file", lambda: open("/tmp/twin").read())
attempt("lock", lambda: fcntl.flock(os.open("/bot", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB) or "locked")
attempt("record lock", lambda: fcntl.lockf(os.open("/bot", os.O_RDONLY), fcntl.LOCK_SH) or "locked")
attempt("watcher", lambda: call("inotify_init1", 0))
attempt("watch", lambda: call("inotify_add_watch", call("inotify_init1", 0), b"/bot", 0x20))
for path in ("/dev/null", "/dev/random", "/dev/urandom"):
    attempt(f"time of {path}", lambda path=path: touched(path))
open("/tmp/own", "w").close()
for own in ("/tmp/own", os.open("/tmp/own", os.O_RDONLY)):
    attempt("attribute", lambda own=own: os.setxattr(own, "user.twin", bytes(1 << 15)))
attempt("attribute of a link", lambda: os.setxattr("/tmp/own", "user.twin", bytes(1 << 15), follow_symlinks=False))
hint = struct.pack("=Q", RWH_WRITE_LIFE_LONG)
for path in ("/bot/attempt.py", "/tmp/own"):
    file = os.open(path, os.O_RDONLY | os.O_CREAT)
    attempt(f"hint for {path}", lambda file=file: fcntl.fcntl(file, F_SET_RW_HINT, hint))
    for request in (EXT4_IOC_PRECACHE_EXTENTS, EXT4_IOC_GETSTATE):
        attempt(f"ioctl {request:#x}", lambda file=file, n=request: fcntl.ioctl(file, n, bytes(4)))
attempt("twin's socket", lambda: socket.socket(socket.AF_UNIX).connect("\0twin"))
with open("/tmp/twin", "w") as file:
    file.write("left")
attempt("socket", lambda: socket.socket(socket.AF_UNIX).bind("\0twin"))
