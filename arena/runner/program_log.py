"""What a bot's program writes: in a file of bounded size, and the one before it beside it."""

from pathlib import Path

LIMIT = 8 << 20
"""Bytes after which a new file is begun."""
_TAIL_BYTES = 2_000


class ProgramLog:
    """Appends to `file`; when that has grown too large it becomes `file.1`, in place of what that was before.

    A disk that takes nothing costs the log, not the match.
    """

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        self.file = file
        self.tail = b""
        """The last bytes that were written since `begin`."""
        self._limit = limit

    def begin(self) -> None:
        """A program starts. Raises OSError where there can be no such file."""
        self.tail = b""
        self.file.open("ab").close()

    def write(self, data: bytes) -> bool:
        """Append what the program wrote; False where that cannot be kept."""
        self.tail = (self.tail + data)[-_TAIL_BYTES:]
        try:
            if self.file.exists() and self.file.stat().st_size + len(data) > self._limit:
                self.file.replace(self.file.with_name(f"{self.file.name}.1"))
            with self.file.open("ab") as out:
                out.write(data)
        except OSError:
            return False
        return True
