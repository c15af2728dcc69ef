"""A replay as one JSON document: all that the viewer shows. What repeats stands once, in a table, named by index.

docs/web.md describes the fields.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from operator import add, or_
from typing import Any

import msgspec

from arena.match.model import PLAYED_OUT
from arena.match.outcome import placing
from arena.replays import ReplayRecord, narration, vocabulary
from arena.replays.deals import Deal, deals_of
from arena.replays.views import Step, steps
from arena.replays.vocabulary import Say
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.viewer.lacking import MAX_LACKING, Goal, bits, goal_of, lacking
from arena.web.yaku_names import english, reading
from core_ext import ALL, SPECTATOR, Event, Yaku, variant_info, yaku_under
from core_ext.cards import CARD_NAMES, MONTH_NAMES, parse_card

FORMAT = "hanafuda-views/1"

KIND_WORDS = {"L": "light", "A": "animal", "R": "ribbon", "x": "chaff", "y": "chaff", "z": "chaff"}
_CARD = re.compile(r"(?<![A-Za-z\d])(\d{1,2}[LARxyz])(?![A-Za-z\d])")
ACTION_WORDS = (
    (re.compile(r"exchange:(\d+):(.+)"), "exchange month {0}, keep {1}"),
    (re.compile(r"exchange:(\d+)"), "exchange month {0}"),
    (re.compile(r"discard:(.+)"), "discard {0}"),
    (re.compile(r"declare:(\w+):(.+)"), "declare {0}, showing {1}"),
    (re.compile(r"declare:(.+)"), "declare {0}"),
    (re.compile(r"\*(.+)"), "take {0}"),
    (re.compile(r"(\d+\w)\*(.+)"), "play {0}, take {1}"),
    (re.compile(r"(\d+\w)"), "play {0}"),
)
"""Actions, and how they are told."""
PLAIN_ACTIONS = ("koi", "stop", "cancel", "pass", "declare", "draw", "take", "win")
"""Actions that are told by one word."""
COUNTER_WORDS = {
    "balance": "score",
    "points": "yaku points",
    "card_points": "card points",
    "koi": "koi",
    "stake": "at stake",
    "multiplier": "multiplier",
    "exchanges": "exchanges",
    "cup_void": "cup yaku void",
    "months_won": "months won",
    "season_won": "of the season",
    "pot": "pot",
    "turns": "turns",
    "run_outs": "run-outs in the pot",
}
"""The counters that are shown, and what they are called."""
LABEL = "{card}, {plant} {kind}"
"""What a card is, for those who do not see it."""
SCORE = "score"


_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
"""Characters that are not seen, or turn the text after them round, or may not stand in XML: names may hold them."""
_IN_THE_SUM = frozenset({"deal", "score", "total", "pay", "month_end", "match_end"})
"""The kinds of events that are no sentences: they begin a deal, or settle it."""

_Change = tuple[str, str, tuple[int, ...] | None]
"""A label, a note, and what changes by seat, where anything does."""


class _Table:
    """What values of a kind become in the document, each once."""

    def __init__(self, write: Callable[[Any], Any]) -> None:
        self.rows: list[Any] = []
        self._write = write
        self._indexes: dict[Any, int] = {}

    def index(self, value: Hashable) -> int:
        """The number of the value's row."""
        if value not in self._indexes:
            self._indexes[value] = len(self.rows)
            self.rows.append(self._write(value))
        return self._indexes[value]


def document(
    record: ReplayRecord, seat: int | None = None, since: int = 0, language: Language = ENGLISH
) -> dict[str, Any]:
    """Return the document, without the steps of the deals before `since`; `first` is the number of its first step.

    With `seat` it holds what this seat may know, and no more: it can be shown while the match goes on. Raises what
    `steps` raises.
    """
    record = msgspec.structs.replace(record, names=tuple(_UNSEEN.sub("\ufffd", name) for name in record.names))
    info = variant_info(record.variant)
    say = language.text
    names = narration.names_of(info, with_readings=language is not JAPANESE)
    names |= {term: say(name) for term, name in vocabulary.NAMES.items()}
    if language is not JAPANESE:
        names |= {term: f"{names[term]} ({say(english(term))})" for term in names if english(term)}
    rows = yaku_under(info.id, record.options)
    goals = list(map(goal_of, rows))
    made_of = "hand" if any(row.threes for row in rows) else "pile"
    zones, counters = _Table(list), _Table(lambda all_of_a_view: list(map(list, all_of_a_view)))
    lines = _Table(lambda event: [event.seat, _parts(event, names, say)])
    actions = _Table(lambda text: _action(text, names, say))
    near = cache(partial(_near, goals))
    progress = _Table(
        lambda by_seat: [near(cards, _gone(by_seat, seat, made_of)) for seat, cards in enumerate(by_seat)]
    )
    shown_steps: list[dict[str, Any]] = []
    first = 0
    seats = range(len(record.names))
    used = [0] * len(record.names)
    for step in steps(record, seat, since):
        if step.deal < since:
            first += 1
            continue
        was_timed = 0 < step.decision <= len(record.clock_ms)
        clock = record.clock_ms[step.decision - 1] if was_timed else None
        shown_steps.append(
            {
                "deal": step.deal,
                "decision": step.decision,
                "asked": step.asked,
                "legal": list(map(actions.index, step.legal)),
                "chosen": step.chosen,
                "clock": clock,
                "used": list(used) if record.clock_ms else None,
                "views": _by_viewer(
                    [
                        [view.turn, view.phase, list(map(zones.index, view.zones)), counters.index(view.counters)]
                        for view in step.views
                    ],
                    [*seats, SPECTATOR],
                    seat,
                    None,
                ),
                "told": _by_viewer(
                    [
                        [lines.index(event) for event in events if event.kind not in _IN_THE_SUM]
                        for events in step.events
                    ],
                    [*seats, SPECTATOR, ALL],
                    seat,
                    [],
                ),
                "progress": progress.index(_cards_by_seat(step, made_of, seats)),
            }
        )
        if clock is not None:
            used[step.asked] += clock
    deals = list(deals_of(record, ALL if seat is None else seat))
    return {
        "format": FORMAT,
        "match": record.match_id,
        "variant": info.id,
        "title": info.name,
        "names": record.names,
        "versions": record.versions,
        "results": record.results,
        "placing": placing(record.results, record.offender),
        "end": say(vocabulary.ENDS[record.end]).format(who=_offender(record)),
        "settled": say(info.settled) if record.end in PLAYED_OUT and info.settled else "",
        "cards": CARD_NAMES[: info.cards],
        "labels": [_label(name, say) for name in CARD_NAMES[: info.cards]],
        "yaku": [_row(row) for row in rows],
        "counter_words": {name: say(word) for name, word in COUNTER_WORDS.items()},
        "deals": [_deal(record, deal, before, names, say) for deal, before in zip(deals, _before(deals), strict=True)],
        "zones": zones.rows,
        "counters": counters.rows,
        "lines": lines.rows,
        "actions": actions.rows,
        "progress": progress.rows,
        "first": first,
        "steps": shown_steps,
    }


def _by_viewer(knowledge: list[Any], viewers: Sequence[int], seat: int | None, nothing: Any) -> list[Any]:
    """Return what each viewer knows; with `seat`, `knowledge` is that seat's alone."""
    return knowledge if seat is None else [knowledge[0] if viewer == seat else nothing for viewer in viewers]


def _offender(record: ReplayRecord) -> str:
    return record.names[record.offender] if record.offender >= 0 else ""


def _label(name: str, say: Say) -> str:
    plant, kind = MONTH_NAMES[parse_card(name) // 4], KIND_WORDS[name[-1]]
    return say(LABEL).format(card=name, plant=say(plant), kind=say(kind))


def _parts(event: Event, names: Mapping[str, str], say: Say) -> list[Any]:
    """A sentence: text, lists of cards, and names in lists of their own with the text alone."""
    parts: list[Any] = []
    for part in narration.sentence(event, names, say):
        if isinstance(part, narration.Cards):
            parts.append({"cards": part.ids})
        elif isinstance(part, narration.Name):
            parts.append({"name": part.text})
        elif part:
            parts.append(part)
    return parts


def _action(text: str, names: Mapping[str, str], say: Say) -> list[Any]:
    """Return an action: its text, then its sentence."""
    words = say(text) if text in PLAIN_ACTIONS else text
    for pattern, wording in ACTION_WORDS:
        match = pattern.fullmatch(text)
        if match:
            words = say(wording).format(*match.groups())
            break
    parts: list[Any] = []
    for piece in _CARD.split(words):
        if _CARD.fullmatch(piece):
            if parts and isinstance(parts[-1], dict):
                parts[-1]["cards"].append(parse_card(piece))
            else:
                parts.append({"cards": [parse_card(piece)]})
        elif piece.strip(" ,") or (piece and not parts):
            parts.append(" ".join(names.get(word, word) for word in piece.split(" ")))
    return [text, parts]


def _row(row: Yaku) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "reading": reading(row.id),
        "english": english(row.id),
        "cards": row.cards,
        "threes": row.threes,
        "need": row.need + (3 if row.threes else 0),
        "points": row.points,
        "per_extra": row.per_extra,
    }


def _cards_by_seat(step: Step, kind: str, seats: Iterable[int]) -> tuple[int, ...]:
    """Return, by seat, the cards that yaku are made of, as far as any of the step's views shows them."""
    zones = {(zone.seat, zone.cards) for view in step.views for zone in view.zones if zone.kind == kind}
    by_seat = [0 for _ in seats]
    for seat, cards in zones:
        by_seat[seat] |= bits(cards)
    return tuple(by_seat)


def _gone(by_seat: tuple[int, ...], seat: int, kind: str) -> int:
    """Return the cards that a seat cannot have any more: those in other seats' piles."""
    return reduce(or_, by_seat[:seat] + by_seat[seat + 1 :], 0) if kind == "pile" else 0


def _near(goals: Sequence[Goal], cards: int, gone: int) -> list[list[int]]:
    """Return the rows of which a seat with these `cards` lacks two at most, with how many it lacks."""
    missing = ([index, lacking(goal, cards, gone)] for index, goal in enumerate(goals))
    return [row for row in missing if row[1] <= MAX_LACKING]


def _before(deals: Sequence[Deal]) -> Iterator[tuple[int, ...]]:
    """The balances before each deal."""
    for deal in deals:
        scores = deal.end.values if deal.end is not None else (0,) * len(deal.balances)
        yield tuple(balance - score for balance, score in zip(deal.balances, scores, strict=True))


def _deal(
    record: ReplayRecord, deal: Deal, before: tuple[int, ...], names: Mapping[str, str], say: Say
) -> dict[str, Any]:
    plant = (deal.month - 1) % len(MONTH_NAMES)
    ending = deal.end.name if deal.end is not None else ""
    winner = deal.end.seat if deal.end is not None else -1
    who = record.names[winner] if winner >= 0 else ""
    return {
        "month": deal.month,
        "attempt": deal.attempt,
        "plant": say(MONTH_NAMES[plant]),
        "dealer": deal.deal.seat,
        "field": deal.deal.cards,
        "winner": winner,
        "ending": say(vocabulary.ENDINGS.get(ending, ending)).format(who=who),
        "before": before,
        "scores": deal.end.values if deal.end is not None else None,
        "after": deal.balances,
        "sum": list(_sum(record, deal, before, names, say)) if deal.end is not None else [],
        "beside": list(
            _changes(
                [(names.get(change.name, change.name), "", change.values) for change in deal.beside], deal.balances
            )
        ),
    }


def _sum(
    record: ReplayRecord, deal: Deal, before: tuple[int, ...], names: Mapping[str, str], say: Say
) -> Iterator[dict[str, Any]]:
    """Yield how the balances changed, a row a step: a label, a note, and what it changed by seat where it did.

    `balances` are those after the step.
    """
    assert deal.end is not None
    seats = range(len(before))
    paid = [payment.values for payment in deal.payments]
    score_alone = tuple(deal.end.values[seat] - sum(values[seat] for values in paid) for seat in seats)
    changes: list[_Change] = [(names.get(row.name, row.name), str(row.values[0]), None) for row in deal.scores]
    note = say(", ").join(narration.facts(deal, record.names, say))
    if note and any(deal.end.values) and deal.end.name != "declare":
        changes.append(("", note, None))
    if any(score_alone):
        sum_of = narration.calculation(*deal.total.values, say=say) if deal.total is not None else ""
        changes.append((say(SCORE), sum_of, score_alone))
    for payment in deal.payments:
        reason = narration.paid_alone(deal, payment, record.names, say)
        changes.append((names.get(payment.name, payment.name), reason, payment.values))
    yield from _changes(changes, before)


def _changes(changes: Iterable[_Change], balances: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Each change as a row, with the balances after it."""
    for label, note, values in changes:
        if values is not None:
            balances = tuple(map(add, balances, values))
        yield {"label": label, "note": note, "values": values, "balances": balances}
