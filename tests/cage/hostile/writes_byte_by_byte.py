"""Keeps the node busy: writes to its standard output (1) or error (2) byte by byte, each when the last one is read."""

import array
import fcntl
import os
import sys
import termios
import time

from attempt import attempt, none

SECONDS = 1.0
LOOKS_A_SECOND = 300
left = array.array("i", [0])


def write_byte(descriptor: int) -> None:
    os.write(descriptor, b"\0")
    fcntl.ioctl(descriptor, termios.FIONREAD, left)
    while left[0]:
        fcntl.ioctl(descriptor, termios.FIONREAD, left)


def looks() -> int:
    count, until = 0, time.monotonic() + SECONDS
    while time.monotonic() < until:
        write_byte(2)
        count += 1
    return count


if sys.argv[1] == "1":
    os.write(1, b"\xe8\xfb\x03")  # the length of a message that is almost as long as allowed
    while True:
        write_byte(1)
attempt("a look at each byte", lambda: none(looks() > LOOKS_A_SECOND * SECONDS))
