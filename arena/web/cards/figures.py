"""Animals, things, people and ribbons: what stands on a card beside its plant."""

from arena.web.cards.ink import (
    BARK,
    BLACK,
    BLUE,
    GREEN,
    LILAC,
    PAPER,
    RED,
    ROSE,
    VIOLET,
    WHITE,
    YELLOW,
    at,
    dots,
    path,
)

_STRIP = "M-12-54L12-58V52L-12 56z"
_WRITING = "M-5-42q7-3 9 1-3 7-9 9M1-46v14M-5-22h10q-2 8-9 10M0-26v14M-4-2q4-4 8 0-3 9-8 9M-1 14v13q4 3 6-2M-5 17h9M-4 36q8-4 8 2-4 6-8 6"

FIGURES: dict[str, str] = {
    "sun": path(dots([(0, 0)], 24), RED),
    "moon": path(dots([(0, 0)], 30), WHITE),
    "crane": path("M-14 44L-12 66M0 45L2 66M-12 66l-6 2M2 66l-6 2", stroke=BLACK, width=2)
    + path("M20 22C34 24 38 36 33 48 27 44 24 40 18 40z", BLACK)
    + path("M-20 30C-14 16 8 12 24 22 34 30 26 42 12 46-4 50-18 46-22 38z", WHITE, BLACK, 1.3)
    + path("M-4 26Q10 24 22 34M-6 33Q8 32 18 40", stroke="#b9ad98", width=1.3)
    + path("M-16 36C-30 24-24 8-27-8", stroke=BLACK, width=9.4)
    + path("M-16 36C-30 24-24 8-27-8", stroke=WHITE, width=6.8)
    + path("M-21 26C-26 16-24 6-26-4", stroke=BLACK, width=3.4)
    + path(dots([(-28, -11)], 6.2), WHITE, BLACK, 1.3)
    + path("M-33-14a6 6 0 0 1 11-1z", RED)
    + path("M-33-11L-46-7-33-7z", YELLOW, BLACK, 0.8)
    + path(dots([(-29.5, -10.5)], 1.2), BLACK),
    "curtain": path("M0 0H92V50Q80 62 69 50 57 62 46 50 34 62 23 50 12 62 0 50z", RED)
    + path("M0 8H92M0 14H92", stroke=PAPER, width=1.6)
    + path("M23 14V51M46 14V51M69 14V51", stroke="#8d1d12", width=1.6)
    + "".join(
        path(dots([(x, 32)], 7.6), PAPER) + path(dots([at(72 * i, 3.6, (x, 32)) for i in range(5)], 2.4), RED)
        for x in (11.5, 34.5, 57.5, 80.5)
    )
    + path("M0 0H92V4H0z", BLACK),
    # The bush warbler, on a twig.
    "warbler": path("M14 2L34-8 30 0 36 4 16 9z", "#7d7a2c")
    + path("M-20-2C-16-14 0-14 10-6 18 0 20 8 10 12-4 16-18 12-20-2z", "#a3a03a", BLACK, 0.9)
    + path("M-16 4C-8 14 4 14 10 9 4 6-6 6-16 4z", PAPER)
    + path("M-2-5C6-6 16 0 24-2 18 8 6 8-2-5z", "#6a6a24")
    + path("M-19-4L-28-2-19 1z", YELLOW, BLACK, 0.7)
    + path(dots([(-12, -4)], 1.7), BLACK)
    + path("M-3 13v8M4 13v8", stroke=BLACK, width=1.6),
    "cuckoo": path("M-4-2C-2-20 8-30 26-36 20-22 18-8 12 2z", BLACK)
    + path("M2 0C8-14 14-20 24-26M8 2C12-8 14-12 20-16", stroke=PAPER, width=1.2)
    + path("M10 4L34 12 26 14 32 20 8 12z", BLACK)
    + path("M-24-4C-18-14-4-12 6-4 16 2 18 8 10 12-4 16-18 10-24-4z", "#6d5a4d", BLACK, 1)
    + path("M-20 2C-12 14 2 16 10 10 2 8-8 6-20 2z", WHITE)
    + path("M-12 6l4 4M-5 7l3 5M2 8l2 4", stroke=BLACK, width=1.3)
    + path("M-23-5L-33-1-22 1z", YELLOW, BLACK, 0.7)
    + path(dots([(-17, -4)], 1.8), YELLOW, BLACK, 1)
    + path("M-6 0C-14 12-26 18-34 18-26 24-8 20 4 6z", BLACK),
    "crescent": path("M6-16A16 16 0 1 0 16 6 13 13 0 0 1 6-16z", RED),
    # Planks in zigzag over water.
    "bridge": path("M-34 8v16M-4 0v18M20 26v14M-16 46v14M-40 56v12M34 20v14", stroke=BLACK, width=2.6)
    + "".join(
        path(f"M{x} {y}l{length} {-length // 5} 4 8-{length} {length // 5}z", YELLOW, BLACK, 1.2)
        + path(
            f"M{x + length // 3} {y - length // 15}l4 8M{x + 2 * length // 3} {y - 2 * length // 15}l4 8",
            stroke=BLACK,
            width=1,
        )
        for x, y, length in ((-44, 10, 45), (-8, 30, 50), (-44, 54, 60))
    ),
    "water": path("M0 0q6-4 12 0t12 0 12 0 12 0 12 0 12 0 12 0", stroke="#6d86b5", width=1.6),
    "butterfly": path("M0 0C-4-16-20-18-20-6-20 2-8 4 0 0zM0 0C4-16 20-18 20-6 20 2 8 4 0 0z", YELLOW, BLACK, 1.1)
    + path("M0 1C-6 3-14 8-10 15-5 18 0 10 0 1zM0 1C6 3 14 8 10 15 5 18 0 10 0 1z", VIOLET, BLACK, 1)
    + path(dots([(-12, -6), (12, -6)], 2.6), RED)
    + path("M0-5V11", stroke=BLACK, width=2.8)
    + path("M-.5-5Q-3-12-7-12M.5-5Q3-12 7-12", stroke=BLACK, width=0.9),
    "boar": path("M-20 18l-3 15h6l4-12zM-6 20v13h6l2-12zM16 20l2 13h6l1-15zM30 14l5 15h6l-1-18z", BLACK)
    + path(
        "M-42 10C-38-4-26-14-10-16 12-22 38-18 44-2 48 10 40 20 26 22 4 26-14 26-26 20-34 20-40 16-42 10z", "#6b4a35"
    )
    + path("M-18-15l4-7 4 5 4-7 5 5 5-6 5 5 6-5 5 6 6-4 4 7 6-2 2 8", stroke=BLACK, width=3)
    + path("M43-2Q52-4 50-12", stroke=BLACK, width=2)
    + path("M-42 10C-46 8-48 12-47 16-45 20-40 19-36 19z", ROSE, BLACK, 0.8)
    + path("M-38 17q-1-7-6-8 0 6 2 9z", WHITE, BLACK, 0.6)
    + path("M-22-11l-4-9 10 5z", "#6b4a35", BLACK, 1)
    + path(dots([(-31, 3)], 2), BLACK)
    + path("M-6 0q8 4 16 0M8 8q8 4 16 0M-12 10q7 4 13 0M14-6q8 4 16 0", stroke="#a97b52", width=1.4),
    "goose": path("M-4 1C-2-12 8-20 20-22 18-12 12-2 6 4z", BLACK)
    + path("M-17-2C-10-6 6-4 19 4 10 10-6 8-14 1z", "#6d5a4d", BLACK, 0.9)
    + path("M-17-2L-24 1-16 2z", YELLOW)
    + path("M-2 2C-4 10-10 15-18 16-10 19 4 14 8 5z", BLACK)
    + path(dots([(-14, -1)], 0.9), WHITE),
    "cup": path("M-9 16h18l4 10h-26z", "#8d1d12")
    + path("M-32-6C-30 12-16 19 0 19S30 12 32-6z", RED)
    + path("M-32-6a32 9 0 0 1 64 0 32 9 0 0 1-64 0z", "#8d1d12")
    + path("M-27-6a27 6.4 0 0 1 54 0 27 6.4 0 0 1-54 0z", YELLOW)
    + path("M-7 4h14M0 1v14M-6 9h12M-4 14h8", stroke=YELLOW, width=1.8),
    "deer": path("M-18 22l-5 30M-10 24l-1 28M14 22l1 30M22 18l6 32", stroke="#8a5a34", width=4.6)
    + path("M-22 2C-14-4 8-6 24 2 32 8 30 20 20 25 4 30-14 29-22 24z", "#a8703f")
    + path("M-22 20C-30 8-26-10-18-20L-8-14C-10-4-8 2-2 6z", "#a8703f")
    + path("M-8-14C-4-20-4-28-12-30-20-30-24-26-22-18L-20-15-30-8-28-4-16-9z", "#a8703f")
    + path("M-18-29l-9-5M-10-29l4-8", stroke="#8a5a34", width=3.4)
    + path("M-16-30C-18-40-26-42-24-52M-20-41l-8-3M-11-30C-8-40 2-40 2-52M-6-40l8-1", stroke=BLACK, width=1.9)
    + path(dots([(-2, 8), (8, 4), (16, 10), (6, 14), (-6, 16), (18, 19), (-14, 8)], 2), PAPER)
    + path("M28 6q7-1 7 5-5 2-7 2z", PAPER)
    + path(dots([(-16, -22)], 1.6), BLACK)
    + path(dots([(-29.5, -6.5)], 2), BLACK),
    "swallow": path("M2-2C8-22 22-32 42-36 34-20 26-6 14 4z", BLACK)
    + path("M10 2L44 8 28 11 42 24 8 12z", BLACK)
    + path("M-24-6C-16-14 0-10 8-2 16 4 16 10 8 12-6 14-20 8-24-6z", RED)
    + path("M-16 3C-8 13 4 14 10 10 4 6-6 5-16 3z", YELLOW)
    + path("M-24-6C-20-12-12-13-6-10-10-4-18-2-22-3z", BLACK)
    + path("M-24-7L-33-4-23-3z", YELLOW, BLACK, 0.6)
    + path("M2 0C-8 12-8 24-4 34 4 26 12 16 12 4z", BLACK)
    + path(dots([(-17, -7)], 1.3), WHITE),
    "poet": path("M-14 62l-3 8h12l2-8zM8 62l1 8h12l-3-8z", BLACK)
    + path("M-20 20C-14 8 14 8 20 18L30 62C14 68-10 68-24 62z", VIOLET)
    + path("M-20 20C-32 30-36 40-34 48L-18 46z", VIOLET, PAPER, 0.9)
    + path("M14 14C24 16 28 12 28 4L16-2C16 4 12 8 8 10zM16 26L32 34 28 4 14 14z", VIOLET)
    + path("M-6 12L2 24 10 11M2 24V62M-14 36q8 6 14 2M8 44q8 4 16 0", stroke=LILAC, width=1.4)
    + path(dots([(23, 2)], 4), "#f3d3ae", BLACK, 0.8)
    + path("M-9-2C-11-16 11-18 11-2 11 10 5 13 1 13S-8 10-9-2z", "#f3d3ae", BLACK, 0.9)
    + path("M-11-4C-13-20 13-22 13-4 7-10-3-10-11-4zM0-15l-5-13-7 2 5 14z", BLACK)
    + path("M-5 0v2M4 0v2M-2 7q2 2 4 0", stroke=BLACK, width=1.3),
    "umbrella": path("M0 0V62", stroke=BARK, width=3)
    + path(
        "M-42 12C-34-14 34-14 42 12 34 8 27 9 21 13 14 8 7 8 0 13-7 8-14 8-21 13-27 9-34 8-42 12z", YELLOW, BLACK, 1.3
    )
    + path("M0-8V13M0-8C-10-5-18 3-21 13M0-8C10-5 18 3 21 13", stroke=BLACK, width=1.1)
    + path("M-30-1Q0-15 30-1", stroke=RED, width=3)
    + path("M0-14v6", stroke=BLACK, width=3),
    "frog": path("M-10 6C-16 4-16-2-10-4-8-10 8-10 10-4 16-2 16 4 10 6z", "#6f9c3f", BLACK, 1)
    + path("M-9 4l-7 4M9 4l7 4", stroke="#6f9c3f", width=3)
    + path(dots([(-5, -8), (5, -8)], 2.8), YELLOW, BLACK, 1)
    + path("M-4 0q4 3 8 0", stroke=BLACK, width=1.2),
    # three streaming tail feathers, each with an eye
    "phoenix": path("M8 4C30 0 44 8 44 26 44 44 30 56 36 68 22 62 24 48 30 36 36 22 26 14 8 16z", VIOLET, BLACK, 0.9)
    + path("M4 8C20 12 28 26 20 42 14 54 16 60 24 70 6 68 2 56 8 42 14 28 8 20-2 18z", RED, BLACK, 0.9)
    + path("M-6 12C6 22 8 36 0 48-6 56-4 62 0 68-16 64-18 52-10 42-4 32-8 24-14 18z", GREEN, BLACK, 0.9)
    + path(dots([(31, 58), (14, 60), (-9, 58)], 3.2), YELLOW, BLACK, 0.8)
    # the far wing and the near one, raised
    + path(
        "M0 0C-4-18-2-34 8-46 10-42 11-39 11-36 14-40 18-44 22-46 22-42 22-38 21-35 25-38 28-40 32-41 30-26 20-8 8 0z",
        "#d99a1c",
        BLACK,
        1,
    )
    + path(
        "M2 6C14 4 34-8 44-30 40-29 37-28 34-26 35-30 36-34 35-38 30-35 27-32 24-28 24-32 23-36 21-39 8-28-4-12-8 2z",
        YELLOW,
        BLACK,
        1,
    )
    + path("M34-26Q24-10 8 0M24-28Q16-14 4-2", stroke=RED, width=1.8)
    # one line from the breast over the neck to the head
    + path(
        "M12 10C6 18-8 20-16 12-24 4-20-8-24-14-28-18-34-16-36-20-34-28-24-30-18-24-10-16-14-6-8-2 0 0 8 2 12 10z",
        RED,
        BLACK,
        1,
    )
    + path("M-19 4q4 6 10 4M-14-2q4 6 10 4M-8 8q6 4 12 2", stroke=YELLOW, width=1.6)
    + path(dots([(-27, -24)], 6.4), YELLOW, BLACK, 1)
    + path("M-32-27Q-40-27-42-21-36-23-32-21z", BLACK)
    + path("M-27-30C-30-38-24-44-20-45-21-41-19-40-15-42-16-37-13-36-10-37-13-31-18-28-22-28z", RED, BLACK, 0.8)
    + path(dots([(-29, -25)], 1.5), BLACK),
    # The three sorts: with writing; plain; forked at its foot and edged in light. Shape alone tells them apart.
    "ribbon-poem": path(_STRIP, RED, BLACK, 1.2) + path(_WRITING, stroke=BLACK, width=2.6),
    "ribbon-red": path(_STRIP, RED, BLACK, 1.2),
    "ribbon-blue": path("M-12-54L12-58V46L0 54-12 50z", BLUE, BLACK, 1.2)
    + path("M-7.5-55V50.4M7.5-57.4V48.6", stroke=PAPER, width=1.6),
}
"""SVG by the name of the figure, around the point 0 0."""
