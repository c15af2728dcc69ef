"""Announces a message of two gigabytes."""

import os
import time

os.write(1, b"\xff\xff\xff\xff\x07" + bytes(1000))
time.sleep(1_000)
