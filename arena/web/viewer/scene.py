"""One step of a document as one viewer saw it: what pages and pictures of it are made from."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

OPEN = -2
"""The viewer who sees every hand."""
SPECTATOR = -1

KINDS = (("L", "lights"), ("A", "animals"), ("R", "ribbons"), ("xyz", "chaff"))
_MAX_YAKU = 6
_MAX_DRAWN = 6

Document = Mapping[str, Any]


class Zone(NamedTuple):
    """The cards of a place that a viewer knows, and how many there are."""

    cards: list[int]
    size: int


def scene(
    document: Document, step_number: int, viewer: int, marks: Mapping[int, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Return what stands on the page: seats from the far side of the table to the near one, the table, what happened.

    `step_number` counts the steps of the whole match, of which the document may have the last ones only. `marks` are
    what an analysis says of its decisions, by their numbers.
    """
    first = document["first"]
    step = document["steps"][step_number - first]
    seats = range(len(document["names"]))
    view = step["views"][viewer if viewer >= 0 else -1]
    zones = _zones(document, view)
    if viewer == OPEN:
        for seat in seats:
            zones["hand", seat] = _zones(document, step["views"][seat])["hand", seat]
    turn = step["asked"] if viewer == OPEN else view[0]
    deal = document["deals"][step["deal"]]
    counters = [
        {"seat": seat, "word": document["counter_words"][name], "value": value}
        for name, seat, value in _counters(document, step, view)
        if name in document["counter_words"] and (value or name in ("balance", "points"))
    ]
    near = max(viewer, 0)
    asked = step["asked"] if viewer in (OPEN, step["asked"]) else -1
    mark = marks.get(step["decision"]) if asked >= 0 else None
    order = [(near + 1 + away) % len(seats) for away in seats]
    return {
        "at": step_number,
        "viewer": viewer,
        "step": step,
        "deal": deal,
        "seats": [
            {
                "seat": seat,
                "name": document["names"][seat],
                "has_turn": seat == turn,
                "deals": seat == deal["dealer"],
                "hand": zones["hand", seat].cards,
                "backs": zones["hand", seat].size - len(zones["hand", seat].cards),
                "shown": zones["shown", seat].cards,
                "pile": _by_kind(document, zones["pile", seat].cards),
                "counters": [counter for counter in counters if counter["seat"] == seat],
                "clock": step["used"][seat] if step["used"] else None,
                "yaku": _yaku(document, step, zones, seat),
            }
            for seat in order
        ],
        "counters": [counter for counter in counters if counter["seat"] < 0],
        "field": zones["field", -1].cards,
        "turned": zones["turned", -1].cards,
        "discard": zones["discard", -1].cards,
        "bottom": zones["bottom", -1].cards,
        "stock": zones["stock", -1].size,
        "lines": _lines(document, step, viewer),
        "asked": asked,
        "mark": mark,
        "better": mark.cards if mark is not None else (),
        "log": _log(document, step_number, viewer, marks),
        "end": _end(document, step["deal"]),
        "unseen": [_unseen(document, step, seat) for seat in seats],
    }


def _zones(document: Document, view: Any) -> defaultdict[tuple[str, int], Zone]:
    """Return the zones of a view by kind and seat, -1 for the table's; what is not among them is empty."""
    rows = (document["zones"][index] for index in view[2])
    known_zones = {(kind, seat): Zone(list(cards), count) for kind, seat, cards, count in rows}
    return defaultdict(lambda: Zone([], 0), known_zones)


def _counters(document: Document, step: Any, view: Any) -> Iterator[tuple[str, int, int]]:
    """Yield the counters of a view; at a deal's end, whose view is the last decision's, balances are settled."""
    balances = document["deals"][step["deal"]]["after"]
    for name, seat, value in document["counters"][view[3]]:
        yield name, seat, balances[seat] if name == "balance" and seat >= 0 and not step["decision"] else value


def _by_kind(document: Document, cards: list[int]) -> list[dict[str, Any]]:
    """The cards of a pile in fans, one a kind."""
    fans = [
        {"kind": word, "cards": [card for card in cards if document["cards"][card][-1] in letters]}
        for letters, word in KINDS
    ]
    return [fan for fan in fans if fan["cards"]]


def _yaku(document: Document, step: Any, zones: Mapping[tuple[str, int], Zone], seat: int) -> list[dict[str, Any]]:
    """Return the yaku that a seat has or is near to, where the viewer sees what they are made of."""
    kind = "hand" if any(row["threes"] for row in document["yaku"]) else "pile"
    cards, count = zones[kind, seat]
    if len(cards) < count:
        return []
    near = sorted(
        document["progress"][step["progress"]][seat],
        key=lambda item: (item[1], -document["yaku"][item[0]]["points"], item[0]),
    )
    shown = []
    for index, missing in near[:_MAX_YAKU]:
        row = document["yaku"][index]
        is_drawn = len(row["cards"]) <= _MAX_DRAWN and not row["threes"]
        shown.append(
            {
                "name": row["name"],
                "id": row["id"],
                "points": row["points"],
                "missing": missing,
                "need": row["need"],
                "cards": [{"card": card, "held": card in cards} for card in row["cards"]] if is_drawn else [],
            }
        )
    return shown


def _lines(document: Document, step: Any, viewer: int) -> list[Any]:
    """Who did what since the step before: seat and parts of a sentence."""
    indexes = step["told"][-1] if viewer == OPEN else step["told"][viewer if viewer >= 0 else -2]
    return [document["lines"][index] for index in indexes]


def _log(document: Document, step_number: int, viewer: int, marks: Mapping[int, Any]) -> list[dict[str, Any]]:
    """Return the deal so far, by the step after which it had happened; a move that is marked has its `symbol`."""
    first = document["first"]
    steps = document["steps"][: step_number - first + 1]
    deal = steps[-1]["deal"]
    log = []
    for number, step in enumerate(steps):
        if step["deal"] != deal:
            continue
        mark = marks.get(steps[number - 1]["decision"]) if number else None
        for line in _lines(document, step, viewer):
            is_marked = mark is not None and mark.symbol and line[0] == mark.seat
            log.append({"at": first + number, "line": line, "mark": mark if is_marked else None})
            if is_marked:
                mark = None
    return log


def _end(document: Document, deal: int) -> int | None:
    """The step at which a deal is settled; None where that has not come yet, or never did."""
    steps = enumerate(document["steps"], start=document["first"])
    return next((number for number, step in steps if step["deal"] == deal and not step["decision"]), None)


def last_step(document: Document) -> int:
    """The number of the last step."""
    return int(document["first"]) + len(document["steps"]) - 1


def _unseen(document: Document, step: Any, seat: int) -> list[int]:
    """Return the cards of which the seat does not know where they lie."""
    if step["views"][seat] is None:
        return []
    seen = {card for cards, _ in _zones(document, step["views"][seat]).values() for card in cards}
    return [card for card in range(len(document["cards"])) if card not in seen]
