"""Events as sentences, in parts that the caller draws, and how a score was calculated."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.replays import vocabulary
from arena.replays.deals import Deal
from arena.replays.vocabulary import Say
from core_ext import Event, VariantInfo

_MAX_CARDS = 8
"""More cards than this are counted, not shown, in a sentence."""
_KAN = 12
"""Points of a kan on a small field: hachihachi, "Multiplier"."""


class Cards(NamedTuple):
    """Cards in a sentence, to be drawn."""

    ids: tuple[int, ...]


class Name(NamedTuple):
    """The name of a yaku or the like in a sentence."""

    text: str


Part = str | Cards | Name


def names_of(info: VariantInfo, *, with_readings: bool = True) -> dict[str, str]:
    """What the variant's yaku, dealt hands and terms are called, by id; with how they are read, as their ids say it."""
    names = [*info.titles, *((row.id, row.name) for row in info.yaku)]
    return vocabulary.NAMES | {
        term: f"{name} {term.replace('_', ' ')}" if with_readings else name for term, name in names
    }


def sentence(event: Event, names: Mapping[str, str], say: Say = str) -> list[Part]:
    """Return what a seat did, after its name; `names` has the names of yaku by id."""
    along = tuple(card for card in event.taken if card not in event.cards)
    wording = vocabulary.SENTENCES.get(event.kind + _manner(event, along)) or vocabulary.SENTENCES.get(event.kind)
    if wording is not None:
        wording = say(wording)
    else:
        numbers = " ".join(map(str, event.values))
        wording = f"{event.kind.replace('_', ' ')} {{name}} {{cards}} {{taken}} {numbers}"
    parts: dict[str, Part] = {
        "cards": Cards(event.cards)
        if len(event.cards) <= _MAX_CARDS
        else say(vocabulary.CARDS).format(number=len(event.cards)),
        "taken": Cards(along),
        "name": Name(names.get(event.name, event.name)),
        "value": str(event.values[event.seat if event.kind == "pay" else 0]) if event.values else "",
        "added": str(event.values[-1]) if event.values else "",
        "product": _product(*event.values) if event.values else "",
    }
    return [parts.get(piece, piece) for piece in wording.replace("}", "{").split("{")]


def _manner(event: Event, along: Sequence[int]) -> str:
    """Which of a kind's wordings fits: see `vocabulary.SENTENCES`."""
    if event.kind == "field" and event.name:
        return "+added" if any(event.values[1:]) else "+named"
    if along:
        return "+taken"
    if event.taken:
        return "+alone"
    return "" if event.cards else "+unseen"


def _product(points: int, *numbers: int) -> str:
    """Points, times that are not 1, and, last, points added where there are any."""
    *times, added = numbers or (0,)
    shown = " × ".join(map(str, [points, *(factor for factor in times if factor != 1)]))
    return f"{shown} + {added}" if added else shown


def calculation(points: int, added: int, times: int, payers: int, *, say: Say = str) -> str:
    """How a score follows from the points of its rows, by the core's `total`."""
    base = f"{points} {'-' if added < 0 else '+'} {abs(added)}" if added else str(points)
    product = base if times == 1 else f"({base}) × {times}" if added else f"{base} × {times}"
    score = (points + added) * times
    if payers > 1:
        return say(vocabulary.CALCULATION).format(product=product, payers=payers, score=score * payers)
    return f"{product} = {score}"


def paid_alone(deal: Deal, payment: Event, seats: Sequence[str], say: Say = str) -> str:
    """Why one seat pays the shares of others, empty where none does; `seats` are the names by seat."""
    payers = [seat for seat, value in enumerate(payment.values) if value < 0]
    is_won = payment.seat >= 0 and payment.values[payment.seat] > 0
    if not is_won or len(payers) != 1 or 0 not in payment.values:
        return ""
    said_koi = any(event.event.kind == "koi" and event.event.seat == payers[0] for event in deal.events)
    return say(vocabulary.PAID_ALONE[said_koi]).format(who=seats[payers[0]])


def facts(deal: Deal, seats: Sequence[str], say: Say = str) -> Iterator[str]:
    """What a kan was worth, where the field said so, and the counters behind a score that changed anything."""
    for event in deal.events:
        if event.event.kind == "field" and event.event.name:
            worth, *added = event.event.values
            wording = say(vocabulary.FIELD["times" if worth != _KAN else "plain"])
            yield wording.format(times=f"{worth / _KAN:g}", value=worth)
            if any(added):
                yield say(vocabulary.FIELD["added"]).format(value=added[-1])
    for counter in deal.counters:
        if counter.name in vocabulary.COUNTERS and counter.value > (0 if counter.seat >= 0 else 1):
            who = seats[counter.seat] if counter.seat >= 0 else ""
            times = say(vocabulary.TIMES).format(number=counter.value) if counter.value > 1 else ""
            yield say(vocabulary.COUNTERS[counter.name]).format(who=who, value=counter.value, times=times)
