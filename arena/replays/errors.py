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
    """The replay is whole, but no match can have gone as it says."""


class UnknownVersionError(ReplayError):
    """This program cannot check the replay: it does not know its format, its variant or the version of its rules."""


class NoSuchMonthError(ReplayError):
    """The match has no such month."""

    def __init__(self, match_id: str, month: int, last: int) -> None:
        super().__init__(f"match {match_id} has no month {month}; its last one is {last}")
