"""Colours and strokes: what every drawing of a card is made with. A card is 100 wide and 164 high."""

from collections.abc import Iterable
from math import atan2, cos, degrees, radians, sin

WIDTH, HEIGHT = 100, 164

BLACK = "#211c1d"
RED = "#c5301f"
ROSE = "#ec8b80"
YELLOW = "#efb32a"
VIOLET = "#6f3f93"
LILAC = "#ab86c4"
BLUE = "#3d4694"
GREEN = "#3f7443"
PINE = "#26482f"
BARK = "#5a4335"
PAPER = "#f7e9cd"
WHITE = "#fffaf0"

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate in as few characters as a tenth needs."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def at(angle: float, radius: float, center: Point = (0, 0)) -> Point:
    """The point at an angle in degrees, 0 upwards and clockwise."""
    return center[0] + radius * sin(radians(angle)), center[1] - radius * cos(radians(angle))


def path(d: str, fill: str = "none", stroke: str = "", width: float = 0) -> str:
    """A path; its line is round at the ends and corners by the sheet's own rule."""
    line = f' stroke="{stroke}" stroke-width="{number(width)}"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{line}/>'


def polygon(points: Iterable[Point]) -> str:
    """Points as the data of a closed path."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def dots(centers: Iterable[Point], radius: float) -> str:
    """Discs of one size as the data of a path."""
    r, d = number(radius), number(2 * radius)
    return "".join(f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0" for x, y in centers)


def leaf(start: Point, angle: float, length: float, breadth: float) -> str:
    """A pointed leaf from its stalk as the data of a path."""
    tip = at(angle, length, start)
    left = at(angle - 90, breadth, at(angle, length * 0.45, start))
    right = at(angle + 90, breadth, at(angle, length * 0.45, start))
    (x, y), (a, b) = start, tip
    return (
        f"M{number(x)} {number(y)}Q{number(left[0])} {number(left[1])} {number(a)} {number(b)}"
        f"Q{number(right[0])} {number(right[1])} {number(x)} {number(y)}z"
    )


def scallop(lobes: int, radius: float, turn: float = 0) -> str:
    """A round edge of so many lobes as the data of a path."""
    points = [at(turn + 360 * i / lobes, radius) for i in range(lobes)]
    bulge = number(radius * sin(radians(180 / lobes)) * 1.08)
    x, y = points[-1]
    return f"M{number(x)} {number(y)}" + "".join(f"A{bulge} {bulge} 0 0 1 {number(x)} {number(y)}" for x, y in points)


def use(motif: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A motif set down at a point; a negative scale mirrors it, left for right."""
    move = f"translate({number(x)} {number(y)})"
    if turn:
        move += f"rotate({number(turn)})"
    if scale < 0:
        move += f"scale({scale:g} {-scale:g})"
    elif scale != 1:
        move += f"scale({scale:g})"
    return f'<use href="#{motif}" transform="{move}"/>'


def each(motif: str, *places: tuple[float, ...]) -> str:
    """A motif at several places, each as `use` takes it: x, y, scale, turn."""
    return "".join(use(motif, *place) for place in places)


def along(start: Point, bend: Point, end: Point, t: float) -> tuple[Point, float]:
    """A point of a quadratic curve, and the angle in which the curve goes on there."""
    u = 1 - t
    x = u * u * start[0] + 2 * u * t * bend[0] + t * t * end[0]
    y = u * u * start[1] + 2 * u * t * bend[1] + t * t * end[1]
    dx = 2 * u * (bend[0] - start[0]) + 2 * t * (end[0] - bend[0])
    dy = 2 * u * (bend[1] - start[1]) + 2 * t * (end[1] - bend[1])
    return (x, y), degrees(atan2(dx, -dy))


def curve(start: Point, bend: Point, end: Point) -> str:
    """A quadratic curve as the data of a path."""
    return f"M{number(start[0])} {number(start[1])}Q" + " ".join(number(v) for v in (*bend, *end))
