"""What a caged program may use."""

import resource
from typing import Self

from msgspec import Struct, structs

_SHARE_ASIDE = 0.01


class CageLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one cage, each for all of its processes together where the node has cgroups.

    Without cgroups a cage has one process, and `processors` is not limited.
    """

    memory_bytes: int = 512 << 20
    processes: int = 64
    """Processes and threads."""
    processors: float = 1.0
    """How many processors its threads may use at once."""
    share: float = 1.0
    """How much it gets of a processor that others want too, where any other cage gets 1."""
    processor_s: int = 3_600
    """Processor time of a process, from its start to its end."""
    open_files: int = 64
    counted_calls: int = 16
    """Calls that make a pipe or a pair of sockets, from its start to its end."""
    file_bytes: int = 16 << 20
    folder_bytes: int = 16 << 20
    """Of its writable folder; counts as memory."""
    fuel: int = 10_000_000_000
    """Instructions that a program of the runtime `wasm` may execute before its first message, and for each one."""
    output_bytes: int = 1 << 20
    """What it may write to its standard error."""
    message_bytes: int = 64 << 10
    """Of one message on its standard output."""
    start_s: float = 10.0
    """From its start to its Hello."""

    @classmethod
    def with_fuel(cls, fuel: int | None) -> Self:
        """The limits with an operator's fuel, where one is set."""
        return cls() if fuel is None else cls(fuel=fuel)

    def aside(self) -> Self:
        """The same for what must not delay others: it gets what they leave of the processors."""
        return structs.replace(self, share=_SHARE_ASIDE)

    def rlimits(self, *, memory: bool) -> dict[int, int]:
        """The limits that the kernel keeps for each process, by RLIMIT number; `memory` adds the one on memory."""
        return {
            **({resource.RLIMIT_DATA: self.memory_bytes} if memory else {}),
            resource.RLIMIT_NPROC: self.processes,
            resource.RLIMIT_CPU: self.processor_s,
            resource.RLIMIT_NOFILE: self.open_files,
            resource.RLIMIT_FSIZE: self.file_bytes,
            resource.RLIMIT_CORE: 1,  # with 0 the kernel still dumps to a program, as many machines have it: core(5)
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_SIGPENDING: 64,
        }
