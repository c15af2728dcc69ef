"""The whole store at one moment: a server's snapshot as a replica would get it, and its keys copied into another store.

A server forks to write a snapshot, so it is of one moment, and nobody waits for it. A cluster has one for each master:
all keys of a league are on one of them, so each league is as it was at one moment too.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import RedisError

from arena.processes import bound_to_parent
from arena.store.client import Client
from arena.store.copying import copy_key
from arena.store.embedded import find_binary
from arena.store.errors import BackupError, StoreError
from arena.store.keys import SCHEMA_KEY

OURS = "hfa:*"
"""All keys of an arena: a server may hold others."""
RESTORING = b"restoring"
"""In place of the schema's number until all keys are there: no arena opens such a store."""

_CHUNK = 1 << 18
_EOF_MARK = 40
_SILENCE_S = 60.0
"""How long a server may say nothing while it makes its snapshot: it sends a sign of life each second."""
_KEYS_AT_ONCE = 500
_START_S = 600.0
_LOG = "load.log"


async def snapshots(client: Client) -> AsyncIterator[AsyncIterator[bytes]]:
    """The snapshot of each master, as chunks of a file of the server's own format (RDB). Raises BackupError."""
    for connection in _connections(client.redis):
        try:
            yield _snapshot(connection, client.address)
        finally:
            await connection.disconnect()


def _connections(redis: Any) -> list[Any]:
    """A connection of its own to each master."""
    if isinstance(redis, RedisCluster):
        return [node.connection_class(**node.connection_kwargs) for node in redis.get_primaries()]
    return [redis.connection_pool.make_connection()]


async def _snapshot(connection: Any, address: str) -> AsyncIterator[bytes]:
    try:
        await connection.connect()
        for setting in (("capa", "eof"), ("rdb-only", "1")):
            await connection.send_command("REPLCONF", *setting)
            await connection.read_response()
        await connection.send_command("SYNC")
        # What follows is no answer of the protocol, so it is read past the client's parser, which holds nothing now.
        async for chunk in _payload(connection._reader):
            yield chunk
    except (RedisError, OSError, EOFError) as error:
        reason = str(error) or type(error).__name__
        raise BackupError(f"the store at {address} gave no snapshot: {reason}") from error


async def _payload(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The bytes of a snapshot: so many as announced, or up to a mark that was announced."""
    header = b"\n"
    while header == b"\n":  # a sign of life
        header = await _in_time(reader.readline())
    if header.startswith(b"-"):
        raise EOFError(header[1:].decode("utf-8", "replace").strip())
    if not header.startswith(b"$"):
        raise EOFError("the connection ended")
    announced = header[1:].strip()
    if not announced.startswith(b"EOF:"):
        remaining = int(announced)
        while remaining:
            chunk = await _in_time(reader.read(min(remaining, _CHUNK)))
            if not chunk:
                raise EOFError("the connection ended in the middle")
            remaining -= len(chunk)
            yield chunk
        return
    mark, tail = announced.removeprefix(b"EOF:"), b""
    while not tail.endswith(mark):
        chunk = await _in_time(reader.read(_CHUNK))
        if not chunk:
            raise EOFError("the connection ended in the middle")
        tail += chunk
        yield tail[:-_EOF_MARK]
        tail = tail[-_EOF_MARK:]


async def _in_time(reading: Any) -> bytes:
    async with asyncio.timeout(_SILENCE_S):
        return bytes(await reading)


@asynccontextmanager
async def loaded(snapshot: Path, folder: Path, database: int) -> AsyncIterator[Client]:
    """A server of nobody else's that has loaded the snapshot, in a folder of its own. Raises BackupError."""
    binary = find_binary()
    settings = {
        "port": "0",
        "unixsocket": str(folder / "load.sock"),
        "unixsocketperm": "700",
        "dir": str(snapshot.parent),
        "dbfilename": snapshot.name,
        "appendonly": "no",
        "save": "",
        "databases": str(max(16, database + 1)),
    }
    with _running(binary, settings, folder) as process:
        client = await _connect(process, folder, binary, database)
        try:
            yield client
        finally:
            await client.close()


@contextmanager
def _running(binary: Path, settings: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [str(binary), *(part for name, value in settings.items() for part in (f"--{name}", value))]
    with (folder / _LOG).open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - find_binary chose the binary
            bound_to_parent(command, os.getpid()), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def _connect(process: subprocess.Popen[bytes], folder: Path, binary: Path, database: int) -> Client:
    """The server, when it has loaded everything."""
    ended: list[StoreError] = []

    def cause() -> StoreError | None:
        if process.poll() is not None and not ended:
            lines = (folder / _LOG).read_text("utf-8", "replace").strip().splitlines()[-3:]
            ended.append(BackupError("\n  ".join((f"{binary} does not read this backup:", *lines))))
        return ended[0] if ended else None

    return await Client.connect(
        socket_path=str(folder / "load.sock"),
        address=str(folder),
        database=database,
        patience_s=_START_S,
        cause=cause,
        notice_s=_START_S,
    )


async def copy(source: Client, target: Client) -> int:
    """Copy all keys of an arena, but for its schema; return how many there were. Raises BackupError."""
    copied, cursor = 0, b"0"
    while True:
        cursor, keys = await source.call("SCAN", cursor, "MATCH", OURS, "COUNT", _KEYS_AT_ONCE)
        names = [key for key in keys if key != SCHEMA_KEY.encode()]
        copied += sum(await asyncio.gather(*(copy_key(source, target, name) for name in names)))
        if int(cursor) == 0:
            return copied


async def remove_all(client: Client) -> None:
    """Remove all keys of an arena, but for its schema."""
    for master in _connections(client.redis):
        try:
            await master.connect()
            await _remove(master)
        finally:
            await master.disconnect()


async def _remove(master: Any) -> None:
    cursor = b"0"
    while True:
        await master.send_command("SCAN", cursor, "MATCH", OURS, "COUNT", _KEYS_AT_ONCE)
        cursor, keys = await master.read_response()
        for key in keys:
            if key != SCHEMA_KEY.encode():
                await master.send_command("UNLINK", key)
                await master.read_response()
        if int(cursor) == 0:
            return
