"""The twelve plants: motifs around the point 0 0 that the cards are composed of, by name."""

from arena.web.cards.ink import (
    BARK,
    BLACK,
    GREEN,
    LILAC,
    PAPER,
    PINE,
    RED,
    ROSE,
    VIOLET,
    WHITE,
    YELLOW,
    Point,
    along,
    at,
    curve,
    dots,
    leaf,
    number,
    path,
    polygon,
    scallop,
)


def _rays(radius: float, first: float, last: float, count: int, inner: float = 0) -> str:
    step = (last - first) / (count - 1)
    lines = []
    for i in range(count):
        (a, b), (x, y) = at(first + i * step, inner), at(first + i * step, radius)
        lines.append(f"M{number(a)} {number(b)}L{number(x)} {number(y)}")
    return "".join(lines)


def _cherry_petal(turn: float) -> str:
    petal = "M0-1C-6-4-6.6-9.5-3-11.6L0-9.4 3-11.6C6.6-9.5 6-4 0-1z"
    return f'<path d="{petal}" fill="{ROSE}" stroke="{WHITE}" stroke-width=".7" transform="rotate({number(turn)})"/>'


def _wisteria() -> str:
    """A hanging cluster, broad above and a point below."""
    rows = (
        (0, 3, 4.4),
        (6.5, 4, 4.2),
        (13, 3, 4),
        (19.5, 3, 3.6),
        (26, 2, 3.4),
        (32, 2, 2.8),
        (37.5, 1, 2.6),
        (42, 1, 2),
    )
    dark: list[tuple[float, float, float]] = []
    light: list[tuple[float, float, float]] = []
    for row, (y, count, size) in enumerate(rows):
        for i in range(count):
            x = (i - (count - 1) / 2) * size * 1.55
            (light if (i + row) % 2 else dark).append((x, y, size))
    return "".join(
        path("".join(dots([(x, y)], size) for x, y, size in group), fill)
        for group, fill in ((dark, VIOLET), (light, LILAC))
    )


def _clover(length: float) -> str:
    """A bending branch of bush clover: leaves in threes, flowers towards the tip."""
    start, bend, end = (0.0, 0.0), (2.0, -length * 0.75), (length * 0.62, -length * 0.88)
    leaves, flowers = "", []
    count = round(length / 14)
    for i in range(count):
        (x, y), angle = along(start, bend, end, 0.24 + 0.76 * i / (count - 1))
        side = 62 if i % 2 else -62
        leaves += "".join(leaf((x, y), angle + side + turn, 11, 6) for turn in (-58, 0, 58))
        flowers += [at(angle - side, distance, (x, y)) for distance in (4.5, 8.8)]
    return (
        path(curve(start, bend, end), stroke=BARK, width=1.6)
        + path(leaves, GREEN)
        + path(dots(flowers[2:], 2.3), "#b5307a")
    )


def _pampas() -> str:
    """A plume of the grass, its foot at 0 0, leaning to the right."""
    start, bend, end = (0.0, 0.0), (-1.0, -40.0), (17.0, -54.0)
    hairs = ""
    for i in range(11):
        (x, y), angle = along(start, bend, end, 0.45 + i / 20)
        for side in (-1, 1):
            hairs += leaf((x, y), angle + side * 26, 15, 3)
    return path(curve(start, bend, end), stroke=BLACK, width=1.5) + path(hairs, YELLOW, "#9a6a12", 0.5)


def _petals(count: int, length: float, breadth: float, turn: float = 0) -> str:
    angles = [turn + 360 * i / count for i in range(count)]
    return "".join(leaf(at(angle, 1), angle, length, breadth) for angle in angles)


def _maple(fill: str) -> str:
    tips = ((0, 14), (40, 13), (80, 11.5), (125, 7.5), (-125, 7.5), (-80, 11.5), (-40, 13))
    order = sorted((angle % 360, length) for angle, length in tips)
    points: list[Point] = []
    for i, (angle, length) in enumerate(order):
        following = order[(i + 1) % len(order)][0] + (360 if i == len(order) - 1 else 0)
        points += [at(angle - 9, length * 0.55), at(angle, length), at(angle + 9, length * 0.55)]
        points.append(at((angle + following) / 2, 4 if following - angle < 60 else 2.6))
    return path("M0 2Q1 8-1 12", stroke=BARK, width=1.3) + path(polygon(points), fill)


def _strand(length: float) -> str:
    """A hanging strand of the willow."""
    start, bend, end = (0.0, 0.0), (7.0, length * 0.45), (0.0, length)
    leaves = ""
    count = round(length / 7)
    for i in range(1, count + 1):
        point, angle = along(start, bend, end, i / count)
        leaves += leaf(point, angle + (28 if i % 2 else -28), 9, 3.4)
    return path(curve(start, bend, end), stroke=PINE, width=1.1) + path(leaves, GREEN)


def _kiri_spike(bud: str, tip: str) -> str:
    """A spike of paulownia buds, its foot at 0 0."""
    pairs = [(-4.5, -9.0), (4.5, -9.0), (-4.4, -18.0), (4.4, -18.0), (-3.8, -27.0), (3.8, -27.0)]
    buds = "".join(leaf((0, y + 5), -42 if x < 0 else 42, 10.5, 5.4) for x, y in pairs)
    return path("M0 0V-34", stroke=BARK, width=1.6) + path(buds, bud) + path(leaf((0, -30), 0, 12, 5), tip)


MOTIFS: dict[str, str] = {
    # A cushion of needles: half a disc, its needles drawn light.
    "pine": path("M-17 3a17 16 0 0 1 34 0q-17 5-34 0z", PINE)
    + path(_rays(15, -78, 78, 9, 3), stroke="#7fa06a", width=1.1)
    + path("M-5 3.6h10", stroke=RED, width=2.2),
    "plum": path(dots([at(72 * i, 5.6) for i in range(5)], 4.7), RED, PAPER, 0.8)
    + path(_rays(4.4, 0, 288, 5), stroke=YELLOW, width=0.9)
    + path(dots([(0, 0)], 1.9) + dots([at(72 * i, 4.6) for i in range(5)], 0.8), YELLOW),
    "bud": path(dots([(0, 0)], 2.8), RED),
    "cherry": "".join(_cherry_petal(72 * i) for i in range(5))
    + path(_rays(5, 0, 288, 5), stroke=RED, width=0.9)
    + path(dots([(0, 0)], 1.7), RED),
    "wisteria": _wisteria(),
    "frond": path(leaf((0, 0), 115, 15, 5) + leaf((0, 0), 150, 15, 5) + leaf((0, 0), 75, 13, 4.4), GREEN),
    "iris": path("M0 2C-3-6-6-9-4-15-1-13-1-13 0-11 1-13 1-13 4-15 6-9 3-6 0 2z", LILAC)
    + path("M0 0C-6-6-15-5-15 4-15 9-10 12-8 8-7 4-4 2 0 2z", VIOLET)
    + path("M0 0C6-6 15-5 15 4 15 9 10 12 8 8 7 4 4 2 0 2z", VIOLET)
    + path("M0-1C-5 3-6 10 0 14 6 10 5 3 0-1z", VIOLET, PAPER, 0.8)
    + path("M0 1v7", stroke=YELLOW, width=2.4),
    # A leaf of the iris, its foot at 0 0.
    "blade": path("M-3 0C-3.5-20-2-45 1-62 4-45 4-20 3 0z", GREEN),
    "peony": path(scallop(8, 15), RED)
    + path(scallop(8, 10.6, 22), ROSE, RED, 0.8)
    + path(scallop(6, 6.4), RED, ROSE, 0.8)
    + path(dots([at(60 * i, 2.4) for i in range(6)] + [(0, 0)], 1.1), YELLOW),
    "peony-leaf": path(leaf((0, 0), 0, 24, 9) + leaf((0, -3), -48, 18, 7) + leaf((0, -3), 48, 18, 7), PINE)
    + path("M0 0V-19M0-3L-10-12M0-3L10-12", stroke="#7fa06a", width=0.9),
    "clover": _clover(62),
    "clover-low": _clover(42),
    "pampas": _pampas(),
    "kiku": path(_petals(14, 14, 4.6), YELLOW, "#8a5a10", 0.7)
    + path(_petals(10, 8.5, 3.6, 13), "#f9d56b", "#8a5a10", 0.7)
    + path(dots([(0, 0)], 2.6), RED),
    "kiku-leaf": path(
        "M0 2C-5-1-12 1-14-5L-10-7-14-13-8-12-7-18-2-14 0-21 2-14 7-18 8-12 14-13 10-7 14-5C12 1 5-1 0 2z", PINE
    )
    + path("M0 2V-14M0-3L-8-8M0-3L8-8", stroke="#7fa06a", width=0.9),
    "maple": _maple(RED),
    "maple-gold": _maple(YELLOW),
    "strand": _strand(64),
    "strand-low": _strand(40),
    "kiri-leaf": path(
        "M0 4C-8 12-22 12-31 3-27 0-29-4-30-8-22-9-18-14-13-20-8-18-4-20 0-27 4-20 8-18 13-20 18-14 22-9 30-8 29-4 27 0 31 3 22 12 8 12 0 4z",
        BLACK,
    )
    + path("M0 4V-19M0 2L-12-11M0 3L-22-1M0 2L12-11M0 3L22-1", stroke=PAPER, width=1),
    "kiri-spike": _kiri_spike(VIOLET, LILAC),
    "kiri-gold": _kiri_spike(YELLOW, "#f9d56b"),
}
"""SVG by the name of the motif."""
