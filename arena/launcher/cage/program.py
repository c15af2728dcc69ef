"""What is to run in a cage, and what it sees of the file system there."""

import sys
from dataclasses import dataclass
from pathlib import Path

BOT = "/bot"
"""Where the bot's own files are, read-only."""
FOLDER = "/tmp"  # noqa: S108 - of the cage, not of this machine
"""The one folder that a caged program may write to; gone with it."""
LIBRARIES = "/usr/lib/shared"
PYTHON = "/usr/bin/python"
"""The interpreter of a runtime that has one."""
PAUSE = "/usr/lib/pause"
"""The first process of a cage for a program that is forked."""
FORK_SERVER = "/usr/lib/fork_server.py"
"""Where a fork server finds its program in its cage."""
HAND = "/usr/lib/stdio"
"""What hands a program that is not forked its standard input and output, when the node lets it begin."""
STDIO = "HANAFUDA_ARENA_STDIO"
"""The variable that tells a program that it is to speak over standard input and output."""
FUEL = "HANAFUDA_ARENA_FUEL"
"""The variable that tells the runtime `wasm` how many instructions a message is worth."""


@dataclass(frozen=True)
class Bind:
    """A file or folder of this machine that is seen in the cage, read-only, at `target`.

    Of a folder, those that are named in `without` are seen as empty.
    """

    source: Path
    target: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Runtime:
    """What programs of one kind need around them. `links` lead from a path in the cage to another.

    There is one of each kind in a process, which equals itself alone: cages look things up by it at each start.
    """

    name: str
    binds: tuple[Bind, ...] = ()
    libraries: tuple[Path, ...] = ()
    """Shared libraries, seen under their names in one folder, LIBRARIES."""
    links: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()
    """What stands before a program's path on its command line."""
    faults: tuple[int, ...] = ()
    """The exit statuses with which the runtime itself ended a program, whose last line then says why."""
    preloaded: tuple[str, ...] = ()
    """Python modules that a fork server loads before it is forked for each program; none where none can be."""
    packages: tuple[str, ...] = ()
    """The packages, beside the standard library, that are or come with those modules."""


@dataclass(frozen=True)
class Program:
    """A program: the command line as it is in the cage, its runtime, and the bot's file or folder, seen at `/bot`.

    A folder is seen whole; a file lies in an otherwise empty folder under its own name. `frozen` says that what is
    there never changes; `single_threaded`, that the program does without other threads and processes.
    """

    command: tuple[str, ...]
    runtime: Runtime
    bot: Path
    frozen: bool = False
    single_threaded: bool = False

    @property
    def is_forked(self) -> bool:
        """Whether a fork server may run it: it is a file of Python, without options of the interpreter, and brings no
        module of its own in place of one that the fork server may have loaded.
        """
        interpreter, *arguments = self.command
        is_file = bool(arguments) and interpreter == PYTHON and arguments[0].endswith(".py")
        return is_file and bool(self.runtime.preloaded) and not self._brings(self.runtime.packages)

    def _brings(self, packages: tuple[str, ...]) -> bool:
        """Whether a module of the bot's own is named as one of these, or as one of the standard library."""
        files = self.bot.iterdir() if self.bot.is_dir() else [self.bot]
        modules = {file.name.split(".")[0] for file in files}
        return not (modules.isdisjoint(sys.stdlib_module_names) and modules.isdisjoint(packages))

    @property
    def place(self) -> str:
        """Where the bot's file or folder is seen."""
        return BOT if self.bot.is_dir() else f"{BOT}/{self.bot.name}"
