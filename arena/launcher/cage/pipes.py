"""Pipes of an event loop."""

import asyncio
import os
from contextlib import ExitStack

_CHUNK = 4_096


def pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe: the ends to read from and to write to, which `reader` and `writer` close."""
    read, write = os.pipe()
    reader.callback(os.close, read)
    writer.callback(os.close, write)
    return read, write


async def read_some(descriptor: int) -> bytes:
    """What is in a pipe as soon as there is something; nothing at its end."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK)


async def read_all(descriptor: int) -> bytes:
    """What is written to a pipe until its other end is closed."""
    received = bytearray()
    while chunk := await read_some(descriptor):
        received += chunk
    return bytes(received)
