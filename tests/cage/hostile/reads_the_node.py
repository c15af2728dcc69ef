"""Reads the store's socket, the data folder, and the node's memory, environment and descriptors."""

import os
import socket
import sys

from attempt import attempt, none


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


data, pid = sys.argv[1:]


def connect() -> str:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(f"{data}/store.sock")
    return "connected"


attempt("store", connect)
attempt("data", lambda: os.listdir(data))
attempt("secret", lambda: open(f"{data}/secret").read())
for part in ("mem", "environ", "fd", "maps", "root", "cwd"):
    attempt(part, lambda part=part: os.stat(f"/proc/{pid}/{part}"))
attempt("variables", lambda: none([name for name in os.environ if "ARENA_TOKEN" in name or "SECRET" in name]))
attempt("descriptors", lambda: none([number for number in range(3, 1_024) if is_open(number)]))
for path in ("/etc/passwd", "/root", "/home", "/var", "/sys", "/run", "/proc/kcore", "/proc/1/root/etc"):
    attempt(path, lambda path=path: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1))
