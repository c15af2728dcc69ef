"""Keys of one server written into another by plain commands, which all servers know: their own formats differ."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from arena.store.errors import BackupError
from arena.store.keys import GROUP

if TYPE_CHECKING:
    from arena.store.client import Client, Value

_PART = 500
"""How many members of a key are written by one command."""


async def copy_key(source: Client, target: Client, key: bytes) -> bool:
    """Copy a key with its time to live; False where it has expired meanwhile. Raises BackupError."""
    kind = (await source.call("TYPE", key)).decode()
    if kind == "none":
        return False
    if kind not in _WRITERS:
        raise BackupError(f"the backup holds a key of a kind that no arena writes: {kind} {key!r}")
    left_ms = int(await source.call("PTTL", key))
    await target.call("UNLINK", key)
    await _WRITERS[kind](source, target, key)
    if left_ms >= 0:
        await target.call("PEXPIRE", key, left_ms)
    return True


async def _string(source: Client, target: Client, key: bytes) -> None:
    await target.call("SET", key, await source.call("GET", key))


async def _hash(source: Client, target: Client, key: bytes) -> None:
    fields = await source.call("HGETALL", key)
    await _write(target, "HSET", key, [(field, value) for field, value in fields.items()])


async def _list(source: Client, target: Client, key: bytes) -> None:
    await _write(target, "RPUSH", key, [(value,) for value in await source.call("LRANGE", key, 0, -1)])


async def _set(source: Client, target: Client, key: bytes) -> None:
    await _write(target, "SADD", key, [(member,) for member in await source.call("SMEMBERS", key)])


async def _sorted_set(source: Client, target: Client, key: bytes) -> None:
    members = await source.call("ZRANGE", key, 0, -1, "WITHSCORES")
    pairs = (
        members if members and isinstance(members[0], list | tuple) else list(zip(*[iter(members)] * 2, strict=True))
    )
    # A score has 17 digits at most, so that it is read as the same number.
    await _write(target, "ZADD", key, [(f"{float(score):.17g}", member) for member, score in pairs])


async def _stream(source: Client, target: Client, key: bytes) -> None:
    """A stream of jobs, all of which are ready: those who held leases are of another arena."""
    entries = await source.call("XRANGE", key, "-", "+")
    for id_, fields in entries:
        await target.call("XADD", key, id_, *(part for pair in fields.items() for part in pair))
    groups = await source.call("XINFO", "GROUPS", key)
    if groups:
        await target.call("XGROUP", "CREATE", key, GROUP, "0", "MKSTREAM")
    if groups or entries:
        about = await source.call("XINFO", "STREAM", key)  # names and values in turn
        await target.call("XSETID", key, about[about.index(b"last-generated-id") + 1])


async def _write(target: Client, command: str, key: bytes, members: Sequence[tuple[Value, ...]]) -> None:
    for start in range(0, len(members), _PART):
        await target.call(command, key, *(part for member in members[start : start + _PART] for part in member))


_WRITERS: dict[str, Callable[[Client, Client, bytes], Awaitable[None]]] = {
    "string": _string,
    "hash": _hash,
    "list": _list,
    "set": _set,
    "zset": _sorted_set,
    "stream": _stream,
}
