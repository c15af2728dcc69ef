"""Changes the pipes that it shares with its node, and moves what is in them without reading it."""

import fcntl
import os

from attempt import attempt, call

SIZES = 4096, 1 << 20
SPLICE, TEE = {"x86_64": (275, 276), "aarch64": (76, 77)}[os.uname().machine]
NONBLOCK = 2

own = os.open(__file__, os.O_RDONLY)
for pipe in range(3):
    for size in SIZES:
        attempt(f"size of {pipe}", lambda pipe=pipe, size=size: fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size))
    attempt(f"packets in {pipe}", lambda pipe=pipe: fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_DIRECT))
for pipe in (1, 2):
    attempt(f"pages to {pipe}", lambda pipe=pipe: call("syscall", SPLICE, own, None, pipe, None, 1, NONBLOCK))
    attempt(f"input to {pipe}", lambda pipe=pipe: call("syscall", TEE, 0, pipe, 1, NONBLOCK))
