"""Announces a message of two gigabytes."""

import os
import signal

os.write(1, b"\xff\xff\xff\xff\x07" + bytes(1000))
signal.pause()
