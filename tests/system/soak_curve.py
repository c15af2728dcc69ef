"""The curve of a long run, as a picture: each process's memory, descriptors and threads over the minutes."""

from collections.abc import Mapping, Sequence

Curve = Sequence[tuple[float, float]]
Curves = Mapping[str, Mapping[str, Curve]]

PLOTS = ("MiB", "descriptors", "threads", "keys")
_WIDTH, _HEIGHT, _LEFT, _GAP = 720, 150, 56, 40
_RIGHT = 130
_COLOURS = ("#b3261e", "#1f5fa8", "#2e7d32", "#8a6d00", "#6a3fa0")
_POINTS = 240
"""A line has at most so many points."""


def drawn(curves: Curves) -> str:
    """One plot under another as SVG, from 0, with the minutes below."""
    names = list(curves)
    end = max(curve[-1][0] for of in curves.values() for curve in of.values())
    height = len(PLOTS) * (_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + _RIGHT} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="100%" height="{height}" fill="#fff"/>',
    ]
    for place, what in enumerate(PLOTS):
        shown = [(name, curves[name][what]) for name in names if what in curves[name]]
        parts += _plot(what, shown, end, place * (_HEIGHT + _GAP) + 22)
    return "\n".join([*parts, "</svg>\n"])


def _plot(what: str, shown: Sequence[tuple[str, Curve]], end: float, top: float) -> list[str]:
    most = 1.1 * max(value for _, curve in shown for _, value in curve)
    bottom = top + _HEIGHT - 20
    parts = [f'<text x="{_LEFT}" y="{top - 8}" font-weight="bold">{what}</text>']
    for share in (0.0, 0.5, 1.0):
        y = bottom - share * (bottom - top)
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ccc"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share * most:.0f}</text>')
    for tenth in range(0, 11, 2):
        x = _LEFT + _WIDTH * tenth / 10
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{end * tenth / 10:.0f} min</text>')
    taken: list[float] = []
    for (name, curve), colour in zip(shown, _COLOURS, strict=False):
        every = max(1, len(curve) // _POINTS)
        points = " ".join(
            f"{_LEFT + _WIDTH * minutes / end:.1f},{bottom - value / most * (bottom - top):.1f}"
            for minutes, value in curve[::every]
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = bottom - curve[-1][1] / most * (bottom - top)
        while any(abs(y - other) < 14 for other in taken):
            y -= 2
        taken.append(y)
        parts.append(f'<text x="{_LEFT + _WIDTH + 6}" y="{y + 4:.1f}" fill="{colour}">{name}</text>')
    return parts
