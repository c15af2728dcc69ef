"""A match drawn in the terminal."""

import io
import re

import pytest
from msgspec.structs import replace
from replay_cases import first_choices, random_record
from rich.cells import cell_len
from rich.console import Console

from arena.match.model import End
from arena.replays.deals import deals_of
from arena.replays.show import sentence, show
from core_ext import ALL, EVENT_KINDS, SPECTATOR, variant_info
from core_ext.observation import Event

RECORD = random_record("show")


def drawn(record=RECORD, width=80, **which):
    out = io.StringIO()
    show(record, Console(file=out, width=width, color_system=None), **which)
    return out.getvalue()


def test_a_drawing_fits_eighty_columns_without_colour():
    text = drawn()
    assert "\x1b" not in text
    assert max(map(cell_len, text.splitlines())) <= 80


def test_every_deal_and_every_decision_is_drawn():
    text = drawn()
    numbers = [int(match) for match in re.findall(r"^ *(\d+) a-bot", text, re.MULTILINE)]
    assert numbers == list(range(1, RECORD.decisions + 1))
    assert [int(match) for match in re.findall(r"^month (\d+) ", text, re.MULTILINE)] == sorted(
        deal.month for deal in deals_of(RECORD)
    )


def test_one_month_can_be_drawn_alone():
    text = drawn(month=5)
    assert re.findall(r"^month (\d+) ", text, re.MULTILINE) == ["5"]


def test_the_balances_add_up_to_the_results():
    *_, last = deals_of(RECORD)
    assert last.balances == RECORD.results
    assert f"1. a-bot-in-seat-{RECORD.results.index(max(RECORD.results))}  {max(RECORD.results)}" in drawn()


def test_a_score_is_explained():
    for number in range(100):
        record = random_record(f"explained/{number}")
        for deal in deals_of(record):
            stakes = {counter.seat: counter.value for counter in deal.counters if counter.name == "stake"}
            if deal.end.name == "stop" and stakes[0] and stakes[1]:
                own = sum(row.values[0] for row in deal.scores)
                other = stakes[1 - deal.end.seat]
                score = deal.end.values[deal.end.seat]
                text = drawn(record, month=deal.month)
                assert f"({own} + {other}) × 2 = {score}" in text
                assert "multiplier 2" in text
                return
    raise AssertionError("in no match had both seats said koi")


def test_a_seat_sees_its_own_hand_alone():
    for deal, known in zip(deals_of(RECORD), deals_of(RECORD, 1), strict=True):
        assert known.hands == {1: deal.hands[1]}


def test_a_spectator_sees_no_hand():
    assert all(deal.hands == {} for deal in deals_of(RECORD, SPECTATOR))


def test_clock_readings_are_drawn_where_they_were_kept():
    record = random_record("clock", options={"months": 1}, clock=True)
    assert all(f" {reading} ms" in drawn(record, width=120) for reading in record.clock_ms)
    assert " ms" not in drawn()


@pytest.mark.parametrize("end", End)
def test_every_end_has_its_words(end):
    offender = -1 if end in (End.COMPLETED, End.SAFEGUARD, End.ABANDONED) else 0
    text = drawn(replace(RECORD, end=end, offender=offender), month=1)
    assert ("a-bot-in-seat-0 forfeited" in text) == (offender == 0)
    assert "{" not in text


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_an_event_of_any_kind_can_be_told(kind):
    told = sentence(Event(kind, 0, (0,), (), "", (3,)), {}).plain
    assert told.strip()
    assert "{" not in told


def test_bots_of_one_name_are_told_apart():
    text = drawn(replace(RECORD, names=("twin", "twin")), month=1)
    assert "twin/0" in text
    assert "twin/1" in text


def test_a_match_that_was_cut_short_is_drawn_as_far_as_it_went():
    record = replace(first_choices(RECORD, 7), end=End.TIMEOUT, offender=1, results=(0, 0))
    [deal] = deals_of(record, ALL)
    assert deal.end is None
    assert "its time was over" in drawn(record)


def test_what_follows_from_a_deal_has_no_decisions_number():
    text = drawn(random_record("numbers", "koikoi45"), width=110)
    assert re.search(r"^ +the month begins at × \d+", text, re.MULTILINE)
    assert not re.search(r"^ *\d+ +the month begins", text, re.MULTILINE)


@pytest.mark.parametrize("variant", ["koikoi", "koikoi45", "kyogi", "hachihachi"])
def test_dealt_hands_are_told_by_their_names(variant):
    info = variant_info(variant)
    assert set(info.dealt_hands) <= dict(info.titles).keys()


def test_the_prizes_of_seasons_and_year_are_told_by_name():
    text = drawn(random_record("prizes/1", "kyogi"), width=110)
    assert "小引 kobiki" in text
    assert "吟味 ginmi" in text
    assert "The winner of the year has its ginmi beside the balance." in text
