"""A replay split into its deals, each with its events in the form that drawings need."""

from collections.abc import Iterator
from operator import add

from msgspec import Struct, field

from arena.replays.record import ReplayRecord
from arena.replays.verify import positions, start
from core_ext import ALL, Counter, Event, State


class DealEvent(Struct, frozen=True):
    """An event, with the number (from 1) of the decision that caused it; 0 where the deal itself did."""

    decision: int
    event: Event


class Deal(Struct):
    """One deal. `draws` are the cards drawn for who deals first; `deal`, `scores`, `total`, `payments`, `end` are the
    core's events that begin it and settle it.

    `hands` are the dealt hands by seat, as far as the viewer knew them. `counters` are everybody's numbers before the
    last action, `balances` the balances after the deal. `end` is None where the match ended first. `beside` are
    payments that count in the match's results and in no balance.
    """

    draws: tuple[Event, ...]
    deal: Event
    balances: tuple[int, ...]
    hands: dict[int, tuple[int, ...]] = field(default_factory=dict)
    events: list[DealEvent] = field(default_factory=list)
    counters: tuple[Counter, ...] = ()
    scores: list[Event] = field(default_factory=list)
    total: Event | None = None
    payments: list[Event] = field(default_factory=list)
    end: Event | None = None
    beside: list[Event] = field(default_factory=list)

    @property
    def month(self) -> int:
        """The deal's month, from 1."""
        return self.deal.values[0]

    @property
    def attempt(self) -> int:
        """Which deal of its month it is, from 0."""
        return self.deal.values[1]


def deals_of(record: ReplayRecord, viewer: int = ALL) -> Iterator[Deal]:
    """The deals in order, as a seat, a SPECTATOR or ALL may see them.

    Raises what `positions` raises.
    """
    balances = start(record).balances()
    counters: tuple[Counter, ...] = ()
    deal: Deal | None = None
    draws: list[Event] = []
    seen = dealt = 0
    for decision, (state, _) in enumerate(positions(record)):
        events = state.events(viewer, seen)
        for event in events:
            if event.kind == "draw":
                draws.append(event)
            elif event.kind == "deal":
                if deal is not None:
                    yield deal
                deal = Deal(tuple(draws), event, balances)
                draws = []
                dealt = decision
            elif deal is None or event.kind == "match_end":
                continue
            elif event.kind == "score":
                deal.scores.append(event)
            elif event.kind == "total":
                deal.total = event
            elif event.kind == "pay":
                (deal.payments if deal.end is None else deal.beside).append(event)
            elif event.kind == "month_end":
                balances = tuple(map(add, balances, event.values))
                deal.end, deal.counters, deal.balances = event, counters, balances
            else:
                deal.events.append(DealEvent(decision if decision != dealt else 0, event))
        seen = state.event_count
        if deal is not None and deal.end is None and not deal.hands:
            deal.hands = _hands(state, viewer)
        counters = state.spectate().counters
    if deal is not None:
        yield deal


def _hands(state: State, viewer: int) -> dict[int, tuple[int, ...]]:
    """The hands that the viewer knows."""
    seats = range(state.seats) if viewer == ALL else [viewer] if viewer >= 0 else []
    return {
        seat: zone.cards
        for seat in seats
        for zone in state.observation(seat).zones
        if zone.kind == "hand" and zone.seat == seat
    }
