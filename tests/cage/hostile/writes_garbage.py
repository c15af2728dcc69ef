"""Writes what is no message."""

import os
import signal

os.write(1, b"\x05hello")
signal.pause()
