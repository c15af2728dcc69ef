"""Has the kernel write out and drop everybody's files and wait for disks: a call that gets there finds no such file."""

import os

from attempt import attempt, call

FADVISE, DONTNEED = {"x86_64": 221, "aarch64": 223}[os.uname().machine], 4


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
