"""Whether a program waits for what it is to read."""

from typing import final

@final
class Rest:
    """Looks whether a program is blocked in a read of its standard input, and so cannot run until it is written to.

    That holds only for a program that has one thread and no other way to be woken. Where the kernel does not say in
    which call it is (proc_pid_syscall(5)), it never rests.
    """

    def __init__(self, pid: int) -> None: ...
    def close(self) -> None:
        """Look no more."""
