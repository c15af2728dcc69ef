"""Pipes of an event loop."""

import asyncio
import os
import socket
from contextlib import ExitStack

_CHUNK = 4_096


def pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe: the ends to read from and to write to, which `reader` and `writer` close."""
    read, write = os.pipe()
    reader.callback(os.close, read)
    writer.callback(os.close, write)
    return read, write


def channel(near: ExitStack, far: ExitStack) -> tuple[socket.socket, socket.socket]:
    """A pair of connected sockets, which keep messages apart, and which `near` and `far` close."""
    sender, receiver = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    return near.enter_context(sender), far.enter_context(receiver)


async def read_some(descriptor: int) -> bytes:
    """What is in a pipe as soon as there is something; nothing at its end."""
    await _readable(descriptor)
    return os.read(descriptor, _CHUNK)


async def receive(connection: socket.socket) -> tuple[bytes, int | None]:
    """What comes next through a socket, and the descriptor that comes with it; nothing at the end."""
    await _readable(connection.fileno())
    received, descriptors, _, _ = socket.recv_fds(connection, _CHUNK, 1)
    return received, descriptors[0] if descriptors else None


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


async def read_all(descriptor: int) -> bytes:
    """What is written to a pipe until its other end is closed."""
    received = bytearray()
    while chunk := await read_some(descriptor):
        received += chunk
    return bytes(received)
