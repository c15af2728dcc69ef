"""What can go wrong around the bots that the arena starts."""


class WorkerError(Exception):
    """Base of every error of the worker."""


class BotSourceError(WorkerError):
    """A bot is named that the arena cannot find or start."""


class BotStartError(WorkerError):
    """A bot's process ended, or did not connect in time; the message ends with the last lines that it wrote."""


class MirrorError(WorkerError):
    """A connected bot enters a league of mirrored boards: it may keep in mind what it saw in the first match."""

    def __init__(self, entry: str, bot: str) -> None:
        super().__init__(
            f"entry {entry!r}: {bot!r} would be a bot that connects by itself, and a league with mirrored boards takes "
            "only bots that keep nothing from one match to the next: a house bot, or a path from which the arena "
            "starts it afresh for each match"
        )
