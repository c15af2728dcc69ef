"""Leaves something for its twin: files, shared memory, System V IPC, a queue, a lock; looks for what the twin left."""

import fcntl
import os
import socket

from attempt import attempt, call

attempt("shared memory", lambda: call("shmget", 4711, 4096, 0o1666))
attempt("semaphore", lambda: call("semget", 4711, 1, 0o1666))
attempt("messages", lambda: call("msgget", 4711, 0o1666))
attempt("queue", lambda: call("mq_open", b"/twin", 0o102, 0o666, 0))
attempt("memory file", lambda: os.memfd_create("twin"))
attempt("/dev/shm", lambda: os.listdir("/dev/shm"))
attempt("twin's file", lambda: open("/tmp/twin").read())
attempt("lock", lambda: fcntl.flock(os.open("/bot", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB) or "locked")
attempt("record lock", lambda: fcntl.lockf(os.open("/bot", os.O_RDONLY), fcntl.LOCK_SH) or "locked")
attempt("watch", lambda: call("inotify_add_watch", call("inotify_init1", 0), b"/bot", 0x20))
twin = socket.socket(socket.AF_UNIX)
attempt("twin's socket", lambda: twin.connect("\0twin"))
with open("/tmp/twin", "w") as file:
    file.write("left")
socket.socket(socket.AF_UNIX).bind("\0twin")
