"""The programs of bots: of those that are a file, and of those that are a folder with its manifest."""

import stat
import struct
from pathlib import Path
from shlex import quote

from arena.launcher.cage.errors import RuntimeUnknownError
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.launcher.errors import BotStartError
from arena.launcher.sources import PathBot
from arena.packs.manifest import Manifest

_ELF64 = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_INTERPRETER = struct.pack("<I", 3)
"""The type of the program header that names a loader."""
_MAX_HEADER_BYTES = 1 << 16


def program_at(path: Path) -> Program:
    """Return the program of a bot that is one file: Python, WebAssembly, or a static program.

    The cage shows the file alone.

    Raises RuntimeUnknownError, NoCageError, OSError.
    """
    place = f"{BOT}/{path.name}"
    if (name := PathBot(path).runtime) != "native":
        kind = runtime(name)
        return Program((*kind.command, place), kind, path)
    with path.open("rb") as file:
        if is_static(file.read(_MAX_HEADER_BYTES)):
            return Program((place,), runtime("native"), path)
    raise RuntimeUnknownError(
        f"{path} is neither a Python file, nor WebAssembly, nor a static program: no runtime of the cage can start it"
    )


def program_in(folder: Path, manifest: Manifest) -> Program:
    """Return the program of a bot whose pack is unpacked in a folder.

    Raises BotStartError for a program that no cage can start, RuntimeUnknownError, NoCageError, OSError.
    """
    kind = runtime(manifest.runtime)
    executable, *arguments = manifest.command
    if manifest.runtime == "native":
        _check_native(folder / executable, executable)
    path = () if manifest.runtime == "python" else (f"{BOT}/{executable.removeprefix('./')}",)
    command = (*kind.command, *path, *arguments)
    return Program(command, kind, folder, frozen=True, single_threaded=manifest.single_threaded)


def _check_native(program: Path, name: str) -> None:
    with program.open("rb") as file:
        if not is_static(file.read(_MAX_HEADER_BYTES)):
            raise BotStartError(f"{name} is no static program for 64-bit Linux: build it with -static, for example")
    if not program.stat().st_mode & stat.S_IXUSR:
        raise BotStartError(f"{name} is not executable: chmod +x {quote(name)}")


def is_static(start: bytes) -> bool:
    """Whether a file that begins so is a program of Linux that needs no loader: see elf(5)."""
    if len(start) < _HEADER.size or not start.startswith(_ELF64):
        return False
    *_, offset, _, _, _, size, count, _, _, _ = _HEADER.unpack_from(start)
    places = range(offset, offset + size * count, size or 1)
    return not any(start[place : place + 4] == _INTERPRETER for place in places)
