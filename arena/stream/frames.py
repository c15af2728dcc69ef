"""Messages on a pipe: each after its length as a protobuf varint."""

_MORE = 0x80
_LONGEST_LENGTH = 5
"""Bytes of a length that any message of 32 bits of size has."""


class FrameError(Exception):
    """What came is no message after its length."""


class MessageTooLongError(FrameError):
    """A message is announced that is longer than allowed."""


class FloodError(FrameError):
    """Too many messages came that answered nothing."""


class Frames:
    """Cuts what comes from a pipe, in pieces of any size, into messages of at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._left = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The messages that are complete with this. Raises FrameError; what came before the fault is lost too."""
        data = self._left + chunk if self._left else chunk
        size = len(data)
        messages = []
        at = 0
        while at < size:
            length = data[at]
            begin = at + 1
            if length >= _MORE:
                read = self._long(data, at)
                if read is None:
                    break
                length, begin = read
            if length > self._limit:
                raise MessageTooLongError(f"a message of {length} bytes; at most {self._limit} are allowed")
            end = begin + length
            if end > size:
                break
            messages.append(data[begin:end])
            at = end
        self._left = data[at:]
        return messages

    @staticmethod
    def _long(data: bytes, at: int) -> tuple[int, int] | None:
        """A length of several bytes and where it ends; None when more of it is to come."""
        length = 0
        for place, byte in enumerate(data[at : at + _LONGEST_LENGTH]):
            length |= (byte & 0x7F) << 7 * place
            if byte < _MORE:
                return length, at + place + 1
        if len(data) - at >= _LONGEST_LENGTH:
            raise FrameError("a length of more than five bytes")
        return None


def frame(message: bytes) -> bytes:
    """A message after its length."""
    left = len(message)
    if left < _MORE:
        return bytes((left,)) + message
    length = bytearray()
    while left >= _MORE:
        length.append(left & 0x7F | _MORE)
        left >>= 7
    length.append(left)
    return bytes(length) + message
