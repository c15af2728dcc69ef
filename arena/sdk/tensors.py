"""A decision as arrays of numbers: the same ones that `arena.envs` gives a learner in training.

NumPy is needed here, and nowhere else in the SDK.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.sdk.decision import Decision
from hanafuda.arena.v1 import view_pb2

ENCODING_VERSION = 1
"""Raised whenever a plane or a number changes its place or its meaning."""

CARDS = 48
"""The width of a plane: card 4 m + k is card k (from 0) of month m (from 0), as everywhere."""

PHASES = ("over", "ended", "dealt_hand", "exchange", "play", "turned", "settle", "cancel", "draw", "discard", "claim")

_MATCHING_ZONES = ("hand*", "shown*", "field", "turned", "pile*")
_MATCHING_COUNTERS = ("balance*", "points*", "koi*")

# By variant its planes and its counters; `*` is one for each seat, counted from the viewer's own.
_PLANES: Mapping[str, tuple[str, ...]] = {
    "koikoi": _MATCHING_ZONES,
    "koikoi45": (*_MATCHING_ZONES, "stock"),
    "kyogi": _MATCHING_ZONES,
    "hachihachi": _MATCHING_ZONES,
    "sangohana": ("hand*", "shown*", "discard", "last_discard"),
}
_COUNTERS: Mapping[str, tuple[str, ...]] = {
    "koikoi": (*_MATCHING_COUNTERS, "stake*", "multiplier"),
    "koikoi45": (*_MATCHING_COUNTERS, "exchanges*", "multiplier", "cup_void"),
    "kyogi": (*_MATCHING_COUNTERS, "months_won*", "season_won*"),
    "hachihachi": (
        *_MATCHING_COUNTERS, "stake*", "card_points*", "by_number*", "by_poverty*", "declared*", "field", "bind", "pot",
    ),
    "sangohana": ("balance*", "turns", "run_outs", "pot", "as_dealt*"),
}  # fmt: skip


class Feature(NamedTuple):
    """A plane or a counter: a zone's kind or a counter's name, and whose it is, counted from the viewer (-1: nobody's).

    The viewer itself is 0, the seat that plays after it 1.
    """

    kind: str
    seat: int

    @property
    def name(self) -> str:
        """For example `pile.1`, `field`."""
        return self.kind if self.seat < 0 else f"{self.kind}.{self.seat}"


class Layout(NamedTuple):
    """What a seat's view is written as. `planes` are rows of 48 cards, 1 where the card lies in the zone, as far as the
    seat knows; `last_discard` has the newest card of the discards alone, `stock` the cards whose place in it is known.
    """

    variant: str
    seats: int
    planes: tuple[Feature, ...]
    counters: tuple[Feature, ...]

    @property
    def plane_names(self) -> tuple[str, ...]:
        """One for each row of `cards`."""
        return tuple(plane.name for plane in self.planes)

    @property
    def number_names(self) -> tuple[str, ...]:
        """One for each entry of `numbers`: what every variant has, then the counters."""
        by_seat = [f"{name}.{seat}" for name in ("dealer", "turn", "held") for seat in range(self.seats)]
        phases = [f"phase.{phase}" for phase in PHASES]
        return ("month", "attempt", *phases, *by_seat, "stock", *(counter.name for counter in self.counters))


class Tensors(NamedTuple):
    """`cards` is uint8, planes by 48; `numbers` float32. A counter that the view lacks is -1."""

    cards: NDArray[np.uint8]
    numbers: NDArray[np.float32]


@lru_cache
def layout_of(variant: str, seats: int) -> Layout:
    """The layout of a variant at a table of so many seats. KeyError for a variant that there is not."""
    return Layout(variant, seats, _each(_PLANES[variant], seats), _each(_COUNTERS[variant], seats))


def tensors(decision: Decision) -> Tensors:
    """What the bot sees, as arrays: equal to what an environment of `arena.envs` gives for the same view."""
    view = decision.observation
    layout = layout_of(view.variant, view.seats)
    return Tensors(_cards(view, layout), _numbers(view, layout))


def _each(names: tuple[str, ...], seats: int) -> tuple[Feature, ...]:
    rows: list[Feature] = []
    for name in names:
        kind = name.removesuffix("*")
        rows += [Feature(kind, seat) for seat in (range(seats) if kind != name else (-1,))]
    return tuple(rows)


def _cards(view: view_pb2.Observation, layout: Layout) -> NDArray[np.uint8]:
    planes = np.zeros((len(layout.planes), CARDS), np.uint8)
    rows = {plane: row for row, plane in enumerate(layout.planes)}
    for zone in view.zones:
        kind = view_pb2.ZoneKind.Name(zone.kind).removeprefix("ZONE_KIND_").lower()
        row = rows.get(Feature(kind, _counted(zone.seat, view)))
        if row is not None:
            planes[row, list(zone.cards)] = 1
        last = rows.get(Feature("last_discard", -1))
        if kind == "discard" and last is not None and zone.cards:
            planes[last, zone.cards[0]] = 1
    return planes


def _numbers(view: view_pb2.Observation, layout: Layout) -> NDArray[np.float32]:
    values = dict.fromkeys(layout.number_names, 0.0)
    values.update((counter.name, -1.0) for counter in layout.counters)
    values["month"] = view.month
    values["attempt"] = view.attempt
    values[f"phase.{view.phase}"] = 1
    values[f"dealer.{_counted(view.dealer, view)}"] = 1
    if view.turn >= 0:
        values[f"turn.{_counted(view.turn, view)}"] = 1
    for zone in view.zones:
        if zone.kind == view_pb2.ZONE_KIND_HAND:
            values[f"held.{_counted(zone.seat, view)}"] = zone.count
        elif zone.kind == view_pb2.ZONE_KIND_STOCK:
            values["stock"] = zone.count
    for counter in view.counters:
        name = Feature(counter.name, _counted(counter.seat, view)).name
        if name in values:
            values[name] = counter.value
    return np.array(list(values.values()), np.float32)


def _counted(seat: int, view: view_pb2.Observation) -> int:
    """A seat as counted from the viewer's; -1 stays."""
    return seat if seat < 0 else (seat - view.seat) % view.seats
