"""The data of ``kyogi``: yaku, dealt hands, actions. It has no options."""

from core_ext.cards import ANIMALS, CHAFF, DRY_LIGHTS, LIGHTS, RIBBONS, parse_cards
from core_ext.info import VariantInfo, Yaku
from core_ext.notation import MATCHING_ACTIONS
from core_ext.secrecy import AFTER_A_DEAL

COUNTED_AS_CHAFF = tuple(sorted([*CHAFF, *parse_cards("9A")]))

YAKU = (
    Yaku("goko", "五光", LIGHTS, 24, group="light"),
    Yaku("otori", "大鳥", parse_cards("1L 2A 4A 8A 11A 12L"), 18, beats=("kotori",)),
    Yaku("shiko", "四光", DRY_LIGHTS, 16, group="light"),
    Yaku("goun", "五雲", parse_cards("2A 5A 6A 7A 9A"), 15),
    Yaku("ameshiko", "雨四光", LIGHTS, 9, need=4, must=parse_cards("11L"), group="light"),
    Yaku("akatan", "赤短", parse_cards("1R 2R 3R"), 7),
    Yaku("aotan", "青短", parse_cards("6R 9R 10R"), 7),
    Yaku("kotori", "小鳥", parse_cards("2A 4A 8A 11A"), 7),
    Yaku("inoshikacho", "猪鹿蝶", parse_cards("6A 7A 10A"), 6),
    Yaku("teppo", "鉄砲", parse_cards("3L 8L 9A"), 6, beats=("tsukimi", "hanami")),
    Yaku("sanko", "三光", DRY_LIGHTS, 6, need=3, group="light"),
    Yaku("kusa", "草", parse_cards("4R 5R 7R"), 5),
    Yaku("omote_sugawara", "表菅原", parse_cards("1L 2A 3L"), 4),
    Yaku("tsukimi", "月見酒", parse_cards("8L 9A"), 2),
    Yaku("hanami", "花見酒", parse_cards("3L 9A"), 2),
    Yaku("tane", "タネ", ANIMALS, 1, need=5, per_extra=1),
    Yaku("tan", "タン", RIBBONS, 1, need=5, per_extra=1),
    Yaku("kasu", "カス", COUNTED_AS_CHAFF, 1, need=10, per_extra=1),
)

CUP_YAKU = ("teppo", "tsukimi", "hanami")
"""Rows that the rain voids."""

DEALT_HANDS: tuple[tuple[str, str, int, tuple[tuple[int, ...], ...]], ...] = (
    ("haneken", "はねけん", 3, ((3, 2, 2, 1),)),
    ("teshi", "手四", 6, ((4, 1, 1, 1, 1), (4, 2, 1, 1))),
    ("futasanbon", "二三本", 9, ((3, 3, 1, 1),)),
    ("kuttsuki", "喰付", 10, ((2, 2, 2, 2),)),
    ("futasanbon_kuttsuki", "二三本喰付", 20, ((3, 3, 2),)),
    ("teshi_kuttsuki", "手四喰付", 40, ((4, 2, 2),)),
    ("shiso", "四三", 45, ((4, 3, 1),)),
    ("futateshi", "二手四", 360, ((4, 4),)),
)
"""Id, name, points, and how many cards of each month the hand holds, largest first."""

KOBIKI = "kobiki"
"""The name of the points for a season."""
GINMI = "ginmi"
"""The name of the points for the year."""

INFO = VariantInfo(
    id="kyogi",
    name="競技こいこい",
    rules_version=1,
    seats=(2, 2, 2),
    cards=48,
    actions=MATCHING_ACTIONS,
    options=(),
    yaku=YAKU,
    dealt_hands=tuple(name for name, *_ in DEALT_HANDS),
    terms=(KOBIKI, GINMI),
    titles=(*((name, title) for name, title, *_ in DEALT_HANDS), (KOBIKI, "小引"), (GINMI, "吟味")),
    secrets=(AFTER_A_DEAL,),
    settled="The winner of the year has its ginmi beside the balance.",
)
