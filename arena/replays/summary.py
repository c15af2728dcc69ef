"""What a list shows of a replay: kept beside it, so that a list need not play, or even read, what it lists."""

import msgspec

from arena.match.model import End
from arena.replays.record import ReplayRecord


class Summary(msgspec.Struct, frozen=True, array_like=True):
    """A match in a few words; `names`, `results` and `thinking` (as in a MatchResult) are by seat.

    `offender` is -1 where nobody forfeited.
    """

    variant: str
    names: tuple[str, ...]
    results: tuple[int, ...]
    end: End
    offender: int
    thinking: tuple[tuple[int, ...], ...] = ()


def encode_summary(record: ReplayRecord, thinking: tuple[tuple[int, ...], ...] = ()) -> bytes:
    """The summary of a replay, as it is kept."""
    summary = Summary(record.variant, record.names, record.results, record.end, record.offender, thinking)
    return msgspec.msgpack.encode(summary)


def decode_summary(data: bytes) -> Summary:
    """The summary that `encode_summary` wrote."""
    return msgspec.msgpack.decode(data, type=Summary)
