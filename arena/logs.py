"""What a process logs: events with fields, as text for people or as one JSON document a line, and not without bound."""

import json
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from arena.metrics import meters

TEXT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
BURST = 50
"""How many lines of one kind strangers can cause at once."""
REFILL_S = 1.0
"""How long until they can cause one more."""
_LIBRARIES = ("asyncio", "grpc", "uvicorn")
"""Loggers, with those below them, whose lines strangers may be able to cause as often as they like."""
_NO_CALLER = "ExecuteBatchError"
"""What gRPC raises when an answer cannot be sent, as its caller is gone: no fault of anybody's."""
_FIELDS = "arena_fields"
_EVENT = "arena_event"
_LIMITED = "arena_limited"


def event(
    log: logging.Logger, level: int, kind: str, text: str, /, *args: object, limited: bool = False, **fields: object
) -> None:
    """Log an event: its text for people, and its kind and fields for programs.

    What strangers can cause as often as they like is `limited`.
    """
    if log.isEnabledFor(level):
        log.log(level, text, *args, extra={_EVENT: kind, _FIELDS: fields, _LIMITED: limited})


class JsonFormatter(logging.Formatter):
    """One JSON document a line: time, level, logger, event, message, and the event's fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        document: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": getattr(record, _EVENT, "log"),
            "message": record.getMessage(),
        }
        fields: Mapping[str, object] = getattr(record, _FIELDS, {})
        document.update({name: value for name, value in fields.items() if name not in document})
        if record.exc_info:
            document["traceback"] = self.formatException(record.exc_info)
        return json.dumps(document, default=str, ensure_ascii=False)


class RateLimit(logging.Filter):
    """Holds back lines of a kind that strangers cause too fast; the next one that passes tells how many there were."""

    def __init__(self, burst: int = BURST, refill_s: float = REFILL_S) -> None:
        super().__init__()
        self._burst, self._refill_s = float(burst), refill_s
        self._buckets: dict[str, tuple[float, float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written."""
        library = record.name.partition(".")[0]
        if library == "grpc" and record.exc_info and getattr(record.exc_info[0], "__name__", "") == _NO_CALLER:
            return False
        if not getattr(record, _LIMITED, False) and library not in _LIBRARIES:
            meters.log_records.add(record.levelname.lower())
            return True
        kind, now = getattr(record, _EVENT, record.name), time.monotonic()
        tokens, last, withheld = self._buckets.get(kind, (self._burst, now, 0))
        tokens = min(self._burst, tokens + (now - last) / self._refill_s)
        if tokens < 1:
            self._buckets[kind] = tokens, now, withheld + 1
            meters.log_records.add("held_back")
            return False
        self._buckets[kind] = tokens - 1, now, 0
        meters.log_records.add(record.levelname.lower())
        if withheld:
            record.msg = f"{record.getMessage()} ({withheld} more like it were held back)"
            record.args = ()
            setattr(record, _FIELDS, {**getattr(record, _FIELDS, {}), "held_back": withheld})
        return True


def configure(level: int, formatter: logging.Formatter, *, every_event: bool = False) -> None:
    """Log to standard error: of the arena from this level on, of everything else warnings.

    With `every_event` events are logged at any level, those of league matches too, which for people are below `info`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    handler.addFilter(RateLimit())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logger = logging.getLogger("arena")
    logger.setLevel(logging.DEBUG if every_event else level)
    if every_event:
        handler.addFilter(lambda record: record.levelno >= level or hasattr(record, _EVENT))
