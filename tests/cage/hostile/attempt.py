"""For hostile bots: tries things, and tells on standard error what it got, and in the end how much was refused."""

import atexit
import ctypes
import os
import sys
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
tried = 0
refused = []


def attempt(name: str, what: Callable[[], object]) -> None:
    """`GOT name: ...` when it succeeded."""
    global tried
    tried += 1
    try:
        got = what()
    except (OSError, LookupError, ValueError, MemoryError, RuntimeError) as error:
        refused.append(f"{name}: {type(error).__name__}: {error}")
    else:
        print(f"GOT {name}: {got!r}", file=sys.stderr)


def call(name: str, *arguments: object) -> int:
    """A function of the C library; OSError when it fails."""
    result = int(getattr(libc, name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def none(found: object) -> object:
    """What was found; LookupError when it is nothing."""
    if not found:
        raise LookupError("nothing")
    return found


def touched(path: str) -> object:
    """A file whose time was set; LookupError when it is as it was."""
    before = os.stat(path).st_mtime_ns
    os.utime(path)
    return none(os.stat(path).st_mtime_ns != before)


def tell() -> None:
    print(f"refused {len(refused)} of {tried}", file=sys.stderr, flush=True)


atexit.register(tell)
