"""The data of ``sangohana``: hands, options, actions."""

from core_ext.cards import ANIMALS, CARD_NAMES, CHAFF, LIGHTS, RIBBONS
from core_ext.info import OptionInfo, VariantInfo, Yaku
from core_ext.secrecy import Secret, Slots, in_turn

KINDS = (LIGHTS, ANIMALS, RIBBONS, CHAFF)

YAKU = (
    Yaku("suyaku", "素役", CHAFF, 1, need=5, threes=(ANIMALS, RIBBONS)),
    Yaku("shimo_tanzaku", "下短冊", RIBBONS, 2, need=5, threes=(CHAFF,)),
    Yaku("shimo_no_tane", "下ノ種", ANIMALS, 3, need=5, threes=(CHAFF,)),
    Yaku("shimo_sanko", "下三光", CHAFF, 5, need=5, threes=(LIGHTS,)),
    Yaku("kami_tanzaku", "上短冊", RIBBONS, 6, need=5, threes=(ANIMALS,)),
    Yaku("kami_no_tane", "上ノ種", ANIMALS, 7, need=5, threes=(RIBBONS,)),
    Yaku("tan_sanko", "短三光", RIBBONS, 10, need=5, threes=(LIGHTS,)),
    Yaku("tane_sanko", "種三光", ANIMALS, 12, need=5, threes=(LIGHTS,)),
    Yaku("shimo_goko", "下五光", LIGHTS, 15, need=5, threes=(CHAFF,)),
    Yaku("kami_goko", "上五光", LIGHTS, 20, need=5, threes=(ANIMALS, RIBBONS)),
)

TITLES = (("aka_goko", "赤五光"), ("ao_goko", "青五光"), ("kiri_goko", "桐五光"))
"""Three hands that have names of their own with their times."""
TERMS = (*(name for name, _ in TITLES), "pot", "last_pot")
"""And what payments are for."""

OPTIONS = (
    OptionInfo("strict_pairs", "bool", False, "whether five chaff need two pairs"),
    OptionInfo(
        "strict_kiri_times",
        "choice",
        3,
        "what paulownia's three chaff with another pair multiply by under strict_pairs",
        choices=(3, 4),
    ),
    OptionInfo("strict_three", "bool", False, "whether three chaff need a pair"),
)


def _claims(seat: int, _dealer: int, seats: int) -> Slots:
    """Every other seat could claim the discard, the next one first."""
    return tuple((claimer, "claim") for claimer in in_turn(seat, seats)[1:])


INFO = VariantInfo(
    id="sangohana",
    name="珊瑚花",
    rules_version=1,
    seats=(2, 4, 3),
    cards=48,
    actions=("draw", "take", "pass", "win", *(f"discard:{name}" for name in CARD_NAMES)),
    options=OPTIONS,
    yaku=YAKU,
    terms=TERMS,
    titles=TITLES,
    secrets=(Secret("discard", _claims),),
    settled="The pot of a last month that ran out goes to whoever has most.",
)
