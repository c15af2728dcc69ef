"""The message of a view, built by protobuf's own classes."""

from arena import wire
from core_ext import Observation, variant_info
from hanafuda.arena.v1 import view_pb2


def view_message(observation: Observation) -> view_pb2.Observation:
    """The message of a view, without its legal codes; with its events where the variant recalls them."""
    recalled = observation.events if variant_info(observation.variant).recalls else ()
    return view_pb2.Observation(
        variant=observation.variant,
        rules_version=observation.rules_version,
        options=wire.options_to_wire(observation.variant, observation.options),
        seats=observation.seats,
        seat=observation.seat,
        month=observation.month,
        attempt=observation.attempt,
        dealer=observation.dealer,
        turn=observation.turn,
        phase=observation.phase,
        zones=[
            view_pb2.Zone(kind=wire.ZONE_KIND_TO_WIRE[kind], seat=seat, cards=cards, count=count)
            for kind, seat, cards, count in observation.zones
        ],
        counters=[view_pb2.Counter(name=name, seat=seat, value=value) for name, seat, value in observation.counters],
        events=wire.events_to_wire(recalled),
    )
