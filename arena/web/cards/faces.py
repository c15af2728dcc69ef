"""The forty-eight faces: which motifs and figures stand where."""

from arena.web.cards.ink import BARK, BLACK, PINE, RED, YELLOW, each, path, use

_GROUND = "M2 {0}{1}V156a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6z"


def _ground(left: float, curve: str, fill: str) -> str:
    """Land along the card's foot, from the left edge over a curve to the right one."""
    return path(_GROUND.format(left, curve), fill)


def _ribbon(sort: str, x: float = 50, y: float = 84, turn: float = 8) -> str:
    return use(f"ribbon-{sort}", x, y, turn=turn)


_PINE_TREE = path(
    "M70 160C64 130 78 112 58 92M66 128C50 122 40 128 26 124M62 104C74 96 80 92 88 90", stroke=BARK, width=4.5
)
_PLUM_BRANCH = path(
    "M12 158C30 132 22 108 44 86 54 74 50 54 62 34M40 92C58 92 70 84 82 66M29 120C20 108 16 98 16 84M50 72C42 62 34 58 26 44",
    stroke=BLACK,
    width=3.6,
)
_WISTERIA_BOUGH = path("M4 22C28 12 66 26 96 14", stroke=BARK, width=4)
_IRIS_LEAVES = path("M28 158Q31 110 27 66M70 158Q67 110 72 60", stroke=PINE, width=2.4) + each(
    "blade", (22, 158, 1.1, -9), (40, 158, 1.35, -2), (62, 158, 1.3, 4), (80, 158, 1, 11)
)
_CLOVERS = each("clover", (22, 160, 1.5), (64, 160, -1.35))
_HILL = _ground(106, "C24 78 66 74 98 100", BLACK)
_PLUMES = each("pampas", (22, 108, 1, -6), (44, 96, 1.15), (58, 96, 1.05, 12), (78, 104, -1))
_WILLOW = path("M4 16C30 8 70 26 96 12", stroke=BARK, width=5)
_STRANDS = each("strand", (18, 16, 1.35), (42, 19, 1.6), (68, 19, 1.3), (86, 15, 1.65))
_SHORT_STRANDS = each("strand-low", (14, 15, 1.2), (36, 18, 0.9), (84, 15, 1.4))
_MAPLE_BRANCH = path(
    "M96 24C70 32 52 52 40 86 34 104 22 118 10 124M62 54C50 48 36 48 24 40M45 76C60 82 70 94 76 112",
    stroke=BARK,
    width=3,
)


def _kiri(spike: str = "kiri-spike") -> str:
    return each(spike, (26, 106, 1.1, -6), (50, 92, 1.35), (74, 106, 1.1, 6)) + each(
        "kiri-leaf", (28, 136, 0.95, -14), (72, 136, 0.95, 14), (50, 124, 1.15)
    )


FACES: dict[str, str] = {
    "1L": use("sun", 66, 38, 1.1)
    + _PINE_TREE
    + each("pine", (82, 92, 0.95), (78, 146, 1.15))
    + use("crane", 54, 76)
    + use("pine", 26, 154, 1.2),
    "1R": _PINE_TREE
    + each("pine", (24, 40, 1.1), (78, 62, 1.1), (24, 124, 1.25), (76, 142, 1.35))
    + _ribbon("poem", 48, 82),
    "1x": _PINE_TREE + each("pine", (58, 92, 1.4), (26, 124, 1.35), (76, 134, 1.3), (46, 154, 1.3)),
    "1y": path("M26 160C36 128 20 104 44 66M34 118C50 112 58 116 74 112", stroke=BARK, width=4.5)
    + each("pine", (44, 66, 1.45), (74, 108, 1.35), (28, 106, 1.1), (34, 150, 1.4)),
    "2A": _PLUM_BRANCH
    + use("warbler", 50, 58, 1.15)
    + each("plum", (22, 46), (82, 66, 1.15), (18, 92, 1.1), (56, 108, 1.3), (28, 132, 1.2))
    + each("bud", (72, 92), (62, 32)),
    "2R": _PLUM_BRANCH
    + each("plum", (26, 42, 1.2), (78, 66, 1.4), (16, 90), (76, 128, 1.25), (24, 130, 1.3))
    + _ribbon("poem", 50, 84, -8),
    "2x": _PLUM_BRANCH
    + each("plum", (27, 44, 1.3), (62, 36, 1.2), (82, 68, 1.4), (47, 84, 1.5), (18, 86, 1.2), (28, 124, 1.5))
    + each("bud", (62, 58), (66, 86)),
    "2y": path(
        "M88 158C70 132 78 108 56 86 46 74 50 54 38 34M60 92C42 92 30 84 18 66M71 120C80 108 84 98 84 84",
        stroke=BLACK,
        width=3.6,
    )
    + each("plum", (38, 36, 1.4), (18, 66, 1.5), (84, 84, 1.3), (56, 92, 1.6), (74, 128, 1.4))
    + each("bud", (30, 84, 1.2), (50, 60, 1.2), (80, 108)),
    "3L": each(
        "cherry", (18, 22, 1), (42, 16, 1.1), (66, 22, 1), (86, 18, 0.9), (30, 36, 0.9), (54, 36, 1), (78, 38, 1)
    )
    + use("curtain", 4, 50)
    + each("cherry", (20, 128, 1.2), (46, 124, 1.1), (72, 128, 1.25), (32, 146, 1), (58, 146, 1.1), (84, 146, 0.9)),
    "3R": path("M10 156C30 130 40 140 60 118M40 136C60 140 70 132 88 136", stroke=BARK, width=3.4)
    + each(
        "cherry",
        (20, 40, 1.1),
        (80, 52, 1.1),
        (22, 104, 1.2),
        (78, 100, 1.15),
        (24, 136, 1.3),
        (78, 134, 1.3),
        (52, 146, 1.1),
    )
    + _ribbon("poem", 50, 80),
    "3x": path(
        "M8 154C34 128 40 140 64 112M38 134C58 142 72 132 90 138M58 120C56 104 46 96 40 84", stroke=BARK, width=3.4
    )
    + each("cherry", (40, 70, 1.6), (68, 98, 1.6), (28, 106, 1.5), (82, 132, 1.5), (52, 130, 1.6), (20, 142, 1.4)),
    "3y": path(
        "M92 154C66 128 60 140 36 108M62 134C44 144 28 134 12 140M44 118C48 100 56 90 62 76", stroke=BARK, width=3.4
    )
    + each(
        "cherry",
        (62, 66, 1.5),
        (34, 96, 1.6),
        (74, 104, 1.5),
        (20, 132, 1.5),
        (52, 130, 1.6),
        (82, 142, 1.3),
        (34, 58, 1),
    ),
    "4A": use("crescent", 76, 44, 1.1)
    + _WISTERIA_BOUGH
    + use("wisteria", 18, 26, 1.15)
    + use("frond", 36, 18)
    + use("cuckoo", 52, 88, 1.15)
    + use("wisteria", 40, 26, 0.8),
    "4R": _WISTERIA_BOUGH
    + each("wisteria", (20, 26, 1.3), (80, 24, 1.7), (50, 24, 0.9))
    + each("frond", (34, 18), (64, 20, -1))
    + _ribbon("red", 48, 94),
    "4x": _WISTERIA_BOUGH
    + each("wisteria", (20, 26, 1.7), (50, 26, 2.4), (80, 24, 1.9))
    + each("frond", (34, 18, 1.2), (64, 20, -1.2)),
    "4y": path("M4 14C34 26 72 12 96 22", stroke=BARK, width=4)
    + each("wisteria", (18, 22, 2.2), (50, 24, 1.6), (82, 24, 2.5))
    + each("frond", (34, 20, 1.2), (66, 18, -1.2)),
    "5A": each("water", (8, 146), (4, 154))
    + _IRIS_LEAVES
    + use("bridge", 50, 96)
    + each("iris", (27, 58, 1.2), (72, 48, 1.3)),
    "5R": _IRIS_LEAVES + each("iris", (27, 66, 1.2), (75, 56, 1.3)) + _ribbon("red", 50, 82),
    "5x": _IRIS_LEAVES + each("iris", (28, 62, 1.45), (71, 80, 1.45)) + use("water", 6, 156),
    "5y": _IRIS_LEAVES + each("iris", (71, 56, 1.45), (28, 84, 1.35), (52, 108, 0.95)),
    "6A": each("peony-leaf", (24, 128, 1.2, -50), (78, 122, 1.2, 50))
    + use("peony", 50, 126, 1.5)
    + each("peony-leaf", (34, 158, 0.8, -20), (68, 158, 0.8, 20))
    + each("butterfly", (32, 42, 1.15, -12), (68, 76, 0.95, 16)),
    "6R": use("peony-leaf", 22, 62, 1.1, -30)
    + use("peony", 30, 46, 1.15)
    + use("peony-leaf", 80, 108, 1.2, 60)
    + use("peony", 72, 124, 1.4)
    + use("peony-leaf", 30, 148, 1, -30)
    + _ribbon("blue", 50, 84),
    "6x": each("peony-leaf", (22, 96, 1.3, -60), (80, 100, 1.3, 55), (34, 140, 1.2, -150), (66, 140, 1.2, 150))
    + use("peony", 50, 104, 2)
    + use("bud", 28, 54, 2)
    + path("M40 86Q32 72 28 58", stroke=PINE, width=2),
    "6y": each("peony-leaf", (24, 76, 1.2, -40), (82, 112, 1.3, 60), (22, 140, 1.2, -70))
    + each("peony", (38, 70, 1.5), (62, 122, 1.65)),
    "7A": _CLOVERS + use("boar", 50, 116, 0.92),
    "7R": _CLOVERS + use("clover-low", 40, 160, 1.3) + _ribbon("red", 50, 80),
    "7x": _CLOVERS + use("clover-low", 44, 160, 1.5),
    "7y": each("clover", (78, 160, -1.55), (34, 160, 1.3)) + use("clover-low", 54, 160, -1.6),
    "8L": path("M8 2H92a6 6 0 0 1 6 6V120H2V8a6 6 0 0 1 6-6z", RED)
    + use("moon", 50, 48)
    + _HILL
    + path(
        "M22 160C30 134 34 120 30 100M46 160C48 138 52 120 54 96M72 160C70 140 72 124 78 108", stroke="#5d5550", width=2
    ),
    "8A": _HILL
    + each("goose", (34, 34), (66, 52, 1.05), (34, 72, 0.9))
    + path(
        "M22 160C30 134 34 120 30 104M46 160C48 138 52 120 54 98M72 160C70 140 72 124 78 110", stroke="#5d5550", width=2
    ),
    "8x": _PLUMES + _HILL,
    "8y": each("pampas", (24, 106, -0.9, -12), (44, 98, -1.2, -8), (60, 96, 1.25, 4), (80, 104, 0.85, 14)) + _HILL,
    "9A": use("kiku-leaf", 20, 64, 1.1, -40)
    + use("kiku", 32, 44, 1.35)
    + use("kiku-leaf", 82, 60, 1.1, 40)
    + use("kiku", 74, 36, 1.1)
    + use("cup", 50, 96)
    + each("kiku-leaf", (24, 146, 1.1, -20), (80, 140, 1.1, 40))
    + use("kiku", 54, 140, 1.1),
    "9R": use("kiku-leaf", 22, 66, 1.2, -40)
    + use("kiku", 30, 44, 1.3)
    + use("kiku-leaf", 80, 112, 1.2, 40)
    + use("kiku", 72, 132, 1.4)
    + use("kiku-leaf", 26, 140, 1.3, -30)
    + _ribbon("blue", 50, 84, -8),
    "9x": path("M50 160C48 130 52 110 44 80M50 132C62 124 70 116 72 104", stroke=PINE, width=3)
    + each("kiku-leaf", (24, 104, 1.3, -60), (74, 144, 1.3, 70), (28, 144, 1.3, -70))
    + each("kiku", (40, 68, 1.7), (72, 104, 1.35)),
    "9y": path("M50 160C52 130 48 110 58 84M50 138C38 130 30 122 28 110", stroke=PINE, width=3)
    + each("kiku-leaf", (78, 112, 1.3, 60), (26, 146, 1.3, -70), (74, 146, 1.3, 70))
    + each("kiku", (62, 64, 1.5), (28, 98, 1.5))
    + use("bud", 30, 58, 1.6),
    "10A": _MAPLE_BRANCH
    + use("maple", 76, 34, 1.2, 20)
    + use("maple-gold", 28, 40, 1.1, -30)
    + each("maple", (50, 52, 1.1, 160), (84, 70, 1, 60))
    + use("deer", 52, 104, 1.05)
    + use("maple-gold", 82, 96, 0.9, 30),
    "10R": _MAPLE_BRANCH
    + use("maple", 76, 36, 1.4, 20)
    + use("maple-gold", 24, 42, 1.3, -30)
    + each("maple", (78, 112, 1.5, 120), (18, 118, 1.4, -60))
    + use("maple-gold", 80, 76, 1, 60)
    + _ribbon("blue", 50, 84),
    "10x": _MAPLE_BRANCH
    + each("maple", (76, 36, 1.5, 20), (26, 44, 1.5, -30))
    + use("maple-gold", 54, 66, 1.5, 40)
    + use("maple", 76, 112, 1.7, 150)
    + use("maple-gold", 20, 120, 1.4, -60)
    + use("maple", 40, 106, 1.5, 190),
    "10y": path(
        "M4 24C30 32 48 52 60 86 66 104 78 118 90 124M38 54C50 48 64 48 76 40M55 76C40 82 30 94 24 112",
        stroke=BARK,
        width=3,
    )
    + use("maple-gold", 22, 38, 1.5, -20)
    + each("maple", (76, 44, 1.6, 30), (46, 66, 1.6, -40), (24, 114, 1.7, -150), (80, 122, 1.5, 60))
    + use("maple-gold", 58, 108, 1.4, 170),
    "11L": _WILLOW
    + _SHORT_STRANDS
    + use("umbrella", 54, 48, 0.92, 8)
    + use("poet", 46, 86, 0.95)
    + path("M4 150Q30 142 60 150T96 148", stroke="#6d86b5", width=3)
    + use("frog", 20, 142),
    "11A": _WILLOW
    + use("strand", 16, 16, 1.4)
    + use("strand-low", 40, 19, 1.1)
    + use("strand", 88, 14, 1.8)
    + use("swallow", 48, 92, 1.12),
    "11R": _WILLOW + _STRANDS + _ribbon("red", 50, 88),
    "11x": _ground(8, "a6 6 0 0 1 6-6H92a6 6 0 0 1 6 6", RED)
    + path("M2 42C30 20 70 30 98 18V8a6 6 0 0 0-6-6H8a6 6 0 0 0-6 6z", BLACK)
    + path("M30 34L52 34 44 64 58 62 34 112 40 80 26 82z", YELLOW, BLACK, 1.4)
    + path("M70 30L80 30 76 50 84 50 68 82 71 62 64 62z", YELLOW, BLACK, 1.2)
    + _ground(130, "C20 112 30 130 42 122 58 112 66 134 80 124 88 120 92 122 98 126", BLACK)
    + use("strand", 88, 20, 1.4)
    + use("strand-low", 14, 34, 1.2),
    "12L": each("kiri-leaf", (26, 142, 0.95, -14), (74, 142, 0.95, 14), (50, 136, 1.1))
    + each("kiri-spike", (16, 120, 0.8, -8), (84, 120, 0.8, 8))
    + use("phoenix", 50, 60, 1.02),
    "12x": _ground(128, "Q50 112 98 128", YELLOW) + _kiri("kiri-gold"),
    "12y": _kiri(),
    "12z": each("kiri-spike", (32, 94, 1.35, -5), (68, 98, 1.2, 8))
    + each("kiri-leaf", (72, 132, 1, 16), (32, 126, 1.2, -6), (56, 148, 0.8)),
}
"""What is drawn on the paper, by the card's text."""
