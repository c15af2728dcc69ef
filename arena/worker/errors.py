"""What can go wrong around the bots that the arena starts."""


class WorkerError(Exception):
    """Base of every error of the worker."""


class BotSourceError(WorkerError):
    """A bot is named that the arena cannot find or start."""


class UnplayableError(WorkerError):
    """A league's file is well formed and asks for what cannot be played; `path` are the keys to the place."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


class LogFolderError(WorkerError):
    """The folder for what bots write cannot be made."""


class BotStartError(WorkerError):
    """A bot's process ended, or did not connect in time; the message ends with the last lines that it wrote."""
