"""Forks without end, as soon as it is sent a line."""

import os
import signal
import sys

sys.stdin.readline()
children = 0
try:
    while True:
        if os.fork() == 0:
            signal.pause()
        children += 1
except OSError as error:
    print(f"refused after {children} forks: {error}", file=sys.stderr)
