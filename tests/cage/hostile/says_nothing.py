"""Starts and says nothing."""

import signal

signal.pause()
