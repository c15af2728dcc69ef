"""Takes numbers of inodes from the kernel."""

def take(count: int) -> None:
    """Take so many of those that the processor has on which this runs, as pipes and sockets do."""
