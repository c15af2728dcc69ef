"""What a bot writes in a match, for its owner: its beginning and its end, with times."""

import time

PART_BYTES = 8 << 10
"""How much is kept of the beginning, and of the end."""
_MAX_PARTS = 64
"""Beyond so many parts of either, more is added to the last: who writes byte by byte takes no more than others."""


class MatchOutput:
    """Takes what a bot writes, as a file does, and keeps a bounded part of it."""

    def __init__(self) -> None:
        self._begun: list[tuple[int, bytes]] = []
        self._room = PART_BYTES
        self._ended: list[tuple[int, bytes]] = []
        self._tail_bytes = 0
        self.left_out = 0

    def write(self, written: bytes) -> int:
        """Take what was written just now; return how much that is."""
        now = time.time_ns() // 1000
        head = written[: self._room]
        if head:
            _add(self._begun, now, head)
            self._room -= len(head)
        tail = written[len(head) :]
        if tail:
            _add(self._ended, now, tail[-PART_BYTES:])
            self._tail_bytes += len(tail)
            self._shorten(self._tail_bytes - PART_BYTES)
        return len(written)

    def _shorten(self, bytes_: int) -> None:
        """Drop so many bytes of the end, from its beginning."""
        if bytes_ <= 0:
            return
        self.left_out += bytes_
        self._tail_bytes -= bytes_
        bytes_ = sum(len(text) for _, text in self._ended) - PART_BYTES
        while bytes_ > 0:
            offset, text = self._ended.pop(0)
            if len(text) > bytes_:
                self._ended.insert(0, (offset, text[bytes_:]))
            bytes_ -= len(text)

    def parts(self) -> list[tuple[int, bytes]]:
        """Return what is kept, in order, each part with its time in microseconds."""
        return [*self._begun, *self._ended]


def _add(parts: list[tuple[int, bytes]], offset: int, text: bytes) -> None:
    if len(parts) >= _MAX_PARTS:
        first, last = parts[-1]
        parts[-1] = first, last + text
    else:
        parts.append((offset, text))
