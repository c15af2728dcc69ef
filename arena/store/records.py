"""The values that pass the store's boundary. What leagues and matches are about stays opaque bytes."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Generic, Literal, TypeVar

import msgspec

from arena.store.keys import Scope

T = TypeVar("T")
Record = TypeVar("Record", bound=msgspec.Struct)

LeagueState = Literal["open", "running", "paused", "cancelled", "finished"]


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a listing; `next` is the cursor of the following part, "" at the end."""

    items: tuple[T, ...]
    next: str = ""


def from_hash(kind: type[Record], stored: Mapping[bytes, bytes], **others: object) -> Record:
    """Return a record whose fields are those of a hash in the server, but for `others`, which lie elsewhere."""
    fields = {
        name: raw if type_ is bytes else msgspec.convert(raw.decode("utf-8", "replace"), type_, strict=False)
        for name, type_ in _fields(kind)
        if name not in others and (raw := stored.get(name.encode())) is not None
    }
    return kind(**others, **fields)


@cache
def _fields(kind: type[msgspec.Struct]) -> Sequence[tuple[str, Any]]:
    return [(field.name, field.type) for field in msgspec.structs.fields(kind)]


# -- jobs ---------------------------------------------------------------------------------------------------

SINGLE = "match"
"""Name of a single match's only match."""


def match_key(round_: int, name: str) -> str:
    """Return what a match is called in its scope."""
    return f"r{round_}.{name}"


class MatchWork(msgspec.Struct, frozen=True, array_like=True, tag="match"):
    """One match to be played.

    `name` is unique in its round. `board_matches` counts the matches on `board` in the whole scope: only when all
    are committed is a replay of that board readable. `payload` is the worker's own and may hold the seed.
    `caged` says of a single match that it needs runtimes.
    """

    name: str
    board: str
    board_matches: int
    bots: tuple[str, ...]
    payload: bytes
    round: int = 0
    """Set by the store."""
    caged: bool = False

    @property
    def key(self) -> str:
        """What the match is called in its scope."""
        return match_key(self.round, self.name)


class QualifyWork(msgspec.Struct, frozen=True, array_like=True, tag="qualify"):
    """A version that has to qualify."""

    version: str


class StepWork(msgspec.Struct, frozen=True, array_like=True, tag="step"):
    """The rounds before `round` are complete: pair `round`, or finish the division."""

    round: int


Work = MatchWork | StepWork | QualifyWork


class Job(msgspec.Struct, frozen=True):
    """A leased job. `fence` rises with every claim, and only the latest claim can commit."""

    scope: Scope
    id: str
    fence: int
    lease_ms: int
    work: Work

    def __str__(self) -> str:
        match self.work:
            case MatchWork():
                what = f"match {self.work.key}"
            case StepWork():
                what = f"step {self.work.round}"
            case QualifyWork():
                what = "qualification"
        return f"{self.scope} {what} (fence {self.fence})"

    @property
    def about(self) -> dict[str, Any]:
        """What it is work on, for programs that read the log."""
        match self.work:
            case MatchWork() if self.scope.kind == "match":
                return {"match": self.scope.name, "bots": self.work.bots}
            case MatchWork():
                match_id = f"{self.scope.name}.{self.scope.part}.{self.work.key}"
                return {**self._division, "round": self.work.round, "match": match_id, "bots": self.work.bots}
            case StepWork():
                return {**self._division, "round": self.work.round}
            case QualifyWork():
                return {"bot": self.scope.name, "version": self.work.version}

    @property
    def _division(self) -> dict[str, Any]:
        return {"league": self.scope.name, "variant": self.scope.part}


class Committed(msgspec.Struct, frozen=True):
    """A commit that holds."""

    before: bool
    """Whether this very commit was made before and its answer lost."""
    outstanding: int
    """Matches of the round still to be committed; of a step, the matches of the round it began."""


class ParkedJob(msgspec.Struct, frozen=True):
    """A job that was given up after so many failures or lost leases."""

    scope: Scope
    id: str
    work: Work
    tries: int
    error: str


# -- leagues and matches ------------------------------------------------------------------------------------


class DivisionState(msgspec.Struct, frozen=True):
    """How far a division of a league is."""

    variant: str
    state: LeagueState
    rounds: int
    """How many rounds it has at most."""
    round: int
    """The round being played, 0 before the first is paired."""
    matches: int
    """Matches of this round."""
    outstanding: int
    """Matches of this round that are not committed yet."""
    played: int
    """Matches committed in all rounds."""


class League(msgspec.Struct, frozen=True, kw_only=True):
    """A league as everyone may see it."""

    name: str
    state: LeagueState
    digest: str
    config: bytes
    commitment: str
    """SHA-256 of the secret, in hex."""
    secret: bytes | None
    """The secret, once the league is finished or cancelled."""
    test: bool
    """Whether the secret was fixed beforehand, so that somebody could know the cards."""
    created_us: int
    started_us: int = 0
    """When it was started; 0 before."""
    finished_us: int = 0
    """When it was finished or cancelled; 0 before."""
    entropy: str = ""
    """What came to the secret when the league started, of nonces or of a beacon: a SHA-256 in hex."""
    beacon: str = ""
    """The signature in hex of the beacon's round that it is of, if it is of one."""
    closed_us: int = 0
    """When entries close, or closed, before the start; 0 where they are open until then."""
    revision: int
    """How often its entrants have changed since it was made."""
    divisions: tuple[DivisionState, ...]

    @property
    def played(self) -> int:
        """Matches committed in all divisions."""
        return sum(division.played for division in self.divisions)

    def division(self, variant: str) -> DivisionState:
        """Return the division of a variant; KeyError."""
        for division in self.divisions:
            if division.variant == variant:
                return division
        raise KeyError(variant)


class EntryRecord(msgspec.Struct, frozen=True, array_like=True):
    """A bot in a league.

    `commitment` is the SHA-256 in hex by which it committed to a nonce, `nonce` the nonce once it is revealed: of a bot
    that enters late neither is kept. `variants` are the divisions that it plays in; none stands for all.
    """

    bot: str
    nonce: str = ""
    payload: bytes = b""
    owner: str = ""
    variants: tuple[str, ...] = ()
    commitment: str = ""


class Participation(msgspec.Struct, frozen=True):
    """The rounds of a division in which a bot takes part, both included; `last_round` is None until it withdraws."""

    first_round: int
    last_round: int | None


class ScheduleRecord(msgspec.Struct, frozen=True):
    """Leagues to come; `record` is the worker's own."""

    name: str
    record: bytes


class LadderRecord(msgspec.Struct, frozen=True):
    """A ladder; `record` is the worker's own."""

    name: str
    record: bytes


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A single match as everyone may see it."""

    id: str
    state: Literal["running", "finished"]
    about: bytes
    """What may be known beforehand."""
    bots: tuple[str, ...]
    commitment: str
    """SHA-256 of the seed, in hex."""
    created_us: int
    finished_us: int = 0
    result: bytes | None
    owner: str = ""
    """Who asked for it."""


class ReplayInfo(msgspec.Struct, frozen=True):
    """What a listing shows of a replay."""

    id: str
    scope: Scope
    round: int
    board: str
    bots: tuple[str, ...]
    size: int
    """Bytes of the replay."""
    readable: bool
    """Whether every match on its board is over."""
    about: bytes
    """A short description of the match by the node that played it; empty while the replay is not readable."""
    time_us: int
    """When the match was committed, of a single match when it was asked for."""


# -- bots ---------------------------------------------------------------------------------------------------


class Bot(msgspec.Struct, frozen=True):
    """A registered bot."""

    name: str
    owner: str = ""
    created_us: int = 0
    stateless: bool = False
    """Whether it says that it keeps nothing from one match to the next."""


class OwnerLimits(msgspec.Struct, frozen=True):
    """What the operator lets an owner have."""

    bots: int = 10
    versions: int = 100
    """Of each bot."""
    packed_bytes: int = 512 << 20
    """Of all versions together, packed."""
    submissions: int = 20
    """In an hour."""


class Owner(msgspec.Struct, frozen=True):
    """Somebody who has bots."""

    name: str
    created_us: int
    limits: OwnerLimits
    ended_us: int = 0
    """When the operator ended it; 0 while it has not ended."""


class OwnerUsage(msgspec.Struct, frozen=True):
    """What counts against an owner's limits: bots, bytes of all versions, submissions in the last hour."""

    bots: int
    packed_bytes: int
    submissions: int


class Submission(msgspec.Struct, frozen=True):
    """A pack that is sent in as a version of a bot: its bytes, and their SHA-256 in hex, "" where nobody needs it."""

    bot: str
    version: str
    size: int
    sha256: str = ""

    @property
    def place(self) -> str:
        """The version among all of its owner's."""
        return f"{self.bot} {self.version}"


VersionStatus = Literal["qualifying", "qualified", "failed", "retired", "taken_out"]


class BotVersion(msgspec.Struct, frozen=True):
    """A version of a bot. Its content and record never change; its status does."""

    bot: str
    version: str
    """SHA-256 of what is packed, in hex."""
    record: bytes
    status: VersionStatus
    active: bool
    """Whether it plays where the bot is named without a version."""
    parent: str
    """The version before it, "" of the first."""
    created_us: int
    report: bytes = b""
    """The report of its qualification; empty before that has ended."""
    error: str = ""
    """Why its qualification was given up, if it was."""
    owner: str = ""
    """The owner against whose limits it counts, "" for nobody's."""


def encode_match(work: MatchWork, round_: int) -> bytes:
    """Return the job as it lies in the stream."""
    return msgspec.msgpack.encode(msgspec.structs.replace(work, round=round_))


def read_work(kind: bytes, body: bytes) -> Work:
    """Return what a job of the stream is about."""
    if kind == b"match":
        return msgspec.msgpack.decode(body, type=MatchWork)
    return QualifyWork(body.decode()) if kind == b"qualify" else StepWork(int(body))
