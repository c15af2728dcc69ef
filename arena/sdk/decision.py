"""What a bot is asked, in a form that is pleasant to read. Everything is built when it is first looked at."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from arena.sdk.cards import BY_TEXT, CARDS, Card, card, texts
from hanafuda.arena.v1 import play_pb2, view_pb2

_KINDS = {number: name.removeprefix("ZONE_KIND_").lower() for name, number in view_pb2.ZoneKind.items() if number}


class Action(NamedTuple):
    """A legal action. What is answered is its `code`; the rest tells what it does."""

    code: int
    text: str
    """For example `1R`, `1R*1x`, `*5x`, `koi`, `stop`."""
    word: str
    """The word of an action without cards or before them (`koi`, `discard`); empty where cards are played."""
    card: Card | None
    """The card that leaves the hand."""
    takes: tuple[Card, ...]
    """The cards of the field that are taken with it, or by the turned card."""


class Event(NamedTuple):
    """Something that happened; docs/protocol.md has the kinds."""

    kind: str
    seat: int
    """Whose doing it was; -1 for nobody's."""
    cards: tuple[Card, ...]
    taken: tuple[Card, ...]
    """The cards that went to the seat's pile by it."""
    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards in one place."""

    kind: str
    """`hand`, `field`, `pile`, `stock`, `turned`, `discard`, `shown`, `bottom`."""
    seat: int
    """Whose it is; -1 for nobody's."""
    cards: tuple[Card, ...]
    """Those that this seat knows."""
    count: int
    """How many there are, known or not."""


class Clock(NamedTuple):
    """Time in milliseconds: for this decision, and the bank of the match that is used when a decision takes longer."""

    decision_ms: int
    bank_ms: int


@dataclass(frozen=True)
class Match:
    """A match of this bot. `data` is the bot's own place to keep what it likes as long as the match lasts."""

    id: str
    variant: str = ""
    seat: int = 0
    bots: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    """What differs from the variant's defaults, as JSON text."""
    data: dict[str, object] = field(default_factory=dict)


class Decision:
    """A question to the bot. It holds all that the bot may know: nothing has to be remembered between two of them."""

    def __init__(self, message: play_pb2.Decision, match: Match | None = None) -> None:
        self.message = message
        self.match = match or Match(message.match_id, message.observation.variant, message.observation.seat)

    @property
    def number(self) -> int:
        """The number of the decision in the match, from 1."""
        return self.message.decision

    @property
    def repeated(self) -> bool:
        """Whether the decision is asked again, after a lost connection."""
        return self.message.repeated

    @property
    def observation(self) -> view_pb2.Observation:
        """The view as it came: zones, counters, month, attempt, dealer, turn, phase."""
        return self.message.observation

    @property
    def variant(self) -> str:
        """For example `koikoi`."""
        return self.message.observation.variant

    @property
    def seat(self) -> int:
        """This bot's seat, from 0."""
        return self.message.observation.seat

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Every legal action, ascending by code; never empty."""
        return tuple(read_action(action.code, action.text) for action in self.message.legal)

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone of the view."""
        return tuple(
            Zone(_KINDS.get(zone.kind, ""), zone.seat, _cards(zone.cards), zone.count)
            for zone in self.message.observation.zones
        )

    def zone(self, kind: str, seat: int = -1) -> Zone:
        """The zone of a kind; an empty one where the view has none."""
        for zone in self.zones:
            if zone.kind == kind and zone.seat == seat:
                return zone
        return Zone(kind, seat, (), 0)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in this bot's hand."""
        return self.zone("hand", self.seat).cards

    @property
    def field(self) -> tuple[Card, ...]:
        """The cards on the field."""
        return self.zone("field").cards

    @property
    def pile(self) -> tuple[Card, ...]:
        """The cards that this bot has taken."""
        return self.pile_of(self.seat)

    def pile_of(self, seat: int) -> tuple[Card, ...]:
        """The cards that a seat has taken."""
        return self.zone("pile", seat).cards

    @property
    def turned(self) -> Card | None:
        """The turned card that waits for a choice."""
        return next(iter(self.zone("turned").cards), None)

    @property
    def stock(self) -> int:
        """How many cards the stock has."""
        return self.zone("stock").count

    def counter(self, name: str, seat: int | None = None) -> int:
        """A number of the game, everybody's or a seat's; 0 where the view has none."""
        whose = -1 if seat is None else seat
        for counter in self.message.observation.counters:
            if counter.name == name and counter.seat == whose:
                return counter.value
        return 0

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened since this seat's last decision."""
        return tuple(map(event, self.message.events))

    @cached_property
    def random(self) -> random.Random:
        """Random numbers for this decision: the same whenever the match is played again."""
        return random.Random(self.message.random)

    @property
    def clock(self) -> Clock:
        """The bot's time."""
        return Clock(self.message.clock.decision_ms, self.message.clock.bank_ms)

    def code_of(self, answer: object) -> int:
        """The code of an answer: an Action, a code or a text. Raises ValueError when it is not legal."""
        is_card = isinstance(answer, Card)  # its number is its id, which may be the code of another action
        for action in self.legal:
            if not is_card and answer in (action, action.code, action.text):
                return action.code
        legal = ", ".join(f"{action.code} {action.text}" for action in self.legal)
        raise ValueError(f"{answer!r} is {'a card, no action' if is_card else 'not legal here'}; legal are {legal}")

    def __str__(self) -> str:
        view = self.observation
        lines = [
            f"match {self.match.id}, decision {self.number}, seat {self.seat}, {self.variant} month {view.month}"
            + (f" attempt {view.attempt}" if view.attempt else "")
            + f", phase {view.phase}"
        ]
        for zone in self.zones:
            whose = f" {zone.seat}" if zone.seat >= 0 else ""
            parts = [texts(zone.cards)] if zone.cards else []
            if zone.count > len(zone.cards):
                parts.append(f"{zone.count - len(zone.cards)} hidden")
            lines.append(f"  {zone.kind}{whose}: {' and '.join(parts)}")
        numbers = (f"{c.name}{'' if c.seat < 0 else f'[{c.seat}]'}={c.value}" for c in view.counters)
        lines.append(f"  {' '.join(numbers)}")
        lines.append(f"  legal: {', '.join(f'{action.code} {action.text}' for action in self.legal)}")
        return "\n".join(lines)


def event(message: view_pb2.Event) -> Event:
    """An event of the wire."""
    return Event(
        message.kind, message.seat, _cards(message.cards), _cards(message.taken), message.name, tuple(message.values)
    )


def _cards(ids: Iterable[int]) -> tuple[Card, ...]:
    return tuple([CARDS[id_] for id_ in ids])


@lru_cache(maxsize=1 << 14)
def read_action(code: int, text: str) -> Action:
    """The action behind a code and its text."""
    head, star, taken = text.partition("*")
    word, colon, card_text = head.partition(":")
    if not colon and head[:1].isdigit():
        word, card_text = "", head
    takes = tuple(card(name) for name in taken.split(",")) if star else ()
    return Action(code, text, word, BY_TEXT.get(card_text), takes)
