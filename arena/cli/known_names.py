"""Names that a data folder knows, for shells that complete them: quickly, and without starting its store.

A server that runs is asked, by the commands that the folder's file has; otherwise what the file says counts.
"""

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Literal

Kind = Literal["leagues", "ladders", "bots", "owners", "matches"]

_FILE = "names.json"
_PATIENCE_S = 0.2


def names_of_kind(kind: Kind, data: Path) -> list[str]:
    """Return the names of a kind in a data folder; none where nothing is known."""
    try:
        cached = json.loads((data / _FILE).read_text("utf-8"))
        with suppress(OSError, ValueError):
            return _asked(data, cached["socket"], cached["queries"][kind])
        return list(cached["names"][kind])
    except (OSError, ValueError, LookupError, TypeError):
        return []


def replays(data: Path) -> list[str]:
    """The matches that were played on this machine, the newest first."""
    with suppress(OSError):
        files = [entry for entry in os.scandir(data / "replays") if entry.name.endswith(".hreplay")]
        files.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        return [entry.name.removesuffix(".hreplay") for entry in files]
    return []


def _asked(data: Path, address: str, command: list[object]) -> list[str]:
    """What the server of a data folder answers. Raises OSError and ValueError where none does."""
    folder = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.settimeout(_PATIENCE_S)
            server.connect(f"/proc/self/fd/{folder}/{address}")  # whose own path may be too long for a socket
            words = [str(word).encode() for word in command]
            server.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words))
            with server.makefile("rb") as answer:
                return [_bulk(answer) for _ in range(_number(answer, b"*"))]
    finally:
        os.close(folder)


def _number(answer: BinaryIO, mark: bytes) -> int:
    line = answer.readline()
    if not line.startswith(mark):
        raise ValueError(line)
    return int(line[1:])


def _bulk(answer: BinaryIO) -> str:
    return answer.read(_number(answer, b"$") + 2)[:-2].decode()
