"""Fills its folder: one file, then many."""

import os
import sys

from attempt import attempt


def fill(path: str) -> int:
    with open(path, "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))


attempt("file", lambda: fill("/tmp/one"))
for number in range(10_000):
    try:
        fill(f"/tmp/{number}")
    except OSError as error:
        if error.errno == 28:
            break
total = sum(os.stat(f"/tmp/{name}").st_size for name in os.listdir("/tmp"))
print(f"holds {total} bytes", file=sys.stderr)
