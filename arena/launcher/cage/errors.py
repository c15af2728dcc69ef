"""What keeps a program from running in a cage."""

from arena.launcher.errors import LauncherError


class CageError(LauncherError):
    """Base of the errors of this package."""


class NoCageError(CageError):
    """This node cannot cage programs; the text says why."""


class CageStartError(CageError):
    """The cage of one program could not be set up; the text says why."""


class RuntimeUnknownError(CageError):
    """The node offers no runtime of this name."""
