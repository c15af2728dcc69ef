"""A replay step by step: what every seat, a spectator and somebody who sees all could see before each decision.

All of it are the core's own observations and events. Between the last decision of a deal and the first of the next the
core shows no table; that of such a step is the last one with the events of the last decision carried out on it.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from arena.match.secrecy import hides_events
from arena.replays.record import ReplayRecord
from arena.replays.verify import positions
from core_ext import ALL, SPECTATOR, Counter, Event, State, Zone

_BEGINNINGS = frozenset({"draw", "deal"})
"""The kinds of events that belong to the next deal where one has ended."""


class View(Struct, frozen=True):
    """What one viewer sees of the table: the fields of an Observation of the same names."""

    turn: int
    phase: str
    zones: tuple[Zone, ...]
    counters: tuple[Counter, ...]


class Step(Struct, frozen=True):
    """A moment of a match: before a decision, or (`decision` is 0) at the end of a deal.

    `deal` counts the deals from 0, `decision` the decisions from 1. `asked` is the seat that decides, or -1; `legal`
    are the texts of what it may do and `chosen` is the index of what it did, -1 where it never did anything.
    `views` are by seat, and last a spectator's. `events` are what happened since the step before, in the same order,
    and last all of it.
    """

    deal: int
    decision: int
    asked: int
    legal: tuple[str, ...]
    chosen: int
    views: tuple[View, ...]
    events: tuple[tuple[Event, ...], ...]


def steps(record: ReplayRecord, seat: int | None = None, since: int = 0) -> Iterator[Step]:
    """The steps of a match. Steps of deals before `since` come without views.

    With `seat` (or SPECTATOR) the steps are those that it could notice, so they may be shown to it while the match goes
    on: `views` and `events` are its own alone, and so are `asked`, `legal` and `chosen`; `decision` counts these steps.
    Where `hides_events`, what happened before stands in the next step; only a match without any other step shows it.

    Raises what `positions` raises.
    """
    viewers = (*range(len(record.names)), SPECTATOR) if seat is None else (seat,)
    knowing = (*viewers, ALL) if seat is None else viewers
    views: tuple[View, ...] = ()
    deal = -1
    seen = number = 0
    for state, choice in positions(record):
        if seat is not None and (number or choice >= 0) and hides_events(state, seat):
            continue
        parts = list(zip(*(_by_deal(state.events(viewer, seen)) for viewer in knowing), strict=True))
        seen = state.event_count
        for events in parts:
            if any(event.kind == "deal" for event in events[-1]):
                deal += 1
                views = ()
            if any(event.kind == "month_end" for event in events[-1]):
                views = _closing(views, events, len(viewers)) if deal >= since else ()
                yield Step(deal, 0, -1, (), -1, views, events)
            elif not state.is_over:
                asked = state.current_player if seat in (None, state.current_player) else -1
                if asked < 0 and not any(events):
                    continue  # nothing to see: another seat answered in secret
                number += 1
                views = tuple(_views(state, viewers)) if deal >= since else ()
                chosen = choice if asked >= 0 else -1
                legal = tuple(state.legal_texts()) if asked >= 0 else ()
                yield Step(deal, number, asked, legal, chosen, views, events)


def carried_out(zones: Iterable[Zone], events: Iterable[Event]) -> tuple[Zone, ...]:
    """The zones after cards were played, turned, drawn, discarded and taken; empty ones stay."""
    table = {(zone.kind, zone.seat): (list(zone.cards), zone.count) for zone in zones}
    for event in events:
        if event.kind == "deal":
            table = {("field", -1): (list(event.cards), len(event.cards))}
        elif event.kind in _MOVES:
            source, target = _MOVES[event.kind]
            if event.kind == "take" and not event.taken:
                source, target = "discard", "hand"
            _remove(table, source, event)
            if event.taken and target == "field":
                _put(table, ("pile", event.seat), event.taken, len(event.taken))
            else:
                seat = event.seat if target == "hand" else -1
                _put(table, (target, seat), event.cards, max(1, len(event.cards)))
    return tuple(
        Zone(kind, seat, tuple(cards if kind == "discard" else sorted(cards)), count)
        for (kind, seat), (cards, count) in table.items()
    )


_Table = dict[tuple[str, int], tuple[list[int], int]]
_MOVES = {
    "play": ("hand", "field"),
    "turn": ("stock", "field"),
    "take": ("turned", "field"),
    "stock": ("stock", "hand"),
    "discard": ("hand", "discard"),
    "win": ("hand", "hand"),
}
"""By the kind of an event, where its cards come from and where they go if nothing is taken with them."""


def _remove(table: _Table, source: str, event: Event) -> None:
    """Takes the event's cards from wherever they lie; those that nobody knew there, from the source by number."""
    moved = {*event.cards, *event.taken}
    place = (source, event.seat if source == "hand" else -1)
    unknown = max(1, len(event.cards)) if event.kind != "win" else table[place][1]
    for key, (cards, count) in table.items():
        matching = moved.intersection(cards)
        if matching:
            table[key] = ([card for card in cards if card not in matching], count - len(matching))
            if key == place or (key[0] == "field" and source == "turned"):
                unknown -= len(matching.intersection(event.cards))
    if unknown > 0 and place in table:
        cards, count = table[place]
        table[place] = (cards, count - unknown)


def _put(table: _Table, place: tuple[str, int], cards: Sequence[int], count: int) -> None:
    lying, number = table.get(place, ([], 0))
    table[place] = ([*cards, *lying] if place[0] == "discard" else [*lying, *cards], number + count)


def _by_deal(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """The events cut where a deal has ended and the next begins."""
    parts: list[list[Event]] = [[]]
    ended = False
    for event in events:
        if ended and event.kind in _BEGINNINGS:
            parts.append([])
            ended = False
        ended = ended or event.kind == "month_end"
        parts[-1].append(event)
    return list(map(tuple, parts))


def _views(state: State, viewers: Iterable[int]) -> Iterator[View]:
    for viewer in viewers:
        seen = state.spectate() if viewer == SPECTATOR else state.observation(viewer, state.event_count)
        yield View(seen.turn, seen.phase, seen.zones, seen.counters)


def _closing(views: tuple[View, ...], events: Sequence[tuple[Event, ...]], viewers: int) -> tuple[View, ...]:
    """The views at the end of a deal; of a deal without a decision there is the field alone."""
    before = views or (View(-1, "ended", (), ()),) * viewers
    return tuple(
        View(-1, "ended", carried_out(view.zones, news), view.counters)
        for view, news in zip(before, events[:viewers], strict=True)
    )
