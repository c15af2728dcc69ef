"""The data of ``mini``, a variant that only the tests know."""

from core_ext.cards import CHAFF, LIGHTS, parse_cards
from core_ext.info import OptionInfo, VariantInfo, Yaku
from core_ext.notation import MATCHING_ACTIONS
from core_ext.secrecy import AFTER_A_DEAL

YAKU = (
    Yaku("futahikari", "二光", LIGHTS, 3, need=2, per_extra=2),
    Yaku("sakazuki", "盃", parse_cards("9A"), 1),
    Yaku("kasu", "カス", CHAFF, 1, need=6, per_extra=1),
)

INFO = VariantInfo(
    id="mini",
    name="ミニ",
    rules_version=1,
    seats=(2, 2, 2),
    cards=48,
    actions=MATCHING_ACTIONS,
    options=(OptionInfo("months", "int", 3, "months of a match", low=1, high=12),),
    yaku=YAKU,
    dealt_hands=("teshi",),
    titles=(("teshi", "手四"),),
    secrets=(AFTER_A_DEAL,),
)
