"""Leaves something for its twin where it was forked; looks for what the twin left, and for others' orders."""

import builtins
import os
import random
import re
import signal
import sys
from pathlib import Path

import numpy
from attempt import attempt, none, touched

import arena.sdk

EXE = "/proc/self/exe"
PIECE, PATTERN = 1 << 20, 1 << 10
"""Bytes: of memory that are read at once, and that a pattern matches at most."""


def mapped() -> list[str]:
    """Memory that it shares with others and can write to."""
    lines = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    return [" ".join(line) for line in lines if "w" in line[1] and line[1][3] == "s"]


def seen() -> object:
    return none([one for one in (builtins, sys, os, numpy, arena.sdk) if hasattr(one, "TWIN")])


def held(pattern: bytes) -> list[str]:
    """Where in its memory there is something. The pattern must not match itself."""
    found = []
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            if rights.startswith("rw"):
                start, end = (int(one, 16) for one in place.split("-"))
                for at in range(start, end, PIECE):
                    memory.seek(at)
                    if re.search(pattern, memory.read(min(PIECE + PATTERN, end - at))):
                        found.append(line)
    return found


assert held(b"own[-]argument"), "what it was started with itself is there"
attempt("shared memory", lambda: none(mapped()))
attempt("twin's words", seen)
attempt("others' orders", lambda: none(held(b"others[-]argument")))
attempt("parent", lambda: none(os.getppid()))
attempt("descriptors", lambda: none([number for number in range(3, 1024) if os.path.exists(f"/proc/self/fd/{number}")]))
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
