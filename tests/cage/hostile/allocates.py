"""Allocates without end, and uses what it got."""

held = []
while True:
    held.append(bytearray(b"x") * (1 << 20))
