"""A step as one SVG that needs nothing else: to be saved, sent, printed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import Any
from unicodedata import east_asian_width

from arena.web.cards import symbols
from arena.web.cards.drawings import HEIGHT, WIDTH
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.viewer.scene import Document

FONTS = (
    "DejaVu Sans, Noto Sans, Liberation Sans, Open Sans, Roboto, Ubuntu, Arial, Helvetica, Noto Sans CJK JP, sans-serif"
)
"""For a renderer that asks no system which font `sans-serif` is."""
JAPANESE_FONTS = f"Noto Sans CJK JP, Noto Sans JP, IPAexGothic, IPAGothic, Hiragino Sans, Yu Gothic, {FONTS}"
"""For Japanese: for letters that its first font lacks, such a renderer takes any, with serifs too."""
CARD = 44
TALL = CARD * HEIGHT / WIDTH
"""The size of a card."""
_GAP = 5
_FAN = 20
_MARGIN = 20
ACROSS = 760
_LINE = 24
_FELT, _DEEP, _INK, _SOFT = "#2f5245", "#274539", "#f6f0e0", "#c9d6c6"
_WIDEST_NAME = 40
"""In letters; a wide character is two."""


Room = Mapping[str, int]
"""How many rows of cards are kept for each place of the table, by the place."""


def picture(
    document: Document,
    scene: dict[str, Any],
    room: Room | None = None,
    language: Language = ENGLISH,
    across: int = ACROSS,
) -> str:
    """The table of a scene, with names and counters."""
    return drawing_of(document, scene, room, language, across).svg()


def room_of(document: Document, scenes: Iterable[dict[str, Any]], across: int = ACROSS) -> Room:
    """The room in which each of these scenes is drawn without a place that moves."""
    room: Counter[str] = Counter()
    for scene in scenes:
        room |= drawing_of(document, scene, across=across).rows
    return room


def drawing_of(
    document: Document,
    scene: dict[str, Any],
    room: Room | None = None,
    language: Language = ENGLISH,
    across: int = ACROSS,
) -> "Drawing":
    """The table of a scene: what is written, and where which card lies."""
    drawing = Drawing(document, room or {}, across)
    deal = scene["deal"]
    month = language.gettext("month %(month)s, %(plant)s", month=deal["month"], plant=deal["plant"])
    step = language.gettext("step %(step)s", step=scene["at"])
    game = document["title" if language is JAPANESE else "variant"]
    drawing.text(f"{game} · {month} · {step}", _SOFT)
    *far, near = scene["seats"]
    for seat in far:
        drawing.seat(seat)
    drawing.middle(scene)
    drawing.seat(near)
    return drawing


class Drawing:
    """A table that is drawn from top to bottom."""

    def __init__(self, document: Document, room: Room, across: int = ACROSS) -> None:
        self.cards: list[tuple[str, float, float]] = []
        """Each card's name, and the place of its upper left corner."""
        self.rows: Counter[str] = Counter()
        self._document = document
        self._room = room
        self._across = across
        self._parts: list[str] = []
        self._y: float = _MARGIN

    def svg(self, fonts: str = "sans-serif", *, cards: bool = True) -> str:
        """All that was drawn; without `cards`, what lies below them."""
        high = self._y + _MARGIN - _GAP
        size = f'width="{self._across}" height="{high:g}" viewBox="0 0 {self._across} {high:g}"'
        ground = f'<rect width="100%" height="100%" fill="{_FELT}"/>'
        start = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{fonts}">'
        placed = self.cards if cards else ()
        drawn = "".join(
            f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{CARD}" height="{TALL:g}"/>' for name, x, y in placed
        )
        used = symbols([name for name, *_ in placed])
        return f"{start}{used}{ground}{''.join(self._parts)}{drawn}</svg>"

    def text(self, text: str, color: str = _INK) -> None:
        """A line of text."""
        self._write(_MARGIN, escape(text), color)
        self._y += _LINE

    def _write(self, x: float, text: str, color: str, below: float = 0) -> None:
        self._parts.append(f'<text x="{x:g}" y="{self._y + below + 15:g}" font-size="15" fill="{color}">{text}</text>')

    def seat(self, seat: dict[str, Any]) -> None:
        """Draw a seat's name, hand and pile."""
        counted = ", ".join(f"{counter['word']} {counter['value']}" for counter in seat["counters"])
        turn = "▶ " if seat["has_turn"] else ""
        self._write(
            _MARGIN,
            f'<tspan font-weight="700" fill="{_INK}">{escape(turn + _short(seat["name"]))}</tspan>  {counted}',
            _SOFT,
        )
        self._y += _LINE
        names = [self._document["cards"][card] for card in seat["hand"]]
        self._row(f"hand {seat['seat']}", [(name, CARD + _GAP) for name in [*names, *["back"] * seat["backs"]]])
        fans = [[self._document["cards"][card] for card in group["cards"]] for group in seat["pile"]]
        self._row(
            f"pile {seat['seat']}",
            [(name, CARD + 2 * _GAP if name is fan[-1] else _FAN) for fan in fans for name in fan],
        )
        self._y += _GAP

    def middle(self, scene: dict[str, Any]) -> None:
        """What lies between the seats."""
        top = self._y
        self._y += 2 * _GAP
        cards = [self._document["cards"][card] for card in (*scene["turned"], *scene["field"], *scene["discard"])]
        stock = [("back", CARD + 6 * _GAP)] if scene["stock"] else []
        if stock:
            self._write(_MARGIN + CARD + _GAP, str(scene["stock"]), _SOFT, below=(TALL - _LINE) / 2)
        self._row("middle", [*stock, *((name, CARD + _GAP) for name in cards)])
        band = f'<rect y="{top:g}" width="{self._across}" height="{self._y - top:g}" fill="{_DEEP}"/>'
        self._parts.insert(0, band)
        self._y += 2 * _GAP

    def _row(self, place: str, cards: Sequence[tuple[str, float]]) -> None:
        """Cards from left to right, each with the way to the next; a new row where one is full."""
        x, rows = float(_MARGIN), min(1, len(cards))
        for name, step in cards:
            if x + CARD > self._across - _MARGIN:
                x = _MARGIN
                rows += 1
            self.cards.append((name, x, self._y + (rows - 1) * (TALL + _GAP)))
            x += step
        self.rows[place] = rows
        self._y += max(rows, self._room.get(place, 0)) * (TALL + _GAP)


def _short(name: str) -> str:
    """Return as much of the name as there is room for."""
    widths = accumulate(2 if east_asian_width(char) in "WF" else 1 for char in name)
    fits = sum(width <= _WIDEST_NAME for width in widths)
    return name if fits == len(name) else name[: fits - 1] + "…"
