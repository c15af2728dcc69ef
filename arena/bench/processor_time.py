"""What processes take of the processors."""

import os
from pathlib import Path

_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def children() -> list[int]:
    """The processes that this one has started."""
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def is_of_pages(pid: int) -> bool:
    """Whether a process serves pages."""
    return b"\0web\0" in Path(f"/proc/{pid}/cmdline").read_bytes()


def processor_s(pid: int) -> float:
    """The processor time that a process has taken, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
