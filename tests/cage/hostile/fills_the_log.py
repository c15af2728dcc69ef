"""Writes to its standard error without end."""

import os

while True:
    os.write(2, b"log" * 1000)
