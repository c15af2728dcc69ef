"""The ground that all previews share, as SVG, and how it becomes a PNG."""

from collections.abc import Sequence
from html import escape
from itertools import accumulate
from unicodedata import east_asian_width

from arena.web.cards import symbols
from arena.web.cards.drawings import HEIGHT, WIDTH
from arena.web.language import ENGLISH, Language
from arena.web.viewer.picture import FONTS, JAPANESE_FONTS

ACROSS, HIGH = 1200, 630
MARGIN = 60
FELT, DEEP, INK, SOFT, GLOW = "#2f5245", "#274539", "#f6f0e0", "#c9d6c6", "#ffcf4a"
_LETTER = 0.58
"""Of a letter's height its width, about; a wide character's is its height."""
_FAN = ("3L", "8L", "1L", "12L", "11L")
_FAN_CARD = 92


def sheet(body: str, cards: Sequence[str] = (), language: Language = ENGLISH) -> str:
    """Return a whole preview; `cards` are those that the body uses."""
    start = f'<svg xmlns="http://www.w3.org/2000/svg" width="{ACROSS}" height="{HIGH}" font-family="{FONTS}">'
    site = text(ACROSS - MARGIN, HIGH - 28, language.gettext("Hanafuda arena"), 26, SOFT, anchor="end")
    return f'{start}{symbols(list(cards))}<rect width="100%" height="100%" fill="{FELT}"/>{body}{site}</svg>'


def text(x: float, y: float, words: str, size: int, color: str = INK, *, room: float = 0, **looks: str) -> str:
    """Return a line of text, cut where it has not the `room`; `looks` are `anchor` and `weight`."""
    shown = _cut(words, room / size) if room else words
    anchor, weight = looks.get("anchor", "start"), looks.get("weight", "400")
    family = f' font-family="{JAPANESE_FONTS}"' if any(map(_is_wide, shown)) else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" text-anchor="{anchor}" font-weight="{weight}"'
        f"{family}>{escape(shown)}</text>"
    )


def fan() -> str:
    """Return the five lights in a hand, in the upper right corner; a sheet that has it uses `FAN_CARDS`."""
    tall = _FAN_CARD * HEIGHT / WIDTH
    drawn = []
    for place, name in enumerate(_FAN):
        x, turn = ACROSS - 420 + 52 * place, 9 * (place - 2)
        y = 36 + 6 * abs(place - 2) ** 1.6
        drawn.append(
            f'<g transform="rotate({turn} {x + _FAN_CARD / 2:g} {y + 2 * tall:g})">'
            f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{_FAN_CARD}" height="{tall:g}"/></g>'
        )
    return "".join(drawn)


FAN_CARDS = _FAN


def png(svg: str) -> bytes:
    """Return the picture as PNG. ModuleNotFoundError where what draws it is not installed."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _is_wide(letter: str) -> bool:
    return east_asian_width(letter) in "WF"


def _cut(words: str, ems: float) -> str:
    """As much of the words as fits into so many times their height."""
    widths = list(accumulate(1.0 if _is_wide(word) else _LETTER for word in words))
    if not widths or widths[-1] <= ems:
        return words
    return words[: sum(width <= ems - 1 for width in widths)] + "…"
