"""Everything that can go wrong in the store, each typed once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar


class StoreError(Exception):
    """Base of every error of the store."""


# -- the server ---------------------------------------------------------------------------------------------


class NoServerBinaryError(StoreError):
    """No Valkey or Redis server was found to embed; the message lists the places that were searched, in order."""


class DataFolderError(StoreError):
    """The data folder cannot be made or used."""


class DataFolderInUseError(DataFolderError):
    """Another arena holds the data folder; `pid` is its process id, 0 when it could not be read."""

    def __init__(self, folder: Path, pid: int) -> None:
        holder = f"the arena with process id {pid}" if pid else "another arena"
        super().__init__(f"data folder {folder} is in use by {holder}")


class EmbeddedServerError(StoreError):
    """The embedded server did not start, or keeps dying; the message ends with the last lines of its log."""


class StoreUrlError(StoreError):
    """The store's URL is not one of redis://, rediss://, unix://."""


class StoreTooOldError(StoreError):
    """The server is older than Redis 7.0."""


class StoreMayEvictError(StoreError):
    """The server is set to delete keys when its memory is full."""


class StoreSchemaError(StoreError):
    """The store's key schema is one that this version does not know, or cannot bring to its own or to another."""


class BackupError(StoreError):
    """A backup cannot be made, read or restored."""


class StoreUnavailableError(StoreError):
    """The server did not answer within the patience given."""

    def __init__(self, address: str, patience_s: float, reason: str) -> None:
        super().__init__(f"the store at {address} did not answer for {patience_s:.3g} s: {reason}")


class StoreClosedError(StoreError):
    """The store was closed while a call was under way, or before it."""

    def __init__(self) -> None:
        super().__init__("the store was closed")


class StoreAccessError(StoreError):
    """The server refused the user name or password of the URL."""


class StoreRefusedError(StoreError):
    """The server answered a command with an error that waiting does not cure."""


class UnknownError(StoreError):
    """Base of the errors for a name or an id that nothing has; `kind` is what was asked for."""

    kind: ClassVar[str]

    def __init__(self, name: str) -> None:
        super().__init__(f"no {self.kind} {name!r}")


# -- names and pages ----------------------------------------------------------------------------------------


class NameExistsError(StoreError):
    """`taken` is registered already: the name that was given, or one that looks like it."""

    kind: ClassVar[str]

    def __init__(self, name: str, taken: str) -> None:
        self.is_same = taken == name
        how = "differs by case alone" if taken.lower() == name.lower() else "looks like it"
        alike = "" if self.is_same else f", and {name!r} {how}"
        super().__init__(f"{self.kind} named {taken!r} exists already{alike}")


class InvalidNameError(StoreError):
    """A name does not keep to `arena.names.NAME_RULE`."""


class InvalidCursorError(StoreError):
    """A page was asked for with a cursor that no listing gave out."""

    def __init__(self, cursor: str) -> None:
        super().__init__(f"page cursor {cursor!r} does not come from a listing")


# -- leagues, matches, replays ------------------------------------------------------------------------------


class UnknownLeagueError(UnknownError):
    """No league has this name."""

    kind = "league named"


class LeagueChangedError(StoreError):
    """A league of this name exists and was made from another file; both digests are given."""

    def __init__(self, name: str, stored: str, digest: str) -> None:
        super().__init__(
            f"league {name!r} exists and its file has changed (stored {stored[:12]}, given {digest[:12]}); "
            "use the file it was made from, or another name"
        )


class LeagueStateError(StoreError):
    """The state of the league does not allow this."""

    def __init__(self, name: str, state: str, rule: str) -> None:
        super().__init__(f"league {name!r} is {state}; {rule}")


class EntryChangedError(StoreError):
    """A bot has already entered this league with a different entry."""


class EntrantsChangedError(StoreError):
    """Bots entered or left while the step was computed: it has to be computed again."""


class NotEnteredError(StoreError):
    """The bot is not in this league."""

    def __init__(self, league: str, bot: str) -> None:
        super().__init__(f"{bot!r} has not entered league {league!r}")


class WithdrawnError(StoreError):
    """The bot has withdrawn from this league, which is for good once the league has started."""

    def __init__(self, league: str, bot: str) -> None:
        super().__init__(f"{bot!r} has withdrawn from league {league!r}")


class UnknownDivisionError(StoreError):
    """The league has no division of this variant."""


class DivisionOverError(StoreError):
    """The last round of the division is being played or over, so a bot that enters would not play."""

    def __init__(self, league: str, variant: str) -> None:
        self.variant = variant
        super().__init__(f"no round of {variant} is left in league {league!r} for a bot that enters now")


class OwnersBotsError(StoreError):
    """The owner has as many bots in this league as it takes of one owner."""

    def __init__(self, league: str, owner: str, limit: int) -> None:
        few = "one bot" if limit == 1 else f"{limit} bots"
        super().__init__(f"{owner} has {few} in league {league!r}, which takes no more of one owner (bots_per_owner)")


class UnknownScheduleError(UnknownError):
    """No schedule has this name."""

    kind = "schedule named"


class ScheduleExistsError(StoreError):
    """A schedule of this name is there, and is another one."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is another schedule named {name!r}; unschedule it first, or give the league another name"
        )


class UnknownLadderError(UnknownError):
    """No ladder has this name."""

    kind = "ladder named"


class LadderExistsError(StoreError):
    """A ladder of this name is there, and is another one."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is another ladder named {name!r}, of another variant, other seats or other board sets: "
            "give this one another name"
        )


class UnknownMatchError(UnknownError):
    """No single match has this id."""

    kind = "match"


class MatchExistsError(StoreError):
    """A single match of this id exists and is another one."""


class MatchRunningError(StoreError):
    """A match that is still to be played cannot be deleted."""


class ChallengeLimitError(StoreError):
    """One more single match would be more than the operator allows; `retry_s` is when it makes sense to try again."""

    def __init__(self, text: str, retry_s: float) -> None:
        self.retry_s = retry_s
        super().__init__(text)


class OpenMatchesError(ChallengeLimitError):
    """The owner has as many single matches under way as it may have."""


class HourlyMatchesError(ChallengeLimitError):
    """The owner has made as many single matches within the hour as it may."""


class BotBusyError(ChallengeLimitError):
    """The bot plays as many single matches as it has places for."""


class UnknownReplayError(UnknownError):
    """No replay is stored under this id."""

    kind = "replay"


class BoardStillOpenError(StoreError):
    """The replay exists, and matches on its board are still to be played: showing it would show the cards."""


# -- nodes --------------------------------------------------------------------------------------------------


class ClusterKeyError(StoreError):
    """A node has another cluster key than those that are there."""


class UnknownNodeError(StoreError):
    """No node that runs, or more than one, has an id that begins so."""

    def __init__(self, name: str, running: Sequence[str]) -> None:
        nodes = ", ".join(running) or "none"
        super().__init__(f"no node, or more than one, has an id that begins with {name!r}; those that run: {nodes}")


# -- bots ---------------------------------------------------------------------------------------------------


class UnknownBotError(UnknownError):
    """No bot is registered under this name."""

    kind = "bot named"


class BotExistsError(NameExistsError):
    """A bot of this name, or of one that looks like it, is registered already."""

    kind = "a bot"


class UnknownVersionError(StoreError):
    """The bot has no version, or more than one, whose digest has this beginning."""

    def __init__(self, bot: str, version: str) -> None:
        super().__init__(f"bot {bot!r} has no version {version!r}, or more than one whose digest begins so")


class VersionStateError(StoreError):
    """The status of a version does not allow this."""


class VersionsFullError(StoreError):
    """The bot has as many versions as it may have."""


class UnknownPackError(UnknownError):
    """No pack has this digest."""

    kind = "pack"


class UploadError(StoreError):
    """An upload cannot go on, or end."""

    def __init__(self, upload: str, reason: str) -> None:
        super().__init__(f"upload {upload!r}: {reason}")


class MalformedTokenError(StoreError):
    """The text is not a token of this kind: its form or its checksum is wrong."""

    def __init__(self) -> None:
        super().__init__("not a token: a part of it is missing or mistyped")


class UnknownTokenError(StoreError):
    """The token has the right form, but belongs to nobody or was revoked."""


# -- owners -------------------------------------------------------------------------------------------------


class UnknownOwnerError(UnknownError):
    """No owner has this name."""

    kind = "owner named"


class OwnerExistsError(NameExistsError):
    """An owner of this name, or of one that looks like it, is there already; or one of the latter has ended."""

    kind = "an owner"


class OwnerEndedError(StoreError):
    """The owner was ended by the operator."""

    def __init__(self, name: str) -> None:
        super().__init__(f"owner {name!r} has been ended for good: it and its bots get no more tokens")


class NameTakenError(StoreError):
    """A bot of this name, or of one that looks like it, is somebody else's or a house bot."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the name {name!r} is another owner's or a house bot's, or differs from one by case alone; choose another"
        )


class OwnerLimitError(StoreError):
    """A submission would exceed one of the owner's limits; `limit` is its name in OwnerLimits, `value` its value."""

    def __init__(self, owner: str, limit: str, value: int) -> None:
        self.limit = limit
        self.value = value
        texts = {
            "bots": f"{value} bots",
            "versions": f"{value} versions of a bot",
            "packed_bytes": f"versions of {value:,} bytes packed",
            "submissions": f"{value} submissions in an hour",
        }
        super().__init__(f"owner {owner!r} may have at most {texts[limit]}; ask the arena's operator for more")


# -- jobs ---------------------------------------------------------------------------------------------------


class LeaseLostError(StoreError):
    """The job's lease ran out or was released, and the job is no longer this owner's to commit."""

    def __init__(self, job: str) -> None:
        super().__init__(f"the lease on {job} is lost; its result is not accepted")
