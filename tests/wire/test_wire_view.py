"""Views on the wire, and back."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from view_message import view_message
from wire_cases import house_options, questions

from arena import wire
from core_ext import VARIANTS, Event, Observation, State, Zone, variant_info
from core_ext.errors import OptionError
from hanafuda.arena.v1 import play_pb2, view_pb2

CARDS = st.lists(st.integers(0, 47), unique=True).map(lambda cards: tuple(sorted(cards)))
SEATS = st.integers(-1, 3)


def without_events(observation: Observation) -> Observation:
    return dataclasses.replace(observation, events=())


def as_sent(observation: Observation) -> Observation:
    """What of a view is in its message."""
    return observation if variant_info(observation.variant).recalls else without_events(observation)


@pytest.mark.parametrize("has_house_options", [False, True])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2))
def test_every_view_of_a_match_comes_back_from_the_wire(variant, seed, has_house_options):
    for question in questions(seed, variant, house_options(variant) if has_house_options else {}):
        for seat in range(question.state.seats):
            view = question.state.observation(seat)
            message = view_pb2.Observation.FromString(view_message(view).SerializeToString())
            assert wire.observation_from_wire(message, legal=view.legal) == as_sent(view)
        public = question.state.spectate()
        assert wire.observation_from_wire(view_message(public)) == as_sent(public)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_bot_can_suppose_hidden_cards_from_the_message_alone(variant):
    for question in questions(11, variant):
        sent = wire.decision_to_wire(question).SerializeToString()
        message = play_pb2.Decision.FromString(sent)
        view = wire.observation_from_wire(
            message.observation, legal=[action.code for action in message.legal], events=message.events
        )
        supposed = State.from_observation(view, 7)
        assert supposed.current_player == question.seat
        assert tuple(supposed.legal_actions()) == question.legal
        assert without_events(supposed.observation(question.seat)) == without_events(question.observation)


@given(st.sampled_from(sorted(wire.ZONE_KIND_TO_WIRE)), SEATS, CARDS, st.integers(0, 48))
def test_any_zone_is_written_as_protobuf_writes_it(kind, seat, cards, hidden):
    question = next(questions(1))
    zone = Zone(kind, seat, cards, min(48, len(cards) + hidden))
    view = dataclasses.replace(question.observation, zones=(zone,))
    expected = view_pb2.Zone(kind=wire.ZONE_KIND_TO_WIRE[kind], seat=seat, cards=cards, count=zone.count)
    assert list(view_message(view).zones) == [expected]


@given(st.text(), SEATS, CARDS, CARDS, st.text(), st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple))
def test_any_event_comes_back_from_the_wire(kind, seat, cards, taken, name, values):
    event = Event(kind, seat, cards, taken, name, values)
    message = view_pb2.Event.FromString(wire.event_to_wire(event).SerializeToString())
    assert wire.event_from_wire(message) == event


def test_a_zone_of_a_kind_that_is_not_known_is_refused():
    message = view_message(next(questions(1)).observation)
    message.zones.add(kind=99)
    with pytest.raises(wire.WireError, match="99"):
        wire.observation_from_wire(message)


def test_an_option_that_the_variant_does_not_have_is_refused():
    message = view_message(next(questions(1)).observation)
    message.options["wind"] = "1"
    with pytest.raises(OptionError, match="wind"):
        wire.observation_from_wire(message)
