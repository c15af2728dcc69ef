"""Leaves something for its twin where it was forked; looks for what the twin left, and for others' orders."""

import builtins
import ctypes
import os
import random
import re
import signal
import sys

import numpy
from attempt import attempt, libc, none, touched

import arena.sdk

EXE = "/usr/bin/python"
PAGE = os.sysconf("SC_PAGESIZE")
GAP = 4_096
"""Pages without memory after which a search goes no further."""


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def seen() -> object:
    return none([one for one in (builtins, sys, os, numpy, arena.sdk) if hasattr(one, "TWIN")])


def held(pattern: bytes) -> list[int]:
    """Pages of its memory with something as the pattern, which must not match itself.

    It searches around all that it knows the place of, its list of mappings being hidden.
    """
    out, back = open("/tmp/page", "wb", buffering=0), open("/tmp/page", "rb", buffering=0)
    stack = ctypes.c_void_p.in_dll(libc, "environ").value
    library = ctypes.cast(libc.write, ctypes.c_void_p).value
    seen: set[int] = set()
    found = []
    for anchor in (id(sys), id(attempt), id(arena.sdk), library, stack):
        for step in (PAGE, -PAGE):
            page, missed, last = anchor // PAGE * PAGE, 0, b""
            while missed < GAP and page > 0:
                if page in seen:
                    break
                if libc.pwrite(out.fileno(), ctypes.c_void_p(page), PAGE, 0) == PAGE:
                    seen.add(page)
                    content = os.pread(back.fileno(), PAGE, 0)
                    if re.search(pattern, last + content if step > 0 else content + last):
                        found.append(page)
                    last, missed = content, 0
                else:
                    last, missed = b"", missed + 1
                page += step
            seen.discard(anchor // PAGE * PAGE)  # so that the other direction begins
    return found


assert held(b"own[-]argument"), "what it was started with itself is there"
attempt("twin's words", seen)
attempt("others' orders", lambda: none(held(b"others[-]argument")))
attempt("parent", lambda: none(os.getppid()))
attempt("descriptors", lambda: none([os.fstat(number) for number in range(3, 1_024) if is_open(number)]))
attempt("write its interpreter", lambda: os.open(EXE, os.O_WRONLY))
attempt("change its interpreter", lambda: os.chmod(EXE, 0o777))
attempt("date its interpreter", lambda: touched(EXE))
attempt("mark its interpreter", lambda: os.setxattr(EXE, "user.twin", b"left"))
attempt("way out of its interpreter", lambda: os.listdir(f"{EXE}/.."))
attempt("group", lambda: none(os.getgroups()))
attempt("signals", lambda: none(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
attempt("session", lambda: none(os.getsid(0) != os.getpid()))
for one in (builtins, sys, os, numpy, arena.sdk):
    one.TWIN = "left"
print(f"drew {random.random()} {numpy.random.random()} {random.Random().random()}", file=sys.stderr)
