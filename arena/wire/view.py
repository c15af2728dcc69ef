"""What a seat may see: zones, counters, events."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from arena.wire.enums import ZONE_KIND_FROM_WIRE, ZONE_KIND_TO_WIRE
from arena.wire.errors import WireError
from arena.wire.framing import framed, tag
from arena.wire.options import options_from_wire, options_to_wire
from core_ext import Counter, Event, Observation, Zone, variant_info
from core_ext.options import resolve
from hanafuda.arena.v1 import play_pb2, view_pb2

_ZONE = tag(view_pb2.Observation.DESCRIPTOR, "zones")[0]
_KIND, _SEAT, _CARDS, _COUNT = 0x08, 0x10, 0x1A, 0x20  # the tags of a Zone's fields
_COUNTER = tag(view_pb2.Observation.DESCRIPTOR, "counters")
_DECISION_EVENT = tag(play_pb2.Decision.DESCRIPTOR, "events")
_OBSERVATION_EVENT = tag(view_pb2.Observation.DESCRIPTOR, "events")


def observation_to_wire(observation: Observation) -> view_pb2.Observation:
    """The message of a view, without its legal codes; with its events where the variant recalls them."""
    return view_pb2.Observation.FromString(
        observation_bytes(observation, options_to_wire(observation.variant, observation.options))
    )


def observation_bytes(observation: Observation, options: Mapping[str, str]) -> bytes:
    """The serialised message; `options` are those on the wire, which a caller knows once for a match."""
    head = _head(
        observation.variant,
        observation.rules_version,
        observation.seats,
        observation.seat,
        observation.month,
        observation.attempt,
        observation.dealer,
        observation.turn,
        observation.phase,
    )
    parts = [head, *map(_zone_bytes, observation.zones), *map(_counter_bytes, observation.counters)]
    if options:
        parts.append(view_pb2.Observation(options=options).SerializeToString())
    if variant_info(observation.variant).recalls:
        parts.extend(map(_observation_event_bytes, observation.events))
    return b"".join(parts)


def observation_from_wire(
    message: view_pb2.Observation, legal: Iterable[int] = (), events: Iterable[view_pb2.Event] = ()
) -> Observation:
    """The view behind a message, enough for `State.from_observation`; `legal` and `events` stand beside it in a
    Decision. Where the variant recalls a deal's events, they are in the message itself.

    Raises WireError, UnknownVariantError, OptionError.
    """
    return Observation(
        variant=message.variant,
        rules_version=message.rules_version,
        options=resolve(variant_info(message.variant), options_from_wire(message.options)),
        seats=message.seats,
        seat=message.seat,
        month=message.month,
        attempt=message.attempt,
        dealer=message.dealer,
        turn=message.turn,
        phase=message.phase,
        zones=tuple(map(_zone_from_wire, message.zones)),
        counters=tuple(Counter(counter.name, counter.seat, counter.value) for counter in message.counters),
        events=tuple(map(event_from_wire, message.events or _of_this_deal(tuple(events)))),
        legal=tuple(legal),
    )


def _of_this_deal(events: tuple[view_pb2.Event, ...]) -> tuple[view_pb2.Event, ...]:
    deals = [number for number, event in enumerate(events) if event.kind == "deal"]
    return events[deals[-1] :] if deals else events


def event_to_wire(event: Event) -> view_pb2.Event:
    """The message of an event."""
    return view_pb2.Event(
        kind=event.kind,
        seat=event.seat,
        cards=event.cards,
        taken=event.taken,
        name=event.name,
        values=event.values,
    )


def events_to_wire(events: Iterable[Event]) -> list[view_pb2.Event]:
    """The messages of events, in their order."""
    return [event_to_wire(event) for event in events]


def event_from_wire(message: view_pb2.Event) -> Event:
    """The event behind a message."""
    return Event(
        kind=message.kind,
        seat=message.seat,
        cards=tuple(message.cards),
        taken=tuple(message.taken),
        name=message.name,
        values=tuple(message.values),
    )


@lru_cache(maxsize=1 << 13)
def decision_event_bytes(event: Event) -> bytes:
    """An event as a serialised field of a Decision."""
    return framed(_DECISION_EVENT, event_to_wire(event).SerializeToString())


@lru_cache(maxsize=1 << 13)
def _observation_event_bytes(event: Event) -> bytes:
    """An event as a serialised field of an Observation."""
    return framed(_OBSERVATION_EVENT, event_to_wire(event).SerializeToString())


def _zone_from_wire(message: view_pb2.Zone) -> Zone:
    kind = ZONE_KIND_FROM_WIRE.get(message.kind)
    if kind is None:
        raise WireError(f"zone kind {message.kind} is not one that this program knows")
    return Zone(kind, message.seat, tuple(message.cards), message.count)


@lru_cache(maxsize=1 << 12)
def _head(
    variant: str,
    rules_version: int,
    seats: int,
    seat: int,
    month: int,
    attempt: int,
    dealer: int,
    turn: int,
    phase: str,
) -> bytes:
    return view_pb2.Observation(
        variant=variant,
        rules_version=rules_version,
        seats=seats,
        seat=seat,
        month=month,
        attempt=attempt,
        dealer=dealer,
        turn=turn,
        phase=phase,
    ).SerializeToString()


def _zone_bytes(zone: Zone) -> bytes:
    """The zone as a serialised field of an Observation.

    Zones are hardly ever met twice, so they are not kept but written out: every number in them (card ids and counts up
    to 48) is one byte, and a packed field of such numbers is the numbers themselves.
    """
    kind, seat, cards, count = zone
    known = len(cards)
    whose = 2 * seat if seat >= 0 else 1
    return bytes((_ZONE, known + 8, _KIND, ZONE_KIND_TO_WIRE[kind], _SEAT, whose, _CARDS, known, *cards, _COUNT, count))


@lru_cache(maxsize=1 << 13)
def _counter_bytes(counter: Counter) -> bytes:
    message = view_pb2.Counter(name=counter.name, seat=counter.seat, value=counter.value)
    return framed(_COUNTER, message.SerializeToString())
