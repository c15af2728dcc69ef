"""Starts and says nothing."""

import time

time.sleep(1_000)
