"""The bytes of a replay file: a serialised `Replay`, which holds the body, its SHA-256, and the arena's signature."""

import re
from hashlib import sha256

from google.protobuf.message import DecodeError

from arena.match.model import Policy, TimeControl
from arena.replays.errors import (
    AlteredReplayError,
    ForeignReplayError,
    MalformedReplayError,
    TruncatedReplayError,
    UnknownVersionError,
)
from arena.replays.record import ReplayRecord
from arena.signatures import Signature, Signed, SigningKey
from arena.wire import END_FROM_WIRE, END_TO_WIRE, WireError, options_from_wire, options_to_wire
from hanafuda.arena.v1 import replay_pb2, signature_pb2

_FIRST_BYTE = 0x0A  # the tag of Replay.body
_SEED_BYTES = 32
_HASH_BYTES = 32
_FORMAT = 2
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""What a terminal would obey: a replay may be a stranger's, and its names are shown."""


def encode(record: ReplayRecord, key: SigningKey | None = None) -> bytes:
    """The record as the bytes of a replay file, signed where there is a key."""
    unknown = ("",) * len(record.names)
    body = replay_pb2.ReplayBody(
        match_id=record.match_id,
        variant=record.variant,
        rules_version=record.rules_version,
        options=options_to_wire(record.variant, record.options),
        seats=[
            replay_pb2.ReplaySeat(bot=name, version=version, house_bot=house_bot, salt=salt)
            for name, version, house_bot, salt in zip(
                record.names,
                record.versions,
                record.house_bots or unknown,
                record.salts or unknown,
                strict=True,
            )
        ],
        seed=record.seed,
        choices=record.packed,
        decisions=record.decisions,
        clock_ms=record.clock_ms,
        end=END_TO_WIRE[record.end],
        offender=record.offender,
        results=record.results,
        format=_FORMAT,
        running_hash=bytes.fromhex(record.running_hash),
        per_decision_ms=record.time.per_decision_ms if record.time is not None else 0,
        bank_ms=record.time.bank_ms if record.time is not None else 0,
        lenient=record.policy is Policy.LENIENT,
    ).SerializeToString(deterministic=True)
    return _file(body, key.sign(Signed.REPLAY, body) if key is not None else None)


def decode(data: bytes) -> ReplayRecord:
    """The record in the bytes of a replay file.

    Raises ForeignReplayError, TruncatedReplayError, AlteredReplayError, MalformedReplayError, UnknownVersionError.
    Whether the match went as the record says is for `verify` to see.
    """
    return _record(_open(data).body)


def signer(data: bytes) -> bytes | None:
    """The public key that signed a replay file, None where nobody did. Raises what `decode` raises of a file."""
    replay = _open(data)
    return replay.signature.key if replay.HasField("signature") else None


def _file(body: bytes, signature: Signature | None) -> bytes:
    replay = replay_pb2.Replay(body=body, sha256=sha256(body).digest())
    if signature is not None:
        replay.signature.CopyFrom(signature_pb2.Signature(key=signature.key, value=signature.value))
    return replay.SerializeToString()


def _open(data: bytes) -> replay_pb2.Replay:
    """The file's message, once it is known to be whole and unaltered."""
    if not data:
        raise TruncatedReplayError("the replay is empty")
    if data[0] != _FIRST_BYTE:
        raise ForeignReplayError("this is not a replay: its first bytes are those of another format")
    try:
        replay = replay_pb2.Replay.FromString(data)
    except DecodeError as error:
        raise TruncatedReplayError(f"the replay is cut off or damaged after {len(data)} bytes") from error
    if not replay.sha256:
        raise TruncatedReplayError(f"the replay is cut off after {len(data)} bytes: its digest is missing")
    if sha256(replay.body).digest() != replay.sha256:
        raise AlteredReplayError("the replay was altered: its SHA-256 differs from the one stored in it")
    signature = None
    if replay.HasField("signature"):
        signature = Signature(replay.signature.key, replay.signature.value)
        if not signature.holds(Signed.REPLAY, replay.body):
            raise AlteredReplayError("the replay was altered: its signature does not match the key that it names")
    if _file(replay.body, signature) != data:
        raise AlteredReplayError("the replay was altered: it has unexpected additional data")
    return replay


def _record(data: bytes) -> ReplayRecord:
    try:
        body = replay_pb2.ReplayBody.FromString(data)
    except DecodeError as error:
        raise ForeignReplayError("this is not a replay: its body cannot be decoded") from error
    if body.format != _FORMAT:
        raise UnknownVersionError(
            f"the replay needs a program that reads format {body.format or 1}; this program reads format {_FORMAT}"
        )
    for name in (body.match_id, *(text for seat in body.seats for text in (seat.bot, seat.version, seat.house_bot))):
        if _CONTROL.search(name):
            raise MalformedReplayError(f"the replay has a name with control characters: {name!a}")
    end = END_FROM_WIRE.get(body.end)
    seats = len(body.seats)
    if end is None:
        raise MalformedReplayError(f"the replay names an end ({body.end}) that this program does not know")
    if len(body.seed) != _SEED_BYTES:
        raise MalformedReplayError(f"the replay's seed has {len(body.seed)} bytes, a seed has {_SEED_BYTES}")
    if len(body.running_hash) != _HASH_BYTES:
        raise MalformedReplayError(f"the replay's hash has {len(body.running_hash)} bytes, a hash has {_HASH_BYTES}")
    if not seats or len(body.results) != seats or not -1 <= body.offender < seats:
        raise MalformedReplayError(
            f"the replay has {seats} seats, {len(body.results)} results and the offender {body.offender}"
        )
    if body.clock_ms and len(body.clock_ms) != body.decisions:
        raise MalformedReplayError(
            f"the replay has {body.decisions} decisions, but {len(body.clock_ms)} clock readings"
        )
    try:
        timed = body.per_decision_ms or body.bank_ms
        time = TimeControl(body.per_decision_ms, body.bank_ms) if timed else None
    except ValueError as error:
        raise MalformedReplayError(f"the replay is of no match: {error}") from error
    try:
        options = options_from_wire(body.options)
    except WireError as error:
        raise MalformedReplayError(f"the replay's {error}") from error
    house_bots, salts = tuple(seat.house_bot for seat in body.seats), tuple(seat.salt for seat in body.seats)
    return ReplayRecord(
        match_id=body.match_id,
        variant=body.variant,
        rules_version=body.rules_version,
        options=options,
        names=tuple(seat.bot for seat in body.seats),
        versions=tuple(seat.version for seat in body.seats),
        seed=body.seed,
        packed=body.choices,
        decisions=body.decisions,
        clock_ms=tuple(body.clock_ms),
        end=end,
        offender=body.offender,
        results=tuple(body.results),
        running_hash=body.running_hash.hex(),
        house_bots=house_bots if any(house_bots) else (),
        salts=salts if any(salts) else (),
        time=time,
        policy=Policy.LENIENT if body.lenient else Policy.STRICT,
    )
