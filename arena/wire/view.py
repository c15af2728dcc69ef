"""What a seat may see: zones, counters, events."""

from collections.abc import Iterable

from arena.wire.enums import ZONE_KIND_FROM_WIRE
from arena.wire.errors import WireError
from arena.wire.options import options_from_wire
from core_ext import Counter, Event, Observation, Zone, variant_info
from core_ext.options import resolve
from hanafuda.arena.v1 import view_pb2


def observation_from_wire(
    message: view_pb2.Observation, legal: Iterable[int] = (), events: Iterable[view_pb2.Event] = ()
) -> Observation:
    """Return the view behind a message, enough for `State.from_observation`; `legal` and `events` stand beside it in a
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
    """Return the message of an event."""
    return view_pb2.Event(
        kind=event.kind,
        seat=event.seat,
        cards=event.cards,
        taken=event.taken,
        name=event.name,
        values=event.values,
    )


def events_to_wire(events: Iterable[Event]) -> list[view_pb2.Event]:
    """Return the messages of events, in their order."""
    return [event_to_wire(event) for event in events]


def event_from_wire(message: view_pb2.Event) -> Event:
    """Return the event behind a message."""
    return Event(
        kind=message.kind,
        seat=message.seat,
        cards=tuple(message.cards),
        taken=tuple(message.taken),
        name=message.name,
        values=tuple(message.values),
    )


def _zone_from_wire(message: view_pb2.Zone) -> Zone:
    kind = ZONE_KIND_FROM_WIRE.get(message.kind)
    if kind is None:
        raise WireError(f"zone kind {message.kind} is not one that this program knows")
    return Zone(kind, message.seat, tuple(message.cards), message.count)
