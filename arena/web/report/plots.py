"""Plots as SVG that stand for themselves, in a page, a notebook or a file.

Their colours are those of the page around them where it names them (`styles/tokens.css`), else those of a light page.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from unicodedata import east_asian_width

_INK, _SOFT, _LINE = "var(--ink,#231c19)", "var(--ink-soft,#5f544c)", "var(--line,#d9cdb8)"
_PAPER, _ACCENT = "var(--paper-raised,#fffdf8)", "var(--accent,#a92a1d)"
_GOOD, _BAD = "var(--good,#1f6b43)", "var(--bad,#a92a1d)"
_SERIES = tuple(
    f"var(--seat-{place},{color})" for place, color in enumerate(("#a92a1d", "#1f5fa8", "#7a5a00", "#6b3a94"))
)
_DASHES = ("", "7 4", "2 3", "9 3 2 3")
"""Of the lines, by how often all colours were used before."""
_MARGIN = 14
_LETTER = 7.2
_ROW = 26
_MAX_POINTS = 600


class Row(NamedTuple):
    """An estimate with the ends of its interval, one of which may lie beyond what is known."""

    name: str
    value: float
    low: float | None
    high: float | None


class Format(NamedTuple):
    """How wide a plot is, how long its names may be (a wide letter is two), and about how many ticks it has."""

    across: int
    longest: int
    ticks: int


WIDE = Format(720, 24, 6)
NARROW = Format(340, 14, 4)
"""For a page, and for a phone."""


class Bounds(NamedTuple):
    """What a test ends at."""

    lower: float
    upper: float


def intervals(rows: Sequence[Row], unit: str, origin: float | None = None, form: Format = WIDE) -> str:
    """Draw estimates under one another, the first on top, with a line at the `origin`."""
    names = [_short(row.name, form.longest) for row in rows]
    left = _MARGIN + _LETTER * max(map(_wide, names), default=0) + 12
    values = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    scale = _Scale.over([*values, *([] if origin is None else [origin])], left, form.across - _MARGIN)
    bottom = _MARGIN + _ROW * len(rows)
    parts = [scale.axis(bottom, _MARGIN, unit, form.ticks)]
    if origin is not None:
        parts.append(_line((scale.position(origin), _MARGIN), (scale.position(origin), bottom), _SOFT, dashes="4 3"))
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = _MARGIN + _ROW * (place + 0.5)
        low = scale.start if row.low is None else row.low
        high = scale.end if row.high is None else row.high
        parts.append(_text(left - 12, y + 4, name, _INK, "end"))
        parts.append(_line((scale.position(low), y), (scale.position(high), y), _ACCENT, 2))
        ends = [scale.position(end) for end in (row.low, row.high) if end is not None]
        parts.extend(_line((end, y - 5), (end, y + 5), _ACCENT, 2) for end in ends)
        parts.append(f'<circle cx="{scale.position(row.value):.1f}" cy="{y:.1f}" r="4.5" fill="{_ACCENT}"/>')
    return _svg(bottom + 40, parts, form)


def course(values: Sequence[float], bounds: Bounds, ends: tuple[str, str]) -> str:
    """Draw how a test went from its start at 0, board set by board set, between its bounds; `ends` names these."""
    high, left, right = 220.0, 60.0, WIDE.across - 110.0
    along = _Scale(0.0, float(max(len(values), 1)), left, right)
    reach = max(bounds.upper, -bounds.lower, *(abs(value) for value in values), 0.0) * 1.08
    up = _Scale(-reach, reach, high, _MARGIN)
    parts = [along.axis(high, _MARGIN, "board sets")]
    for bound, name, color in ((bounds.upper, ends[1], _GOOD), (bounds.lower, ends[0], _BAD)):
        y = up.position(bound)
        parts.append(_line((left, y), (right, y), color, 1.5, "6 4"))
        parts.append(_text(right + 8, y + 4, name, color))
        parts.append(_text(left - 8, y + 4, f"{bound:+.2f}", _SOFT, "end"))
    parts.append(_line((left, up.position(0)), (right, up.position(0)), _LINE))
    parts.append(_text(left - 8, up.position(0) + 4, "LLR 0", _SOFT, "end"))
    points = [(0, 0.0), *enumerate(values, start=1)]
    thinned = points[:: math.ceil(len(points) / _MAX_POINTS)]
    if thinned[-1] != points[-1]:
        thinned.append(points[-1])
    parts.append(_path([(along.position(count), up.position(value)) for count, value in thinned], _ACCENT))
    last = (along.position(points[-1][0]), up.position(points[-1][1]))
    parts.append(f'<circle cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="4" fill="{_ACCENT}"/>')
    return _svg(high + 40, parts)


def lines(
    series: Sequence[tuple[str, Sequence[float]]],
    steps: str,
    unit: str,
    *,
    positions: Sequence[int] | None = None,
    is_sized: bool = True,
    form: Format = WIDE,
) -> str:
    """Draw a line for each name over steps, from 0 on or at those `positions`; the names stand at their ends.

    A drawing that is not `is_sized` is as wide as the place it stands in, and has no style of its own.
    """
    high = float(max(220, 17 * len(series) + 2 * _MARGIN))
    left = 60.0 if form is WIDE else 40.0
    names = [_short(name, form.longest) for name, _ in series]
    right = form.across - 20 - _LETTER * max(map(_wide, names), default=0)
    numbers = range(max((len(values) for _, values in series), default=2)) if positions is None else positions
    along = _Scale(0.0, float(numbers[-1]), left, right)
    up = _Scale.over([value for _, values in series for value in values], high, _MARGIN)
    parts = [along.axis(high, _MARGIN, steps, form.ticks, whole=True), up.axis_left(left, right)]
    parts.append(_text(_MARGIN, _MARGIN - 2, unit, _SOFT))
    places = _spread([up.position(values[-1]) for _, values in series], 16, _MARGIN + 4, high)
    for number, (name, (_, values), place) in enumerate(zip(names, series, places, strict=True)):
        color = _SERIES[number % len(_SERIES)]
        dashes = _DASHES[number // len(_SERIES) % len(_DASHES)]
        points = [(along.position(step), up.position(value)) for step, value in zip(numbers, values, strict=False)]
        parts.append(_path(points, color, dashes))
        parts.append(_line(points[-1], (right + 8, place), _LINE))
        parts.append(_text(right + 10, place + 4, name, color))
    return _svg(high + 40, parts, form, is_sized=is_sized)


def ticks(start: float, end: float, about: int = WIDE.ticks, *, whole: bool = False) -> list[float]:
    """Return round numbers from one end to another, `about` so many; of whole numbers alone where that is asked."""
    rough = (end - start) / about
    if not rough > 0:
        return [start]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * part for part in (1, 2, 5, 10) if power * part >= rough * 0.999)
    if whole:
        step = max(step, 1.0)
    first = math.ceil(start / step - 1e-9)
    return [step * number for number in range(first, math.floor(end / step + 1e-9) + 1)]


class _Scale(NamedTuple):
    """Values from `start` to `end` on places from `low` to `high`."""

    start: float
    end: float
    low: float
    high: float

    @classmethod
    def over(cls, values: Sequence[float], low: float, high: float) -> "_Scale":
        """Return one that has room for all values."""
        lowest, highest = min(values, default=0.0), max(values, default=1.0)
        room = (highest - lowest or 1.0) * 0.06
        return cls(lowest - room, highest + room, low, high)

    def position(self, value: float) -> float:
        return self.low + (value - self.start) / (self.end - self.start) * (self.high - self.low)

    def axis(self, y: float, top: float, unit: str, about: int = WIDE.ticks, *, whole: bool = False) -> str:
        parts = [_line((self.low, y), (self.high, y), _LINE)]
        for tick in ticks(self.start, self.end, about, whole=whole):
            parts.append(_line((self.position(tick), top), (self.position(tick), y), _LINE))
            parts.append(_text(self.position(tick), y + 16, f"{tick:g}", _SOFT, "middle"))
        parts.append(_text(self.high, y + 33, unit, _SOFT, "end"))
        return "".join(parts)

    def axis_left(self, x: float, right: float) -> str:
        parts = []
        for tick in ticks(self.start, self.end):
            parts.append(_line((x, self.position(tick)), (right, self.position(tick)), _LINE))
            parts.append(_text(x - 8, self.position(tick) + 4, f"{tick:g}", _SOFT, "end"))
        return "".join(parts)


def _spread(places: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Move places so that they are so far apart, and none is beyond the ends as far as there is room."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    floor = top
    for index in order:
        moved[index] = floor = max(moved[index], floor)
        floor += apart
    ceiling = bottom
    for index in reversed(order):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - apart
    return moved


def _svg(high: float, parts: Sequence[str], form: Format = WIDE, *, is_sized: bool = True) -> str:
    size = f'viewBox="0 0 {form.across} {high:g}"'
    if is_sized:
        size = f'width="{form.across}" height="{high:g}" {size} style="max-width:100%;height:auto"'
    ground = f'<rect width="100%" height="100%" rx="6" fill="{_PAPER}"/>'
    font = 'font-family="sans-serif" font-size="13"'
    role = ' role="img"' if is_sized else ""  # else the place that it stands in has one, with a name
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}{role}>{ground}{"".join(parts)}</svg>'


def _line(start: tuple[float, float], end: tuple[float, float], color: str, width: float = 1, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{color}" stroke-width="{width:g}"{dashed}/>'
    )


def _path(points: Sequence[tuple[float, float]], color: str, dashes: str = "") -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{drawn}" fill="none" stroke="{color}" stroke-width="2"{dashed}/>'


def _text(x: float, y: float, text: str, color: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(text)}</text>'


def _wide(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _short(name: str, longest: int) -> str:
    """A name, cut where it is too long."""
    cut = name
    while _wide(cut) > longest:
        cut = cut[:-1]
    return name if cut == name else f"{cut[:-1]}…"
