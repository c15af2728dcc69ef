"""What a match is before it is played, and what it is afterwards."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class End(StrEnum):
    """How a match ended."""

    COMPLETED = "completed"
    ILLEGAL_ACTION = "illegal_action"
    TIMEOUT = "timeout"
    DISCONNECTED = "disconnected"
    BOT_ERROR = "bot_error"
    ABANDONED = "abandoned"
    SAFEGUARD = "safeguard"


PLAYED_OUT = frozenset({End.COMPLETED, End.SAFEGUARD})
"""The ends of a match that was played to its last action."""
NO_FORFEIT = PLAYED_OUT | {End.ABANDONED}
"""The ends that are nobody's fault."""


class Policy(StrEnum):
    """What follows a wrong answer: `STRICT` forfeits, `LENIENT` plays the default action up to three times."""

    STRICT = "strict"
    LENIENT = "lenient"


class Rejection(StrEnum):
    """Why a move was not taken."""

    ILLEGAL_ACTION = "illegal_action"
    UNKNOWN_MATCH = "unknown_match"
    ALREADY_ANSWERED = "already_answered"
    NOT_ASKED = "not_asked"
    TOO_LATE = "too_late"
    MALFORMED = "malformed"


MAX_TIME_MS = 3_600_000
"""The longest time that a match may give for a decision, or in its bank."""


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time in milliseconds: for each decision, and a bank for the match that longer decisions draw on."""

    per_decision_ms: int = 2_000
    bank_ms: int = 60_000

    def __post_init__(self) -> None:
        if self.per_decision_ms < 0 or self.bank_ms < 0 or not self.per_decision_ms + self.bank_ms:
            raise ValueError(
                f"a time control of {self.per_decision_ms} ms for each decision and {self.bank_ms} ms for the match "
                "leaves no time at all"
            )
        if max(self.per_decision_ms, self.bank_ms) > MAX_TIME_MS:
            raise ValueError(f"a time control gives at most {MAX_TIME_MS} ms for a decision, and in the bank")


class MatchSpec(Struct, frozen=True):
    """A match to be played.

    `names`, `versions` and `salts` (of the seats' dice) are by seat; `options` holds what differs from the variant's
    defaults. `reconnect_ms` is for seats that can lose their connection. With `cover_ms` above 0, every point where a
    question that others must not notice could have been asked takes at least that long, and such a question has no more
    time than that: a seat that does not answer it in time has passed. A `declinable` match may be declined by a seat
    before its first move: it is ABANDONED then. Other matches have the cards of a `shared` one: no bot is given the
    commitment to its seed, which would tell them that.
    """

    match_id: str
    variant: str
    seed: bytes
    names: tuple[str, ...]
    options: Mapping[str, object] = {}
    versions: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    time: TimeControl = TimeControl()
    policy: Policy = Policy.STRICT
    reconnect_ms: int = 10_000
    cover_ms: int = 0
    declinable: bool = False
    shared: bool = False


THINKING_CLASSES = 17
"""The classes of thinking time that a result counts: the last begins at 2^15 ms."""


class MatchResult(Struct, frozen=True):
    """A match that is over. All tuples are by seat but `choices` and `clock_ms`, which are by decision.

    `results` are the variant's final results; after a forfeit, the balances as they stood. `offender` is the seat
    that forfeited, -1 for none; its place is the last. `choices` are indexes into the legal list, one byte each.
    `rejections` counts the moves that were not taken. `text` is for people. `thinking` is by seat how many decisions
    took less than 1, 2, 4, … ms and not less than half of that; the last of at most `THINKING_CLASSES` numbers has the
    rest.
    """

    end: End
    offender: int
    results: tuple[int, ...]
    placing: tuple[int, ...]
    choices: bytes
    clock_ms: tuple[int, ...]
    rejections: tuple[int, ...]
    text: str = ""
    thinking: tuple[tuple[int, ...], ...] = ()
