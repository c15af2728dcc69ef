"""Whether a program waits for what it is to read."""

from typing import final

@final
class Rest:
    """Looks whether a program sleeps until there is something in a pipe, and so cannot run until it is written to.

    That holds only for a program that has one thread, no other way to be woken, and no pipe from anybody but the node.
    In which system call it is does not tell: in a read it may also sleep for a page of its memory that has to come from
    a disk, and go on by itself. Where the kernel does not say where it sleeps (proc_pid_wchan(5)), it never rests.
    """

    def __init__(self, pid: int) -> None: ...
    def close(self) -> None:
        """Look no more."""
