"""Forks without end, as soon as it is sent a line."""

import os
import sys
import time

sys.stdin.readline()
children = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(1_000)
        children += 1
except OSError as error:
    print(f"refused after {children} forks: {error}", file=sys.stderr)
