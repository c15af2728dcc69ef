"""Uses the processor without end."""

while True:
    pass
