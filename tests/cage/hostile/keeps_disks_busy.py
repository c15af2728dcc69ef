"""Has the kernel write out everybody's files and wait for disks: a call that gets there finds no such file open."""

import os

from attempt import attempt, call


def reached(name: str, *arguments: int) -> str:
    try:
        call(name, *arguments)
    except OSError as error:
        return f"the kernel, which said {error}"
    raise LookupError("nothing was done")


os.sync()
for name in ("syncfs", "fsync", "fdatasync"):
    attempt(name, lambda name=name: reached(name, -1))
attempt("sync_file_range", lambda: reached("sync_file_range", -1, 0, 0, 0))
attempt("msync", lambda: reached("msync", 1, 1, 4))
