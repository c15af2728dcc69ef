"""A seat's view of a match, as plain values: what the seat may know, and nothing else."""

from dataclasses import dataclass
from typing import NamedTuple

from core_ext.options import Options

SPECTATOR = -1
"""The seat number of somebody who sees what everyone may see."""
ALL = -2
"""The seat number of somebody who sees every event: for replays of finished matches."""


ZONE_KINDS = ("hand", "shown", "field", "turned", "pile", "discard", "stock", "bottom")
"""The kinds of zones, which ``Zone`` explains."""
COUNTER_NAMES = (
    "balance", "points", "koi", "stake", "multiplier", "exchanges", "cup_void", "months_won", "season_won",
    "card_points", "by_number", "by_poverty", "declared", "field", "bind", "pot", "turns", "run_outs", "as_dealt",
)  # fmt: skip
"""The names of counters, of all variants."""


class Event(NamedTuple):
    """Something that happened, as one viewer may see it.

    ``kind`` is one of EVENT_KINDS, which say what the rest means. ``seat`` is -1 when it is nobody's. ``taken`` are the
    cards that went to the seat's pile by it. ``name`` is an id, such as a yaku's, or how a month ended.
    """

    kind: str
    seat: int
    cards: tuple[int, ...]
    taken: tuple[int, ...]
    name: str
    values: tuple[int, ...]


class Zone(NamedTuple):
    """Cards that lie together: ``cards`` are those that the viewer knows, ascending; ``count`` is how many there are.

    ``kind`` is ``hand``, ``shown`` (cards of a hand that everybody knows), ``field``, ``turned`` (the turned card while
    its player chooses), ``pile``, ``discard`` (the last one first, not ascending), ``stock`` or ``bottom`` (those
    cards of the stock that the viewer put under it, as they lie).
    """

    kind: str
    seat: int
    cards: tuple[int, ...]
    count: int  # type: ignore[assignment]  # in a zone it is a number, not tuple's method


class Counter(NamedTuple):
    """A number that the viewer knows, a seat's or (seat -1) the table's."""

    name: str
    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat knows; ``seat`` is -1 for a spectator.

    ``turn`` is the seat whose turn everybody knows it to be, -1 when the match is over. ``phase`` is one of PHASES.
    While another seat is asked in secret, both are what they would be if nobody were. ``events`` are those of the
    current deal. ``legal`` is empty unless the seat is asked.
    """

    variant: str
    rules_version: int
    options: Options
    seats: int
    seat: int
    month: int
    attempt: int
    dealer: int
    turn: int
    phase: str
    zones: tuple[Zone, ...]
    counters: tuple[Counter, ...]
    events: tuple[Event, ...]
    legal: tuple[int, ...]
