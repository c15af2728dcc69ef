"""The enums and options of both sides."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import wire
from arena.match.model import End, Policy, Rejection
from core_ext import VARIANTS, variant_info
from core_ext.errors import UnknownVariantError
from hanafuda.arena.v1 import match_pb2, play_pb2, view_pb2


@pytest.mark.parametrize(
    ("values", "enum", "to_wire"),
    [
        (End, match_pb2.MatchEndReason, wire.END_TO_WIRE),
        (Policy, match_pb2.Policy, wire.POLICY_TO_WIRE),
        (Rejection, play_pb2.RejectionReason, wire.REJECTION_TO_WIRE),
        (
            ["hand", "field", "pile", "stock", "turned", "discard", "shown", "bottom"],
            view_pb2.ZoneKind,
            wire.ZONE_KIND_TO_WIRE,
        ),
    ],
)
def test_every_value_has_its_number_and_every_number_its_value(values, enum, to_wire):
    assert set(to_wire) == set(values)
    assert sorted(to_wire.values()) == sorted(set(enum.values()) - {0})
    assert all(enum.Name(number).endswith(f"_{str(value).upper()}") for value, number in to_wire.items())


def test_options_on_the_wire_are_those_that_differ_from_the_defaults():
    assert wire.options_to_wire("koikoi", {"months": 12, "target": None, "teshi": False, "points.goko": 12}) == {
        "teshi": "false",
        "points.goko": "12",
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_defaults_of_a_variant_need_no_option_on_the_wire(variant):
    defaults = {option.name: option.default for option in variant_info(variant).options}
    assert wire.options_to_wire(variant, defaults) == {}


VALUES = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text() | st.lists(st.integers(0, 99))


@given(st.dictionaries(st.text().map("rules.{}".format), VALUES))
def test_options_come_back_from_the_wire(options):
    assert wire.options_from_wire(wire.options_to_wire("koikoi", options)) == options


@pytest.mark.parametrize("text", ["twelve", "[" * 100_000])
def test_an_option_that_is_no_json_is_named(text):
    with pytest.raises(wire.WireError, match=re.escape(f"option months: {text!r} is no JSON")):
        wire.options_from_wire({"months": text})


def test_options_of_an_unknown_variant_are_refused():
    with pytest.raises(UnknownVariantError):
        wire.options_to_wire("poker", {"months": 1})


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_tells_the_wire_all_that_it_says_of_itself(variant):
    info = variant_info(variant)
    message = wire.variant_to_wire(info)
    assert (message.id, message.name, message.rules_version) == (info.id, info.name, info.rules_version)
    assert (message.min_seats, message.max_seats, message.num_actions) == (*info.seats[:2], len(info.actions))
    assert {option.name: json.loads(option.default_value) for option in message.options} == {
        option.name: list(option.default) if isinstance(option.default, tuple) else option.default
        for option in info.options
    }
    assert all(option.allowed and option.description for option in message.options)
    assert [
        (row.id, tuple(row.cards), row.need, tuple(row.must), row.points, row.per_extra) for row in message.yaku
    ] == [(row.id, row.cards, row.need, row.must, row.points, row.per_extra) for row in info.yaku]
    assert [tuple(tuple(three.cards) for three in row.threes) for row in message.yaku] == [
        row.threes for row in info.yaku
    ]
