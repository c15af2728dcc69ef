"""Schedules: a node opens and starts the leagues that are due.

Every node polls. Each of their actions is idempotent, and only the first node's update of a schedule takes effect.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import takewhile

import msgspec

from arena.league import schedule
from arena.league.schedule import Occurrence
from arena.league.spec import LeagueSpec, canonical
from arena.organizer import steps as league
from arena.organizer.entries import check_variants, renewed
from arena.organizer.errors import FieldError, UnplayableError, UnreadableScheduleError
from arena.store import EntryRecord, ScheduleRecord, Store
from arena.store.errors import (
    LeagueChangedError,
    LeagueStateError,
    ScheduleExistsError,
    StoreError,
    UnknownLeagueError,
    UnknownScheduleError,
)

log = logging.getLogger(__name__)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Season(msgspec.Struct, frozen=True):
    """The state of a schedule, as the store keeps it. Times are microseconds since 1970."""

    config: bytes
    """The league file that it was made from."""
    entrants: tuple[EntryRecord, ...]
    number: int
    """The number of the next league, from 1."""
    open_us: int
    start_us: int
    opened: bool = False
    """Whether the next league is open for entries."""
    left: int | None = None
    """How many leagues are left, the next one included; None: no end."""
    skipped: int = 0
    """Missed starts that were skipped because a later one was due as well."""

    @property
    def spec(self) -> LeagueSpec:
        """The league file, with its schedule."""
        return msgspec.json.decode(self.config, type=LeagueSpec)

    @property
    def league(self) -> LeagueSpec:
        """The next league."""
        return self.spec.occurrence(self.number)

    @property
    def due_us(self) -> int:
        """When the next league opens, or starts if it is open."""
        return self.start_us if self.opened else self.open_us

    def following(self) -> "Season | None":
        """Return the season with the league after this one; None when this is the last."""
        start = next(_occurrences_after(self.spec, self.start_us), None)
        if start is None or self.left == 1:
            return None
        return msgspec.structs.replace(
            self,
            number=self.number + 1,
            open_us=_us(start.open_at),
            start_us=_us(start.start_at),
            opened=False,
            left=None if self.left is None else self.left - 1,
        )

    def caught_up(self, now_us: int) -> "Season":
        """Return the season with the next league at the latest start that has passed; earlier ones are skipped."""
        missed = list(
            takewhile(lambda season: _us(season.start_at) <= now_us, _occurrences_after(self.spec, self.start_us))
        )
        if not missed:
            return self
        skipped = self.skipped + len(missed)
        return msgspec.structs.replace(self, start_us=_us(missed[-1].start_at), skipped=skipped)

    def starts(self, count: int) -> list[datetime]:
        """The next starts, at most so many."""
        starts: list[datetime] = []
        season: Season | None = self
        while season is not None and len(starts) < count:
            starts.append(moment(season.start_us))
            season = season.following()
        return starts


def moment(micros: int) -> datetime:
    """A time in microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=micros)


def season_of(schedule: ScheduleRecord) -> Season:
    """The state of a stored schedule. Raises UnreadableScheduleError."""
    try:
        season = msgspec.msgpack.decode(schedule.record, type=Season)
        planned = season.spec.schedule
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableScheduleError(schedule.name, str(error)) from error
    if planned is None:
        raise UnreadableScheduleError(schedule.name, "its league file has no [schedule]")
    return season


async def create(store: Store, spec: LeagueSpec, entrants: list[EntryRecord], now: datetime) -> Season:
    """Schedule the leagues of a file; the same file again changes nothing.

    Numbers of leagues that an earlier schedule of this name created are not used again. Raises UnplayableError when
    every start is in the past, ScheduleExistsError, UnreadableScheduleError.
    """
    assert spec.schedule is not None
    with suppress(UnknownScheduleError):
        stored = season_of(await store.schedules.get(spec.name))
        if stored.config == canonical(spec):
            return stored
        raise ScheduleExistsError(spec.name)
    first = next(_occurrences_after(spec, _us(now)), None)
    if first is None:
        raise UnplayableError(("schedule", "start"), "is in the past, so no league would ever start")
    await check_variants(store, entrants)
    number = 1
    with suppress(UnknownLeagueError):
        while await store.leagues.get(spec.occurrence(number).name):
            number += 1
    open_us, start_us = _us(first.open_at), _us(first.start_at)
    made = Season(canonical(spec), tuple(entrants), number, open_us, start_us, left=spec.schedule.times)
    await store.schedules.create(spec.name, msgspec.msgpack.encode(made), made.due_us)
    return made


async def carry_out(store: Store, now: datetime) -> None:
    """Open and start every league that is due. Errors that nobody foresaw are raised as a group, when all is done."""
    failed: dict[str, Exception] = {}
    while due := [planned for planned in await store.schedules.due(_us(now)) if planned.name not in failed]:
        for planned in due:
            try:
                await _carry_out(store, planned, _us(now))
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it is this schedule's alone
                failed[planned.name] = error
    if failed:
        raise ExceptionGroup(f"schedules that cannot be carried out: {', '.join(failed)}", [*failed.values()])


async def _carry_out(store: Store, due: ScheduleRecord, now_us: int) -> None:
    before = season_of(due)
    now = before.caught_up(now_us)
    upcoming = now.league
    if now.skipped > before.skipped:
        missed = now.skipped - before.skipped
        log.warning("skipped %d missed starts: league %s is the one of %s", missed, upcoming.name, _shown(now))
    following: Season | None
    try:
        if not now.opened:
            await league.create(store, upcoming, await renewed(store, upcoming, now.entrants))
            log.info("league %s is open, and starts at %s", upcoming.name, _shown(now))
            following = msgspec.structs.replace(now, opened=True)
        else:
            await _start(store, upcoming.name)
            following = now.following()
    except LeagueChangedError as error:
        log.error("the start of %s is skipped: %s", _shown(now), error)
        following = now.following()
    if following is None:
        await store.schedules.move(due, b"", 0)
    else:
        await store.schedules.move(due, msgspec.msgpack.encode(following), following.due_us)


async def _start(store: Store, name: str) -> None:
    try:
        await league.start(store, name, without_nonces=True)
    except FieldError as error:
        log.warning("%s; it is cancelled", error)
        await store.leagues.cancel(name, only_open=True)
    except LeagueStateError as error:
        log.warning("%s", error)
    else:
        log.info("league %s has started", name)


def _occurrences_after(spec: LeagueSpec, after_us: int) -> Iterator[Occurrence]:
    """Return the occurrences after a moment, however many leagues there are to be."""
    assert spec.schedule is not None
    return schedule.occurrences(msgspec.structs.replace(spec.schedule, times=None), moment(after_us))


def _us(instant: datetime) -> int:
    return (instant - _EPOCH) // timedelta(microseconds=1)


def _shown(season: Season) -> str:
    return f"{moment(season.start_us):%Y-%m-%d %H:%M} UTC"
