"""A tuning as a picture: for each parameter what was measured, and the surface through it."""

from collections.abc import Sequence
from html import escape

import numpy as np

from arena.tuning.parameters import Parameter, Values
from arena.tuning.study import Measured, Optimum
from arena.tuning.surface import Surface

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 360, 220, 52, 34, 46
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.axis{stroke:#888}.band{fill:#2a6fb0;opacity:.18}"
    ".mean{stroke:#2a6fb0;fill:none;stroke-width:2}.trial{fill:#222;opacity:.45}.interval{fill:#d9822b;opacity:.18}.best{stroke:#d9822b;stroke-width:2}"
    ".start{stroke:#888;stroke-dasharray:4 3}"
)
_BINS = 40


def svg(
    parameters: Sequence[Parameter],
    trials: Sequence[tuple[Values, Measured]],
    surface: Surface,
    optimum: Optimum,
    start: Values,
) -> str:
    """Draw the tuning as an SVG document, a panel for each parameter.

    The band is 95 % of the expected margin; with several parameters the best that the others allow at a value.
    """
    panels = [_panel(number, parameter, trials, surface, optimum, start) for number, parameter in enumerate(parameters)]
    width = _LEFT + len(panels) * (_WIDTH + _GAP)
    height = _TOP + _HEIGHT + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(", ".join(parameter.name for parameter in parameters))}: margin by value</title>'
        f'<style>{_STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>{"".join(panels)}</svg>\n'
    )


def profile(surface: Surface, number: int) -> tuple[list[float], list[float], list[float]]:
    """Along one parameter, from 0 to 1: places, the highest expected margin there, and its standard error."""
    bins = np.minimum((surface.places[:, number] * _BINS).astype(int), _BINS - 1)
    chosen = []
    for place in range(_BINS):
        inside = np.flatnonzero(bins == place)
        if len(inside):
            chosen.append(inside[np.argmax(surface.means[inside])])
    chosen.sort(key=lambda index: surface.places[index, number])
    indexes = np.array(chosen, dtype=int)
    return surface.places[indexes, number].tolist(), surface.means[indexes].tolist(), surface.errors[indexes].tolist()


def _panel(
    number: int,
    parameter: Parameter,
    trials: Sequence[tuple[Values, Measured]],
    surface: Surface,
    optimum: Optimum,
    start: Values,
) -> str:
    places, means, errors = profile(surface, number)
    measured = [measured.margin for _, measured in trials]
    low = min([*measured, *(m - 1.96 * e for m, e in zip(means, errors, strict=True)), 0.0])
    high = max([*measured, *(m + 1.96 * e for m, e in zip(means, errors, strict=True)), 0.0])
    spread = (high - low) or 1.0
    start_x = _LEFT + number * (_WIDTH + _GAP)

    def x(unit: float) -> str:
        return f"{start_x + _WIDTH * min(1.0, max(0.0, unit)):.1f}"

    def y(margin: float) -> str:
        return f"{_TOP + _HEIGHT * (high - margin) / spread:.1f}"

    def upright(value: float, kind: str) -> str:
        position = x(parameter.unit(value))
        return f'<line class="{kind}" x1="{position}" x2="{position}" y1="{_TOP}" y2="{_TOP + _HEIGHT}"/>'

    band = [f"{x(p)},{y(m + 1.96 * e)}" for p, m, e in zip(places, means, errors, strict=True)]
    band += [f"{x(p)},{y(m - 1.96 * e)}" for p, m, e in zip(places[::-1], means[::-1], errors[::-1], strict=True)]
    line = " ".join(f"{x(p)},{y(m)}" for p, m in zip(places, means, strict=True))
    begin, end = (parameter.unit(side[parameter.name]) for side in (optimum.low, optimum.high))
    wide = max(1.0, (end - begin) * _WIDTH)
    best, first = optimum.best[parameter.name], start[parameter.name]
    head = (
        f"{parameter.name}: best {parameter.text(best)} "
        f"({parameter.text(optimum.low[parameter.name])} to {parameter.text(optimum.high[parameter.name])}), "
        f"start {parameter.text(first)}"
    )
    dots = "".join(
        f'<circle class="trial" r="2.5" cx="{x(parameter.unit(values[parameter.name]))}" cy="{y(trial.margin)}"/>'
        for values, trial in trials
    )
    return (
        f'<text x="{start_x}" y="{_TOP - 12}">{escape(head)}</text>'
        f'<rect class="interval" x="{x(begin)}" y="{_TOP}" width="{wide:.1f}" height="{_HEIGHT}"/>'
        f'<polygon class="band" points="{" ".join(band)}"/><polyline class="mean" points="{line}"/>{dots}'
        f"{upright(best, 'best')}{upright(first, 'start')}"
        f'<line class="axis" x1="{start_x}" x2="{start_x + _WIDTH}" y1="{y(0.0)}" y2="{y(0.0)}"/>'
        f'<text x="{start_x}" y="{_TOP + _HEIGHT + 18}">{parameter.text(parameter.low)}</text>'
        f'<text x="{start_x + _WIDTH}" y="{_TOP + _HEIGHT + 18}" text-anchor="end">'
        f"{parameter.text(parameter.high)}</text>"
        f'<text x="{start_x + _WIDTH / 2:g}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{escape(parameter.name)}; '
        "upwards: points a match</text>"
        f'<text x="{start_x - 6}" y="{float(y(high)) + 4}" text-anchor="end">{high:+.2f}</text>'
        f'<text x="{start_x - 6}" y="{float(y(low)) + 4}" text-anchor="end">{low:+.2f}</text>'
    )
