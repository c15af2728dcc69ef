"""When a schedule's leagues open and start, by the clocks of its zone."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.errors import ScheduleError
from arena.league.schedule import MAX_OPEN_S, Occurrence, Schedule, occurrences, parse

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def starts(schedule: Schedule, after: str, count: int = 3) -> list[str]:
    return [f"{occurrence.start_at:%Y-%m-%d %H:%M}" for occurrence in islice(occurrences(schedule, at(after)), count)]


def test_a_schedule_is_read_with_its_defaults() -> None:
    assert parse({"start": "every day 03:00"}) == Schedule("every day 03:00", None, None, "UTC")
    full = {"start": "Every  Monday 20:00", "open": "24 hours", "times": 12, "zone": "Asia/Tokyo"}
    assert parse(full) == Schedule("every monday 20:00", 86_400, 12, "Asia/Tokyo")


def test_every_day_starts_each_day_after_the_moment() -> None:
    schedule = parse({"start": "every day 03:00"})
    expected = ["2026-11-21 03:00", "2026-11-22 03:00", "2026-11-23 03:00"]
    assert starts(schedule, "2026-11-20 03:00") == expected
    assert starts(schedule, "2026-11-21 02:59") == expected


def test_every_monday_starts_on_mondays_by_the_clocks_of_the_zone() -> None:
    schedule = parse({"start": "every monday 20:00", "zone": "Asia/Tokyo"})
    assert starts(schedule, "2026-11-20 00:00", 2) == ["2026-11-23 11:00", "2026-11-30 11:00"]
    schedule = parse({"start": "every monday 05:00", "zone": "Asia/Tokyo"})
    assert starts(schedule, "2026-11-20 00:00", 1) == ["2026-11-22 20:00"], "it is Monday in Tokyo already"


def test_every_two_hours_does_not_depend_on_when_it_is_asked() -> None:
    schedule = parse({"start": "every 2 hours"})
    assert starts(schedule, "2026-11-20 18:59", 2) == ["2026-11-20 20:00", "2026-11-20 22:00"]
    assert starts(schedule, "2026-11-20 20:00", 1) == ["2026-11-20 22:00"]
    assert starts(parse({"start": "every hour"}), "2026-11-20 18:59", 1) == ["2026-11-20 19:00"]
    assert starts(parse({"start": "every 15 minutes"}), "2026-11-20 18:59", 1) == ["2026-11-20 19:00"]


def test_a_single_date_starts_once() -> None:
    schedule = parse({"start": "2026-12-01 20:00", "zone": "Asia/Tokyo"})
    assert starts(schedule, "2026-11-20 00:00") == ["2026-12-01 11:00"]
    assert starts(schedule, "2026-12-01 11:00") == []


def test_a_season_has_so_many_leagues() -> None:
    assert len(list(occurrences(parse({"start": "every day 03:00", "times": 12}), at("2026-11-20 00:00")))) == 12


def test_entries_open_so_long_before_the_start() -> None:
    schedule = parse({"start": "every day 03:00", "open": "30 minutes", "times": 1})
    assert list(occurrences(schedule, at("2026-11-20 00:00"))) == [
        Occurrence(at("2026-11-20 02:30"), at("2026-11-20 03:00"))
    ]


def test_else_entries_open_when_the_league_before_starts_and_the_first_at_once() -> None:
    now = at("2026-11-20 12:34")
    found = list(occurrences(parse({"start": "every day 03:00", "times": 3}), now))
    assert [one.open_at for one in found] == [now, at("2026-11-21 03:00"), at("2026-11-22 03:00")]
    assert list(occurrences(parse({"start": "every day 03:00", "times": 2}), found[0].start_at)) == found[1:]


def test_a_start_that_the_clocks_skip_is_as_much_later_and_the_day_after_as_ever() -> None:
    # Berlin's clocks go from 02:00 to 03:00 on 29 March 2026, from UTC+1 to UTC+2.
    schedule = parse({"start": "every day 02:30", "zone": "Europe/Berlin"})
    assert starts(schedule, "2026-03-28 00:00") == ["2026-03-28 01:30", "2026-03-29 01:30", "2026-03-30 00:30"]
    local = [
        occurrence.start_at.astimezone(BERLIN)
        for occurrence in islice(occurrences(schedule, at("2026-03-28 00:00")), 3)
    ]
    assert [f"{start:%H:%M}" for start in local] == ["02:30", "03:30", "02:30"]


def test_a_start_that_the_clocks_show_twice_is_the_first_of_the_two_only() -> None:
    # Berlin's clocks go from 03:00 back to 02:00 on 25 October 2026, from UTC+2 to UTC+1.
    schedule = parse({"start": "every sunday 02:30", "zone": "Europe/Berlin"})
    assert starts(schedule, "2026-10-20 00:00", 2) == ["2026-10-25 00:30", "2026-11-01 01:30"]
    assert starts(schedule, "2026-10-25 00:30", 1) == ["2026-11-01 01:30"]


@given(
    st.sampled_from(["every day 02:30", "every sunday 02:30", "every 7 hours", "every 40 minutes"]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"]),
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)),
)
def test_starts_follow_one_another_and_do_not_depend_on_where_one_begins(start: str, zone: str, now: datetime) -> None:
    schedule = parse({"start": start, "zone": zone})
    found = list(islice(occurrences(schedule, now.replace(tzinfo=UTC)), 4))
    assert now.replace(tzinfo=UTC) < found[0].start_at
    assert [one.open_at for one in found[1:]] == [one.start_at for one in found[:-1]]
    assert all(one.open_at < one.start_at for one in found)
    for place, one in enumerate(found[:-1]):
        assert next(occurrences(schedule, one.start_at)) == found[place + 1]
        just_before = one.start_at - timedelta(microseconds=1)
        assert next(occurrences(schedule, just_before)).start_at == one.start_at


@pytest.mark.parametrize(
    ("start", "first"),
    [
        ("every day 03:00", "2026-11-21 03:00"),
        ("every monday 20:00", "2026-11-23 20:00"),
        ("every sunday 00:00", "2026-11-22 00:00"),
        ("every 2 hours", "2026-11-20 20:00"),
        ("every hour", "2026-11-20 19:00"),
        ("every 1 hour", "2026-11-20 19:00"),
        ("every 5 minutes", "2026-11-20 18:55"),
        ("every minute", "2026-11-20 18:53"),
        ("2026-12-01 20:00", "2026-12-01 20:00"),
        ("  Every   MONDAY 20:00 ", "2026-11-23 20:00"),
    ],
)
def test_every_form_of_a_start_says_its_moment(start: str, first: str) -> None:
    assert starts(parse({"start": start}), "2026-11-20 18:52", 1) == [first]


@pytest.mark.parametrize(
    ("span", "seconds"),
    [("0 minutes", 0), ("1 minute", 60), ("24 hours", 86_400), ("2 Days", 172_800), ("52 weeks", MAX_OPEN_S)],
)
def test_every_form_of_a_span_says_how_long_before_the_start_entries_open(span: str, seconds: int) -> None:
    assert parse({"start": "every day 03:00", "open": span}).open_s == seconds


@pytest.mark.parametrize(
    ("values", "key", "reason"),
    [
        ({}, None, "needs a start"),
        ({"start": "every 0 hours"}, "start", "not a start"),
        ({"start": "every day 3:00"}, "start", "not a start"),
        ({"start": "every day 24:00"}, "start", "not a valid date and time"),
        ({"start": "every moonday 20:00"}, "start", "not a start"),
        ({"start": "2026-02-30 20:00"}, "start", "not a valid date and time"),
        ({"start": "every day 03:00", "open": "soon"}, "open", "not a length of time"),
        ({"start": "every day 03:00", "open": "100000 hours"}, "open", "at most 52 weeks before the start"),
        ({"start": "every day 03:00", "open": "53 weeks"}, "open", "at most 52 weeks"),
        ({"start": "every day 03:00", "open": "-1 hours"}, "open", "not a length of time"),
        ({"start": "every 2 days"}, "start", "not a start"),
        ({"start": "9999-12-31 23:00", "zone": "America/New_York"}, "start", "is not a date of the calendar"),
        ({"start": "0001-01-01 00:00", "zone": "Asia/Tokyo"}, "start", "is not a date of the calendar"),
        ({"start": "every day 03:00", "times": 10**30}, "times", "1 to 100000 leagues"),
        ({"start": "every day 03:00", "times": 0}, "times", "1 to 100000 leagues"),
        ({"start": "every day 03:00", "zone": "../etc"}, "zone", "unknown time zone"),
        ({"start": "every day 03:00", "zone": ""}, "zone", "unknown time zone"),
    ],
)
def test_a_schedule_that_says_nothing_is_refused_by_its_key(
    values: dict[str, object], key: str | None, reason: str
) -> None:
    with pytest.raises(ScheduleError, match=reason) as caught:
        parse(values)
    assert caught.value.key == key
