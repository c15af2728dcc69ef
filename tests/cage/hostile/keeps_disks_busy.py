"""Has the kernel write out and drop everybody's files and wait for disks: a call that gets there finds no such file."""

import fcntl
import os
import struct

from attempt import attempt, call

FADVISE, DONTNEED = {"x86_64": 221, "aarch64": 223}[os.uname().machine], 4
OPENAT2, AT_FDCWD, RWF_DONTCACHE = 437, -100, 0x80


def reached(name: str, *arguments: int) -> str:
    try:
        call(name, *arguments)
    except OSError as error:
        return f"the kernel, which said {error}"
    raise LookupError("nothing was done")


os.sync()
for name in ("syncfs", "fsync", "fdatasync"):
    attempt(name, lambda name=name: reached(name, -1))
attempt("fadvise", lambda: reached("syscall", FADVISE, -1, 0, 0, DONTNEED))
attempt("sync_file_range", lambda: reached("sync_file_range", -1, 0, 0, 0))
attempt("msync", lambda: reached("msync", 1, 1, 4))
attempt("readahead", lambda: reached("readahead", -1, 0, 0))
# What is read past the cache of files is read from the disk each time.
runtime = os.open(os.__file__, os.O_RDONLY)
direct = struct.pack("=3Q", os.O_DIRECT, 0, 0)
attempt("direct", lambda: os.open(os.__file__, os.O_RDONLY | os.O_DIRECT))
attempt("direct by openat2", lambda: call("syscall", OPENAT2, AT_FDCWD, os.__file__.encode(), direct, len(direct)))
attempt("not kept", lambda: os.preadv(runtime, [bytearray(1)], 0, RWF_DONTCACHE))
attempt("direct from now on", lambda: fcntl.fcntl(runtime, fcntl.F_SETFL, os.O_DIRECT))
