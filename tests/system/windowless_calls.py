"""Calls as bytes of HTTP/2, by callers that leave no room for an answer."""

import struct

_SETTINGS, _HEADERS, _DATA = 4, 1, 0
_END_HEADERS, _END_STREAM = 4, 1


def message(payload: bytes) -> bytes:
    """A message of gRPC."""
    return b"\0" + struct.pack(">I", len(payload)) + payload


def call_without_a_window(method: bytes, *messages: bytes, more: tuple[tuple[bytes, bytes], ...] = ()) -> bytes:
    """A connection's bytes: a call with messages and `more` headers, to whose answer the caller leaves no room."""
    headers = (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", method),
        (b":authority", b"x"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
        *more,
    )
    initial_window = struct.pack(">HI", 4, 0)
    return b"".join(
        (
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            _frame(_SETTINGS, 0, 0, initial_window),
            _frame(_HEADERS, _END_HEADERS, 1, b"".join(_field(*header) for header in headers)),
            _frame(_DATA, _END_STREAM, 1, b"".join(map(message, messages))),
        )
    )


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def _field(name: bytes, value: bytes) -> bytes:
    """A header in HPACK's plainest form."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value
