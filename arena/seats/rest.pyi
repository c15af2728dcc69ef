"""Whether a program waits for what it is to read."""

from typing import final

@final
class Rest:
    """Looks whether a program is blocked in a read of its standard input, and so cannot run until it is written to.

    That holds only for a program that has one thread and no other way to be woken. Where the kernel does not say
    (proc_pid_syscall(5)), such a program never rests. Raises OSError where it may not be looked at.
    """

    def __init__(self, pid: int) -> None: ...
    def close(self) -> None:
        """Look no more."""
