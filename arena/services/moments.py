"""Times as messages."""

from google.protobuf.timestamp_pb2 import Timestamp


def moment(micros: int) -> Timestamp:
    """Return a time in microseconds since 1970, as a message."""
    return Timestamp(seconds=micros // 1_000_000, nanos=micros % 1_000_000 * 1_000)
