"""Becomes the embedded server, which then ends with the thread that started it. A program, never imported.

It is started in place of the server so that the binding needs no code between fork and exec, which is not safe
in a process with threads. Arguments: process id of the starter, binary, the binary's arguments.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Bind to the parent's life, then exec."""
    parent, binary = int(sys.argv[1]), sys.argv[2]
    if sys.platform == "linux":
        # SIGKILL reaches a server that is stopped or busy too; its append-only file is made for it.
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
            sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")
        if os.getppid() != parent:
            sys.exit("the arena ended before its server began")
    os.execv(binary, sys.argv[2:])  # noqa: S606 - the arena names the binary


if __name__ == "__main__":
    main()
