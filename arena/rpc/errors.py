"""Everything the server refuses, as callers get it over the wire."""

import math
from collections.abc import Mapping
from enum import Enum

from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

DOMAIN = "hanafuda-arena"
_MAX_TEXT = 1_000
_MAX_VALUE = 200
"""Bytes of a status's texts: it goes out in headers, and gRPC drops a connection whose headers are beyond 8 KiB."""


class Reason(Enum):
    """The reasons of errors on the wire: the member's name is ErrorInfo.reason, the value its status code."""

    TOKEN_MISSING = (1, StatusCode.UNAUTHENTICATED)
    TOKEN_UNKNOWN = (2, StatusCode.UNAUTHENTICATED)
    BOT_MISMATCH = (3, StatusCode.PERMISSION_DENIED)
    UNSUPPORTED_PROTOCOL = (4, StatusCode.FAILED_PRECONDITION)
    HELLO_EXPECTED = (5, StatusCode.FAILED_PRECONDITION)
    CONNECTION_TAKEN_OVER = (6, StatusCode.FAILED_PRECONDITION)
    SLOW_READER = (7, StatusCode.RESOURCE_EXHAUSTED)
    SHUTTING_DOWN = (8, StatusCode.UNAVAILABLE)
    INVALID_REQUEST = (9, StatusCode.INVALID_ARGUMENT)
    UNKNOWN_VARIANT = (10, StatusCode.NOT_FOUND)
    UNKNOWN_BOT = (11, StatusCode.NOT_FOUND)
    UNKNOWN_MATCH = (12, StatusCode.NOT_FOUND)
    UNKNOWN_LEAGUE = (13, StatusCode.NOT_FOUND)
    UNKNOWN_REPLAY = (14, StatusCode.NOT_FOUND)
    NOT_YOUR_MATCH = (15, StatusCode.PERMISSION_DENIED)
    BOARD_OPEN = (16, StatusCode.FAILED_PRECONDITION)
    BOT_NOT_CONNECTED = (17, StatusCode.FAILED_PRECONDITION)
    BOT_BUSY = (18, StatusCode.RESOURCE_EXHAUSTED)
    VARIANT_NOT_PLAYED = (19, StatusCode.FAILED_PRECONDITION)
    STORE_UNAVAILABLE = (20, StatusCode.UNAVAILABLE)
    MATCH_PARKED = (21, StatusCode.FAILED_PRECONDITION)
    INTERNAL = (22, StatusCode.INTERNAL)
    LEAGUE_CLOSED = (23, StatusCode.FAILED_PRECONDITION)
    ENTRY_REFUSED = (24, StatusCode.FAILED_PRECONDITION)
    ALREADY_ENTERED = (25, StatusCode.ALREADY_EXISTS)
    NOT_ENTERED = (26, StatusCode.NOT_FOUND)
    NOT_YOUR_BOT = (27, StatusCode.PERMISSION_DENIED)
    BOT_TOKEN_REQUIRED = (28, StatusCode.PERMISSION_DENIED)
    OWNER_TOKEN_REQUIRED = (29, StatusCode.PERMISSION_DENIED)
    TOKEN_REVOKED = (30, StatusCode.UNAUTHENTICATED)
    NAME_TAKEN = (31, StatusCode.ALREADY_EXISTS)
    LIMIT_REACHED = (32, StatusCode.RESOURCE_EXHAUSTED)
    UNKNOWN_UPLOAD = (33, StatusCode.NOT_FOUND)
    UPLOAD_INCOMPLETE = (34, StatusCode.FAILED_PRECONDITION)
    PACK_REFUSED = (35, StatusCode.INVALID_ARGUMENT)
    UNKNOWN_VERSION = (36, StatusCode.NOT_FOUND)
    VERSION_NOT_QUALIFIED = (37, StatusCode.FAILED_PRECONDITION)
    CHALLENGE_REFUSED = (38, StatusCode.PERMISSION_DENIED)
    CHALLENGE_LIMIT = (39, StatusCode.RESOURCE_EXHAUSTED)
    MATCH_RUNNING = (40, StatusCode.FAILED_PRECONDITION)
    UNKNOWN_LADDER = (41, StatusCode.NOT_FOUND)

    @property
    def code(self) -> StatusCode:
        """The gRPC status code that goes with the reason."""
        return self.value[1]


class ApiError(Exception):
    """A call is refused. `metadata` goes into ErrorInfo; `fields` (field name to fault) into BadRequest.

    `retry_s`, in how many seconds it makes sense to try again, goes into RetryInfo.
    """

    def __init__(
        self,
        reason: Reason,
        text: str,
        *,
        metadata: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
        retry_s: float | None = None,
    ) -> None:
        super().__init__(text)
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.fields = dict(fields or {})
        self.retry_s = retry_s

    def status(self) -> status_pb2.Status:
        """The error as google.rpc.Status, with ErrorInfo and, where they say something, BadRequest and RetryInfo."""
        status = status_pb2.Status(code=self.reason.code.value[0], message=_short(str(self), _MAX_TEXT))
        metadata = {key: _short(value, _MAX_VALUE) for key, value in self.metadata.items()}
        about = error_details_pb2.ErrorInfo(reason=self.reason.name, domain=DOMAIN, metadata=metadata)
        status.details.add().Pack(about)
        if self.fields:
            violations = [
                error_details_pb2.BadRequest.FieldViolation(field=field, description=_short(fault, _MAX_TEXT))
                for field, fault in self.fields.items()
            ]
            status.details.add().Pack(error_details_pb2.BadRequest(field_violations=violations))
        if self.retry_s is not None:
            delay = Duration(seconds=math.ceil(self.retry_s))
            status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
        return status


def _short(text: str, limit: int) -> str:
    """Return the text, cut where it has more bytes: it may repeat what the caller sent."""
    whole = text.encode("utf-8", "replace")
    return text if len(whole) <= limit else whole[:limit].decode("utf-8", "ignore") + "…"


def invalid(**fields: str) -> ApiError:
    """Return a request with faulty fields: each field's name and what is wrong with it."""
    text = "; ".join(f"{field}: {fault}" for field, fault in fields.items())
    return ApiError(Reason.INVALID_REQUEST, text, fields=fields)
