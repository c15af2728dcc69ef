"""The deck as one SVG with its stylesheet, and single cards as SVG."""

import re
from functools import cache

from arena.web.cards.drawings import FACES, HEIGHT, MOTIFS, WIDTH

_BLACK, _PAPER = "#211c1d", "#f7e9cd"
_USED = re.compile(r'href="#([a-z-]+)"')
_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
_EDGE = "M8 0H92a8 8 0 0 1 8 8V156a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z"
_RIM = f"{_EDGE}M9 4a5 5 0 0 0-5 5V155a5 5 0 0 0 5 5H91a5 5 0 0 0 5-5V9a5 5 0 0 0-5-5z"


def _path(d: str, fill: str = "none", stroke: str = "", width: float = 0) -> str:
    """Return a path; its line is round at the ends and corners by the sheet's own rule."""
    line = f' stroke="{stroke}" stroke-width="{width:g}"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{line}/>'


_KINDS = {
    "L": _path("M0-5L1.5-1.6 5-1.5 2.3.8 3.2 4.4 0 2.4-3.2 4.4-2.3.8-5-1.5-1.5-1.6z", _BLACK),
    "A": _path(
        "M-4 3a4 3 0 0 1 8 0q-4 3-8 0zM-5-1a1.5 2 0 1 0 3 0 1.5 2 0 1 0-3 0zM-1.5-3.4a1.5 2 0 1 0 3 0 1.5 2 0 1 0-3 0zM2-1a1.5 2 0 1 0 3 0 1.5 2 0 1 0-3 0z",
        _BLACK,
    ),
    "R": _path("M-2.4-5h4.8V5L0 3-2.4 5z", _BLACK),
    "x": _path("M-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0z", "none", _BLACK, 1.4),
}


def _face(name: str) -> str:
    return _path(_EDGE, _PAPER) + FACES[name] + f'<path d="{_RIM}" fill="{_BLACK}" fill-rule="evenodd"/>'


def _back(color: str, line: str) -> str:
    return _path(_EDGE, color) + _path("M8 8H92V156H8z", stroke=line, width=2)


def _mark(name: str) -> str:
    """The corner marks: the month's number and a sign for the kind, on a light plate."""
    month, kind = name[:-1], name[-1] if name[-1] in _KINDS else "x"
    return (
        _path("M4 4H44V25H9a5 5 0 0 1-5-5z", _PAPER, _BLACK, 1)
        + f'<text x="16" y="20.5" font-family="sans-serif" font-size="17" font-weight="700" text-anchor="middle" fill="{_BLACK}">{month}</text>'
        + f'<g transform="translate(35 14.5)scale(1.5)">{_KINDS[kind]}</g>'
    )


SYMBOLS: dict[str, str] = {
    **{name: _face(name) for name in FACES},
    "back": _back("#2e2727", "#86786f"),
    "back-red": _back("#a3271a", "#dc8473"),
    **{f"mark-{name}": _mark(name) for name in FACES},
}


def _motifs_of(drawing: str) -> str:
    """Definitions of the motifs that a drawing uses."""
    names = dict.fromkeys(_USED.findall(drawing))
    return "<defs>" + "".join(f'<g id="{name}">{MOTIFS[name]}</g>' for name in names) + "</defs>"


def symbols(names: list[str]) -> str:
    """Definitions of these symbols and of what they use, to stand in an SVG of one's own."""
    chosen = {name: SYMBOLS[name] for name in dict.fromkeys(names)}
    return _motifs_of("".join(chosen.values())) + "".join(
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" {_ROUND}>{drawing}</symbol>'
        for name, drawing in chosen.items()
    )


_COLUMNS = 10
_PLACES = {name: divmod(index, _COLUMNS) for index, name in enumerate([*FACES, "back", "back-red"])}
"""Row and column of each card in the deck's picture."""
_ROWS = max(row for row, _ in _PLACES.values()) + 1
_GAP = 4
"""Between two cards of the deck, so that no edge of a card shows beside its neighbour."""
_CELL = (WIDTH + _GAP, HEIGHT + _GAP)


@cache
def deck(*, is_marked: bool = False) -> str:
    """Every card once, in rows. A page shows a card as a part of this picture: a browser draws one picture much faster
    than fifty."""
    drawn = "".join(
        f'<g id="{name}" transform="translate({column * _CELL[0]} {row * _CELL[1]})">'
        f"{SYMBOLS[name]}{SYMBOLS.get(f'mark-{name}', '') if is_marked else ''}</g>"
        for name, (row, column) in _PLACES.items()
    )
    width, height = _COLUMNS * _CELL[0], _ROWS * _CELL[1]
    size = f'width="{width}" height="{height}" viewBox="{-_GAP / 2:g} {-_GAP / 2:g} {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_ROUND}>{_motifs_of(drawn)}{drawn}</svg>'


@cache
def deck_css() -> str:
    """The stylesheet that turns an element of the classes `card` and `card-1L` (and so on) into that card."""
    width, height = _COLUMNS * _CELL[0], _ROWS * _CELL[1]

    def place(name: str) -> str:
        row, column = _PLACES[name]
        x = (column * _CELL[0] + _GAP / 2) / (width - WIDTH)
        y = (row * _CELL[1] + _GAP / 2) / (height - HEIGHT)
        return f"background-position:{100 * x:.4f}% {100 * y:.4f}%"

    size = f"{100 * width / WIDTH:g}% {100 * height / HEIGHT:.4f}%"
    rules = [
        f".card{{background:url(/cards.svg) 0 0/{size};aspect-ratio:{WIDTH}/{HEIGHT};border-radius:8%/5%;"
        "print-color-adjust:exact;-webkit-print-color-adjust:exact}",
        ".marks .card{background-image:url(/cards-marked.svg)}",
        *(f".card-{name}{{{place(name)}}}" for name in _PLACES),
        f'[data-back="red"] .card-back{{{place("back-red")}}}',
    ]
    return "\n".join(rules)


def card_svg(name: str) -> str:
    """One card as a picture of its own, with its marks as `marked-1L`. KeyError where there is none of this name."""
    face = name.removeprefix("marked-")
    drawing = SYMBOLS[face] + (SYMBOLS[f"mark-{face}"] if face != name else "")
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {_ROUND}>'
    return f"{start}{_motifs_of(drawing)}{drawing}</svg>"
