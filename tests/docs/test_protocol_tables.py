"""The protocol's tables of zones, counters, phases and events are what bots see, variant by variant."""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from core_ext import ALL, EVENT_KINDS, VARIANTS, Observation, State, variant_info

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
MATCHING = tuple(variant for variant in VARIANTS if variant != "sangohana")
OPTIONS: dict[str, tuple[dict[str, object], ...]] = {"koikoi": ({}, {"field_four": "dealer_takes"})}
MATCHES = 320
LOOKED_AT = 0.1


def rows(head: str) -> dict[str, tuple[str, str]]:
    """The table whose first cell is this: where each name is found, and what is said of it."""
    section = PROTOCOL.read_text("utf-8").split("### What an observation holds")[1].split("\n## ")[0]
    (table,) = (part for part in section.split("\n\n") if part.startswith(f"| {head} |"))
    found = {}
    for line in table.splitlines()[2:]:
        names, where, text = (cell.strip() for cell in line.strip("|").split("|"))
        found |= dict.fromkeys(re.findall(r"`(\w+)`", names), (where, text))
    return found


def written(head: str, variant: str) -> set[str]:
    """The names that the table gives this variant."""
    places = {name: where for name, (where, _) in rows(head).items()}
    return {
        name
        for name, where in places.items()
        if not where or variant in re.findall(r"`(\w+)`", where) or (where == "matching" and variant in MATCHING)
    }


def look(view: Observation, found: dict[str, set[str]]) -> None:
    found["zone"] |= {zone.kind.upper() for zone in view.zones}
    found["counter"] |= {counter.name for counter in view.counters}
    found["phase"].add(view.phase)


@cache
def seen(variant: str) -> dict[str, set[str]]:
    """What bots and spectators see in matches in which koi is said and hands are declared more often than not."""
    found: dict[str, set[str]] = {head: set() for head in ("zone", "counter", "phase", "event", "name")}
    for number in range(MATCHES):
        rng = random.Random(number)
        options = OPTIONS.get(variant, ({},))
        state = State.new(variant, options[number % len(options)], number)
        while not state.is_over:
            if rng.random() < LOOKED_AT:
                look(state.observation(state.current_player), found)
            texts = state.legal_texts()
            liked = [text for text in texts if text.startswith(("declare", "exchange", "koi"))]
            chosen = rng.choice(liked if liked and rng.random() < 0.7 else texts)
            state.apply(state.legal_actions()[texts.index(chosen)])
        look(state.spectate(), found)
        found["event"] |= {event.kind for event in state.events(ALL)}
        found["name"] |= {event.name for event in state.events(ALL) if event.name}
    return found


@pytest.mark.parametrize("head", ["zone", "counter", "phase", "event"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_protocol_tells_of_all_that_is_seen_and_of_nothing_else(variant, head):
    assert written(head, variant) == seen(variant)[head]


def test_every_kind_of_event_has_its_row():
    assert set(rows("event")) == set(EVENT_KINDS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_names_of_events_are_told_there_or_are_ids_of_the_variant(variant):
    info = variant_info(variant)
    told = {name for _, text in rows("event").values() for name in re.findall(r"`(\w+)`", text)}
    assert seen(variant)["name"] <= told | {row.id for row in info.yaku} | set(info.dealt_hands)
    assert set(info.terms) <= told
