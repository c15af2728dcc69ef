"""What can go wrong when a league is read, paired or counted."""


class LeagueError(ValueError):
    """Any refusal of this package."""


class LeagueFileError(LeagueError):
    """A league file that cannot be used, with the place of the fault."""

    def __init__(self, source: str, line: int | None, key: str | None, reason: str) -> None:
        self.source = source
        self.line = line
        self.key = key
        self.reason = reason
        where = source if line is None else f"{source}:{line}"
        what = reason if key is None else f"{key}: {reason}"
        super().__init__(f"{where}: {what}")


class ScheduleError(LeagueError):
    """A schedule from which no time follows; `key` is the one at fault, None where one is missing."""

    def __init__(self, key: str | None, reason: str) -> None:
        self.key = key
        self.reason = reason
        super().__init__(reason if key is None else f"{key}: {reason}")


class BoardError(LeagueError):
    """A secret, a nonce, a board number or a set of seats that no board can be made from."""


class BeaconError(LeagueError):
    """A signature that is not the one of the named round of the beacon, or cannot be checked."""


class NonceError(LeagueError):
    """A nonce or a commitment to one that is not of the right form, or does not fit the other."""


class LuckValueError(LeagueError):
    """A value by which luck is measured that is not the one that is known here."""


class PairingError(LeagueError):
    """A field that cannot be paired: a name twice, or numbers beyond exact weights."""


class ResultsError(LeagueError):
    """Outcomes that do not match the plan of their round, or contradict themselves."""


class StatisticsError(LeagueError):
    """Counts or hypotheses of a sequential test that give no estimate."""


class ArchiveError(LeagueError):
    """Not an archive of a league, or one that is damaged, so that its claims cannot be checked."""
