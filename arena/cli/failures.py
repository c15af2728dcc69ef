"""Errors that the user can fix: they end the program with one line and an exit status, never with a traceback."""

import sys

EXIT_CHECK_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_OUTPUT_CLOSED = 141
EXIT_TERMINATED = 143

# The bases of the typed errors, by the module that defines each. Only a module that was imported can have raised one.
_TYPED = {
    "core_ext.errors": "CoreError",
    "arena.league.errors": "LeagueError",
    "arena.private_files": "PrivateFileError",
    "arena.remote.errors": "RemoteError",
    "arena.replays.errors": "ReplayError",
    "arena.launcher.errors": "LauncherError",
    "arena.node.errors": "ListenError",
    "arena.organizer.errors": "OrganizerError",
    "arena.rpc.errors": "ApiError",
    "arena.seats.errors": "SeatError",
    "arena.store.errors": "StoreError",
    "arena.strength.errors": "StrengthError",
    "arena.packs.errors": "SubmissionError",
    "bots": "UnknownHouseBotError",
}


class CheckFailedError(Exception):
    """What was checked does not hold; the text says what."""


class WrongUseError(Exception):
    """The command line, or a file that it names, cannot be used as it is."""


class TerminatedError(Exception):
    """The process was asked to stop, and has closed what it had opened."""


def expected() -> tuple[type[BaseException], ...]:
    """The types of the errors that have a text for the user."""
    typed = [getattr(sys.modules[module], name) for module, name in _TYPED.items() if module in sys.modules]
    return (WrongUseError, *typed)
