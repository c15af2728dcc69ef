"""What can go wrong around leagues' files and entries."""

from collections.abc import Mapping, Sequence


class OrganizerError(Exception):
    """Base of every error of an organizer."""


class UnplayableError(OrganizerError):
    """A league's file is well formed and asks for what cannot be played; `path` are the keys to the place."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


class EntryError(OrganizerError):
    """A bot asks to enter a league in a way that cannot be; the message says which."""


class NotPlayedError(EntryError):
    """A bot is to enter the division of a variant that it does not play, by its last Hello or its manifest."""

    def __init__(self, bot: str, variant: str, plays: Sequence[str]) -> None:
        self.bot = bot
        self.variant = variant
        self.plays = tuple(plays)
        super().__init__(f"{bot!r} does not play {variant}: it says that it plays {', '.join(plays)}")


class LateEntryError(EntryError):
    """A bot asks to enter a division too late for its pairing method."""

    def __init__(self, league: str, variant: str, pairing: str, last_round: int) -> None:
        self.variant = variant
        until = f"before round {last_round} is paired" if last_round > 1 else "before it starts"
        super().__init__(f"bots enter the {pairing} of {variant} in league {league!r} {until}")


class FieldError(OrganizerError):
    """A league cannot start with the bots that have entered."""


class TooManyBotsError(FieldError):
    """A division has more bots than its pairing method can take in its rounds."""

    def __init__(self, league: str, variant: str, reason: str) -> None:
        self.variant = variant
        super().__init__(f"league {league!r} cannot start: {variant}: {reason}")


class TooFewBotsError(FieldError):
    """No division of a league has enough bots for a table; `entered`: how many it has and needs, by variant."""

    def __init__(self, league: str, entered: Mapping[str, tuple[int, int]]) -> None:
        self.entered = entered
        counts = ", ".join(f"{variant} has {there} of {needed}" for variant, (there, needed) in entered.items())
        super().__init__(f"league {league!r} cannot start: no division has enough bots for a table; {counts}")
