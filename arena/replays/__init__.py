"""Replays: a match as its seed and its actions. Pure: bytes and values, no files and no store."""

from arena.replays.codec import decode, encode, signer
from arena.replays.errors import (
    AlteredReplayError,
    ForeignReplayError,
    MalformedReplayError,
    ReplayError,
    TruncatedReplayError,
    UnknownVersionError,
)
from arena.replays.record import ReplayRecord, from_match, under_way
from arena.replays.summary import Summary, decode_summary, encode_summary
from arena.replays.verify import must_be_known, transcript, verify
