"""Writes what is no message."""

import os
import time

os.write(1, b"\x05hello")
time.sleep(1_000)
