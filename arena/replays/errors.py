"""What can be wrong with a replay."""


class ReplayError(ValueError):
    """The base of every error about a replay."""


class ForeignReplayError(ReplayError):
    """The bytes are no replay of this arena."""


class TruncatedReplayError(ReplayError):
    """The replay is cut off."""


class AlteredReplayError(ReplayError):
    """The replay's bytes are not those that were written."""


class MalformedReplayError(ReplayError):
    """The replay came whole, but what it says cannot be: no match was ever so."""


class UnknownVersionError(ReplayError):
    """The replay's format, its variant or the version of its rules is none of this program's, which cannot judge it."""


class NoSuchMonthError(ReplayError):
    """The match has no such month."""

    def __init__(self, match_id: str, month: int, last: int) -> None:
        super().__init__(f"match {match_id} has no month {month}; its last one is {last}")
