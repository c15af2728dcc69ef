"""What can go wrong around leagues' files and entries."""

from collections.abc import Sequence


class OrganizerError(Exception):
    """Base of every error of an organizer."""


class UnplayableError(OrganizerError):
    """A league's file is well formed but asks for what cannot be played; `path` are the keys to the place."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


class EntryError(OrganizerError):
    """A bot cannot enter a league in this way; the message says why."""


class NotPlayedError(EntryError):
    """A bot is to enter the division of a variant that it does not play, by its last Hello or its manifest."""

    def __init__(self, bot: str, variant: str, plays: Sequence[str]) -> None:
        self.variant = variant
        self.plays = tuple(plays)
        super().__init__(f"{bot!r} does not play {variant}: it says that it plays {', '.join(plays)}")


class UnreadableScheduleError(OrganizerError):
    """The record of a schedule in the store cannot be read, for example one that another release of the arena wrote."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"schedule {name} cannot be read: {reason}")


class UnreadableLadderError(OrganizerError):
    """The record of a ladder in the store cannot be read, for example one that another release of the arena wrote."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"ladder {name} cannot be read: {reason}")


class FieldError(OrganizerError):
    """A league cannot start with the bots that have entered; the message says why."""
