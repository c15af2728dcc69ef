"""Decisions made by hand, for a bot's own tests. Nothing checks that they could come up in a match."""

from collections.abc import Mapping

from arena.sdk.cards import cards
from arena.sdk.decision import Decision
from hanafuda.arena.v1 import play_pb2, view_pb2


def example_decision(
    *,
    legal: str,
    hand: str = "",
    field: str = "",
    pile: str = "",
    other_pile: str = "",
    phase: str = "play",
    variant: str = "koikoi",
    counters: Mapping[str, int] | None = None,
    options: Mapping[str, str] | None = None,
    random: int = 0,
) -> Decision:
    """A decision of seat 0 of two. Cards and actions are texts with spaces between them; codes count from 0.

    `counters` are the seat's own; `options` are JSON texts by name, of those that differ from the defaults. Raises
    ValueError for a text that is no card.
    """
    zones = [
        _zone(view_pb2.ZONE_KIND_HAND, 0, hand),
        _zone(view_pb2.ZONE_KIND_FIELD, -1, field),
        _zone(view_pb2.ZONE_KIND_PILE, 0, pile),
        _zone(view_pb2.ZONE_KIND_PILE, 1, other_pile),
    ]
    numbers = [view_pb2.Counter(name=name, seat=0, value=value) for name, value in (counters or {}).items()]
    view = view_pb2.Observation(
        variant=variant,
        options=options or {},
        seats=2,
        seat=0,
        month=1,
        turn=0,
        phase=phase,
        zones=zones,
        counters=numbers,
    )
    actions = [play_pb2.LegalAction(code=code, text=text) for code, text in enumerate(legal.split())]
    return Decision(play_pb2.Decision(match_id="example", decision=1, observation=view, legal=actions, random=random))


def _zone(kind: view_pb2.ZoneKind.ValueType, seat: int, text: str) -> view_pb2.Zone:
    cards_of_text = cards(text)
    return view_pb2.Zone(kind=kind, seat=seat, cards=cards_of_text, count=len(cards_of_text))
