"""When a scheduled league opens and starts: the `[schedule]` of a league file, and the moments that follow from it.

A time of day is that of the zone's clocks. A start that the clocks skip (they go forward over it) is as much later as
they skip; one that they show twice is the first of the two. `every 2 hours` counts from 1970 on in UTC, whatever the
clocks of the zone do, so it does not depend on when somebody looks.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, islice
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from arena.league.errors import ScheduleError

_Parsed = TypeVar("_Parsed")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MAX_OPEN_S = 52 * 7 * 86_400
MAX_TIMES = 100_000

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS = {"minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_CLOCK = re.compile(rf"every (day|{'|'.join(WEEKDAYS)}) (\d\d):(\d\d)", re.ASCII)
_INTERVAL = re.compile(r"every (?:([1-9]\d{0,5}) )?(minute|hour)s?", re.ASCII)
_ONCE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d", re.ASCII)
_SPAN = re.compile(r"(\d{1,6}) (minute|hour|day|week)s?", re.ASCII)
KEYS: Mapping[str, type] = {"start": str, "open": str, "times": int, "zone": str}
"""The keys of the table, and the types of their values."""
_KNOWN_STARTS = '"every day 03:00", "every monday 20:00", "every 2 hours" or "2026-12-01 20:00"'


class Schedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When a league starts, again and again.

    `start` as in `parse`; `open_s` is how many seconds before the start entries open, None: when the league before
    has started. `times` is how many leagues there are in all, None: no end.
    """

    start: str
    open_s: int | None = None
    times: int | None = None
    zone: str = "UTC"


class Occurrence(NamedTuple):
    """One league of a schedule: when its entries open and when it starts, both in UTC."""

    open_at: datetime
    start_at: datetime


def parse(values: Mapping[str, Any]) -> Schedule:
    """Return a schedule from the values of its table, which has `KEYS` alone: `start`, and if there are the others.

    `start` is `every day 03:00`, `every monday 20:00`, `every 2 hours` or `2026-12-01 20:00`; `open` is `24 hours`.
    Raises ScheduleError, which names the key, where a value says nothing.
    """
    if "start" not in values:
        raise ScheduleError(None, f"a schedule needs a start: {_KNOWN_STARTS}")
    zone = values.get("zone", "UTC")
    try:
        place = ZoneInfo(zone)
    except (ValueError, OSError, KeyError) as error:
        raise ScheduleError("zone", f"unknown time zone {zone!r}") from error
    start = " ".join(values["start"].lower().split())
    try:
        next(_starts(start, place, _EPOCH), None)
    except OverflowError as error:
        raise ScheduleError("start", f"{start!r} is not a date of the calendar") from error
    times = values.get("times")
    if times is not None and not 1 <= times <= MAX_TIMES:
        raise ScheduleError("times", f"a season has 1 to {MAX_TIMES} leagues, not {times}")
    return Schedule(start, _seconds(values["open"]) if "open" in values else None, times, zone)


def occurrences(schedule: Schedule, after: datetime) -> Iterator[Occurrence]:
    """The leagues that start after a moment (which knows its zone), in order, at most `times` of them.

    Where the schedule does not say how long before they open, the first opens at that moment and each other one when
    the one before starts. So the leagues after one that has started are those after its start.
    """
    after = after.astimezone(UTC)
    before = after
    for start in islice(_starts(schedule.start, ZoneInfo(schedule.zone), after), schedule.times):
        yield Occurrence(before if schedule.open_s is None else start - timedelta(seconds=schedule.open_s), start)
        before = start


def _starts(start: str, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the starts after a moment in UTC; ScheduleError if `start` says nothing."""
    if clock := _CLOCK.fullmatch(start):
        days = range(7) if clock[1] == "day" else (WEEKDAYS.index(clock[1]),)
        clock_time = _valid(time.fromisoformat, f"{clock[2]}:{clock[3]}")
        for number in count(after.astimezone(zone).date().toordinal()):
            day = date.fromordinal(number)
            moment = _in_utc(datetime.combine(day, clock_time), zone)
            if day.weekday() in days and moment > after:
                yield moment
    elif interval := _INTERVAL.fullmatch(start):
        seconds = int(interval[1] or 1) * _UNITS[interval[2]]
        for number in count(int(after.timestamp() // seconds) + 1):
            yield datetime.fromtimestamp(number * seconds, UTC)
    elif not _ONCE.fullmatch(start):
        raise ScheduleError("start", f"{start!r} is not a start: {_KNOWN_STARTS}")
    elif (moment := _in_utc(_valid(datetime.fromisoformat, start), zone)) > after:
        yield moment


def _valid(parse: Callable[[str], _Parsed], text: str) -> _Parsed:
    try:
        return parse(text)
    except ValueError as error:
        raise ScheduleError("start", f"{text!r} is not a valid date and time") from error


def _in_utc(local: datetime, zone: ZoneInfo) -> datetime:
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _seconds(text: str) -> int:
    span = _SPAN.fullmatch(" ".join(text.lower().split()))
    if span is None:
        raise ScheduleError("open", f'{text!r} is not a length of time: "30 minutes", "24 hours", "2 days" or "1 week"')
    seconds = int(span[1]) * _UNITS[span[2]]
    if seconds > MAX_OPEN_S:
        raise ScheduleError("open", f"{text!r} is too long: entries open at most 52 weeks before the start")
    return seconds
