"""The arena's messages of the play service."""

from collections.abc import Iterable
from hashlib import sha256

from arena.match.model import MatchResult, MatchSpec, Rejection, TimeControl
from arena.match.question import Question
from arena.wire.encode import decision_response_bytes
from arena.wire.enums import END_TO_WIRE, POLICY_TO_WIRE, REJECTION_TO_WIRE
from arena.wire.options import options_to_wire
from arena.wire.view import events_to_wire
from core_ext import Event, variant_info
from hanafuda.arena.v1 import match_pb2, play_pb2

_WHY = {
    Rejection.ILLEGAL_ACTION: "code {code} is not legal in decision {decision}",
    Rejection.UNKNOWN_MATCH: "the bot has no match {match_id!r} under way",
    Rejection.ALREADY_ANSWERED: "decision {decision} was answered before",
    Rejection.NOT_ASKED: "decision {decision} was not asked",
    Rejection.TOO_LATE: "the time for decision {decision} was over",
    Rejection.MALFORMED: "the message is none that a bot sends after its Hello",
}


def decision_to_wire(question: Question, *, repeated: bool = False) -> play_pb2.Decision:
    """Return a question as its message; `repeated` where it is asked again."""
    return play_pb2.PlayResponse.FromString(decision_response_bytes(question, repeated=repeated)).decision


def match_start(spec: MatchSpec, seat: int) -> play_pb2.MatchStart:
    """Return what the bot in a seat is sent when its match begins. Raises UnknownVariantError."""
    return play_pb2.MatchStart(
        match_id=spec.match_id,
        variant=spec.variant,
        rules_version=variant_info(spec.variant).rules_version,
        options=options_to_wire(spec.variant, spec.options),
        seat=seat,
        bots=spec.names,
        time_control=time_to_wire(spec.time),
        policy=POLICY_TO_WIRE[spec.policy],
        seed_commitment=b"" if spec.shared else seed_commitment(spec.seed),
        declinable=spec.declinable,
    )


def match_update(match_id: str, events: Iterable[Event]) -> play_pb2.MatchUpdate:
    """Return what happened, for a bot that wants to know as it happens."""
    return play_pb2.MatchUpdate(match_id=match_id, events=events_to_wire(events))


def move_rejected(
    match_id: str,
    decision: int,
    code: int | None,
    reason: Rejection,
    count: int,
    *,
    default_code: int | None = None,
) -> play_pb2.MoveRejected:
    """Return why a move was not taken; a `code` of None (none came in time) is 0 on the wire."""
    return play_pb2.MoveRejected(
        match_id=match_id,
        decision=decision,
        code=code or 0,
        reason=REJECTION_TO_WIRE[reason],
        text=_WHY[reason].format(match_id=match_id, decision=decision, code=code),
        rejections=count,
        default_code=default_code,
    )


def match_end(match_id: str, result: MatchResult, events: Iterable[Event] = ()) -> match_pb2.MatchEnd:
    """Return how a match ended; `events` as the receiver may see them."""
    return match_pb2.MatchEnd(
        match_id=match_id,
        reason=END_TO_WIRE[result.end],
        offender=result.offender,
        results=result.results,
        placing=result.placing,
        events=events_to_wire(events),
        text=result.text,
    )


def time_to_wire(time: TimeControl) -> match_pb2.TimeControl:
    """Return the message of a time control."""
    return match_pb2.TimeControl(per_decision_ms=time.per_decision_ms, bank_ms=time.bank_ms)


def time_from_wire(message: match_pb2.TimeControl) -> TimeControl:
    """Return the time control behind a message. Raises ValueError where it leaves no time at all."""
    return TimeControl(per_decision_ms=message.per_decision_ms, bank_ms=message.bank_ms)


def seed_commitment(seed: bytes) -> bytes:
    """Return what is published of a match's seed while cards are unknown: its SHA-256."""
    return sha256(seed).digest()
