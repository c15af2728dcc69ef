"""Closes its standard output and goes on running."""

import os
import time

os.close(1)
time.sleep(1_000)
