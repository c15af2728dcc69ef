"""The viewer's document says what the rules core says, of every step, to every viewer."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from viewer_cases import CLOCK, FORFEITS, SEATS, WHOLE

from arena.bench.site import house_match
from arena.replays import ReplayRecord
from arena.replays.verify import start
from arena.replays.views import carried_out, steps
from arena.web.viewer.document import document
from arena.web.viewer.picture import picture
from arena.web.viewer.scene import OPEN, scene
from core_ext import ALL, SPECTATOR, Observation, State, Zone
from core_ext.cards import CARD_NAMES

RECORDS = {**WHOLE, **{f"{name}-forfeit": record for name, record in FORFEITS.items()}, **SEATS}
each = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)


def observations(state: State) -> list[Observation]:
    return [*(state.observation(seat) for seat in range(state.seats)), state.spectate()]


def shown(doc: Mapping[str, Any], view: Any) -> tuple[Any, ...]:
    """A view of the document as an observation's fields."""
    turn, phase, zones, counters = view
    return (
        turn,
        phase,
        tuple((kind, seat, tuple(cards), count) for kind, seat, cards, count in map(doc["zones"].__getitem__, zones)),
        tuple(map(tuple, doc["counters"][counters])),
    )


@each
def test_every_decision_is_shown_as_the_core_showed_it_to_each_seat_and_to_all(record: ReplayRecord) -> None:
    doc = document(record)
    state = start(record)
    choices, _ = start(record).apply_packed(record.packed, record.decisions)
    decisions = [step for step in doc["steps"] if step["decision"]]
    assert len(decisions) == len(choices) + (not played_out(record))
    for number, step in enumerate(decisions):
        assert step["decision"] == number + 1
        assert step["asked"] == state.current_player
        assert [doc["actions"][index][0] for index in step["legal"]] == state.legal_texts()
        seen = [
            tuple(getattr(observation, field) for field in ("turn", "phase", "zones", "counters"))
            for observation in observations(state)
        ]
        assert [shown(doc, view) for view in step["views"]] == seen
        if number < len(choices):
            assert step["chosen"] == choices[number]
            state.apply_choices(choices[number : number + 1])
        else:
            assert step["chosen"] == -1


def played_out(record: ReplayRecord) -> bool:
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    return state.is_over


@each
def test_the_table_at_a_deals_end_follows_from_the_last_decision_as_at_every_other_step(record: ReplayRecord) -> None:
    """Where the core shows the next table, carrying out the events on the one before gives the same."""
    compared = 0
    for before, after in pairwise(steps(record)):
        kinds = {event.kind for event in after.events[-1]}
        if before.deal != after.deal or not after.decision or kinds & {"exchange", "declare"}:
            continue
        for old, new, events in zip(before.views, after.views, after.events, strict=False):
            assert lying(carried_out(old.zones, events)) == lying(new.zones)
            compared += 1
    assert compared > 50


def lying(zones: tuple[Zone, ...]) -> dict[tuple[str, int], tuple[tuple[int, ...], int]]:
    """What lies where, a turned card that waits for a choice on the field."""
    found: dict[tuple[str, int], tuple[tuple[int, ...], int]] = {}
    for zone in zones:
        if zone.kind in {"hand", "field", "turned", "pile", "discard", "stock"} and zone.count:
            place = ("field" if zone.kind == "turned" else zone.kind, zone.seat)
            cards, count = found.get(place, ((), 0))
            known = (*cards, *zone.cards)
            found[place] = (known if zone.kind == "discard" else tuple(sorted(known)), count + zone.count)
    return found


@each
def test_a_seat_is_told_what_the_core_told_it_and_nothing_else(record: ReplayRecord) -> None:
    for step in steps(record):
        for viewer, events in enumerate(step.events[:-1]):
            assert {event.seat for event in events if event.kind == "pass"} <= {viewer}
            assert len(events) <= len(step.events[-1])
    viewers = (*range(len(record.names)), SPECTATOR, ALL)
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    told = [[event for step in steps(record) for event in step.events[at]] for at in range(len(viewers))]
    assert told == [list(state.events(viewer)) for viewer in viewers]


@each
def test_the_sum_of_every_deal_leads_from_the_balances_before_it_to_those_after(record: ReplayRecord) -> None:
    doc = document(record)
    balances = [list(deal["after"]) for deal in doc["deals"]]
    for deal, previous in zip(doc["deals"], [list(doc["deals"][0]["before"]), *balances], strict=False):
        assert list(deal["before"]) == previous
        if deal["scores"] is None:
            continue
        running = list(deal["before"])
        for row in deal["sum"]:
            running = [now + change for now, change in zip(running, row["values"] or [0] * len(running), strict=True)]
            assert list(row["balances"]) == running
        assert running == list(deal["after"])
        assert [after - before for before, after in zip(deal["before"], deal["after"], strict=True)] == list(
            deal["scores"]
        )


def test_what_counts_beside_the_balances_leads_from_them_to_the_results() -> None:
    doc = document(WHOLE["kyogi"])
    last = doc["deals"][-1]
    [ginmi] = last["beside"]
    assert "ginmi" in ginmi["label"]
    assert [after + won for after, won in zip(last["after"], ginmi["values"], strict=True)] == list(doc["results"])
    assert list(ginmi["balances"]) == list(doc["results"])
    assert all(not deal["beside"] for deal in doc["deals"][:-1])


@each
def test_a_yaku_that_the_core_says_is_made_lacks_nothing(record: ReplayRecord) -> None:
    doc = document(record)
    rows = {row["id"]: index for index, row in enumerate(doc["yaku"])}
    made = 0
    for number, step in enumerate(steps(record)):
        for event in step.events[-1]:
            if event.kind == "yaku" and event.name in rows:
                progress = dict(map(tuple, doc["progress"][doc["steps"][number]["progress"]][event.seat]))
                assert progress[rows[event.name]] == 0
                assert set(event.cards) <= set(doc["yaku"][rows[event.name]]["cards"])
                made += 1
    assert made or record.variant == "sangohana"


def test_clocks_add_up_by_seat() -> None:
    doc = document(CLOCK)
    spent = [0] * len(CLOCK.names)
    for step in doc["steps"]:
        assert step["used"] == spent
        if step["decision"]:
            assert step["clock"] == CLOCK.clock_ms[step["decision"] - 1]
            spent[step["asked"]] += step["clock"]


def test_actions_are_told_with_the_cards_that_they_name() -> None:
    words = {
        "1R": ["play ", ["1R"]],
        "1R*1x": ["play ", ["1R"], ", take ", ["1x"]],
        "1R*1L,1x,1y": ["play ", ["1R"], ", take ", ["1L", "1x", "1y"]],
        "*5x": ["take ", ["5x"]],
        "discard:3R": ["discard ", ["3R"]],
        "exchange:7": ["exchange month 7"],
        "stop": ["stop"],
    }
    found: dict[str, Any] = {}
    for record in RECORDS.values():
        for text, parts in document(record)["actions"]:
            found[text] = [
                part if isinstance(part, str) else [CARD_NAMES[card] for card in part["cards"]] for part in parts
            ]
    for text, told in words.items():
        assert found.get(text, told) == told
    assert {"1R", "*5x", "stop", "discard:3R"} <= set(found)


def test_names_cannot_turn_the_text_after_them_round_or_break_a_picture() -> None:
    wide = "漢" * 40
    record = house_match("koikoi", "hidden", options={"months": 1}, names=["\u202eevil\ufffe", wide])
    doc = document(record)
    assert doc["names"] == ("\ufffdevil\ufffd", wide)
    assert "\u202e" not in str(doc)
    drawn = picture(doc, scene(doc, 0, OPEN))
    texts = [text for element in ElementTree.fromstring(drawn).iter() for text in [element.text or ""]]
    assert wide[:19] + "…" in [text.removeprefix("▶ ") for text in texts]
