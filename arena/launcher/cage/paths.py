"""The programs of bots that are named by a path."""

from pathlib import Path

from arena.launcher.cage.errors import RuntimeUnknownError
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime

_ELF = b"\x7fELF"


def program_at(path: Path) -> Program:
    """The program of a bot that is one file: Python, or a static program. The file alone is seen in the cage.

    Raises RuntimeUnknownError, NoCageError.
    """
    place = f"{BOT}/{path.name}"
    if path.suffix == ".py":
        return Program(("/usr/bin/python", place), runtime("python"), path)
    with path.open("rb") as file:
        if file.read(len(_ELF)) == _ELF:
            return Program((place,), runtime("native"), path)
    raise RuntimeUnknownError(f"{path} is neither a Python file nor a program: no runtime of the cage can start it")
