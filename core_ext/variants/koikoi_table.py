"""The data of ``koikoi``: yaku, options, actions."""

from collections.abc import Mapping
from dataclasses import replace

from core_ext.cards import ANIMALS, CHAFF, DRY_LIGHTS, LIGHTS, RIBBONS, parse_cards
from core_ext.info import OptionInfo, OptionSet, OptionValue, VariantInfo, Yaku, rows_under
from core_ext.notation import MATCHING_ACTIONS
from core_ext.secrecy import AFTER_A_DEAL

YAKU = (
    Yaku("goko", "五光", LIGHTS, 15, group="light"),
    Yaku("shiko", "四光", DRY_LIGHTS, 10, group="light"),
    Yaku("ameshiko", "雨四光", LIGHTS, 8, need=4, must=parse_cards("11L"), group="light"),
    Yaku("sanko", "三光", parse_cards("1L 3L 8L"), 6, group="light"),
    Yaku("inoshikacho", "猪鹿蝶", parse_cards("6A 7A 10A"), 5),
    Yaku("hanami", "花見で一杯", parse_cards("3L 9A"), 5),
    Yaku("tsukimi", "月見で一杯", parse_cards("8L 9A"), 5),
    Yaku("tane", "種", ANIMALS, 1, need=5, per_extra=1),
    Yaku("akatan", "赤短", parse_cards("1R 2R 3R"), 6),
    Yaku("aotan", "青短", parse_cards("6R 9R 10R"), 6),
    Yaku("tanzaku", "短冊", RIBBONS, 1, need=5, per_extra=1, beats=("yontan",)),
    Yaku("kasu", "カス", CHAFF, 1, need=10, per_extra=1),
    Yaku("omote_sugawara", "表菅原", parse_cards("1L 2A 3L"), 6),
    Yaku("yontan", "四短", RIBBONS, 3, need=4),
    Yaku("akatan_aotan", "赤短青短", parse_cards("1R 2R 3R 6R 9R 10R"), 10, late=True),
)

HOUSE_YAKU = ("omote_sugawara", "yontan", "akatan_aotan")
"""Rows that count only where the option of their name is true."""

CUP_YAKU = ("hanami", "tsukimi")
CUP = parse_cards("9A")

TESHI = "teshi"

OPTIONS = (
    OptionInfo("months", "int", 12, "months in a match", low=1, high=120),
    OptionInfo("target", "int", None, "points that end the match after the month", low=1, high=100_000, nullable=True),
    OptionInfo(
        "field_four",
        "choice",
        "redeal",
        "four of a month on the dealt field: deal again, or they go to the dealer",
        choices=("redeal", "dealer_takes"),
    ),
    OptionInfo("teshi", "bool", True, "whether four of a month in a dealt hand may be declared"),
    OptionInfo("teshi_points", "int", 6, "points for a declared hand", low=1, high=100),
    OptionInfo("kuitsuki", "bool", True, "whether the turned third card of a month just taken is taken too"),
    OptionInfo(
        "sanko",
        "choice",
        "exact",
        "三光 is the three lights named, or any three but the rain man's",
        choices=("exact", "any_dry"),
    ),
    OptionInfo("koi_multiplier", "choice", 2, "what a koi multiplies the score by", choices=(2, 3, 4)),
    OptionInfo("koi_escalates", "bool", False, "whether every further koi multiplies again"),
    OptionInfo("oyaken_points", "int", 0, "what a month run out without a koi pays the dealer", low=0, high=100),
    OptionInfo("omote_sugawara", "bool", False, "whether the house yaku 表菅原 counts"),
    OptionInfo("yontan", "bool", False, "whether the house yaku 四短 counts"),
    *(
        OptionInfo(
            f"points.{row.id}", "int", row.points, f"points of {row.name}; 0 switches it off", high=100, late=row.late
        )
        for row in YAKU
    ),
    OptionInfo(
        "akatan_aotan", "bool", False, "whether the house yaku 赤短青短 counts, beside 赤短 and 青短", late=True
    ),
    OptionInfo("cup_is_chaff", "bool", False, "whether the sake cup is chaff too", late=True),
    OptionInfo(
        "cup_points_after_koi",
        "int",
        0,
        "points of 花見で一杯 and 月見で一杯 for a seat that has said koi; 0: as for any other",
        high=100,
        late=True,
    ),
    OptionInfo(
        "koi_scoring",
        "choice",
        "multiply",
        "a koi multiplies the score and keeps a stake, or each koi of the winner adds a point",
        choices=("multiply", "count"),
        late=True,
    ),
)

STEAM = OptionSet(
    "steam",
    "the rules of KoiKoi-AI's game and of a koi-koi sold on Steam",
    (
        ("months", 8),
        ("teshi", False),
        ("kuitsuki", False),
        ("sanko", "any_dry"),
        ("oyaken_points", 1),
        ("points.goko", 10),
        ("points.shiko", 8),
        ("points.ameshiko", 7),
        ("points.sanko", 5),
        ("points.hanami", 1),
        ("points.tsukimi", 1),
        ("points.akatan", 5),
        ("points.aotan", 5),
        ("akatan_aotan", True),
        ("cup_is_chaff", True),
        ("cup_points_after_koi", 3),
        ("koi_scoring", "count"),
    ),
)

INFO = VariantInfo(
    id="koikoi",
    name="こいこい",
    rules_version=1,
    seats=(2, 2, 2),
    cards=48,
    actions=MATCHING_ACTIONS,
    options=OPTIONS,
    yaku=YAKU,
    dealt_hands=(TESHI,),
    titles=((TESHI, "手四"),),
    secrets=(AFTER_A_DEAL,),
    option_sets=(STEAM,),
)


def rows(options: Mapping[str, OptionValue]) -> tuple[Yaku, ...]:
    """The yaku as they count under these options; a row that is off has no points."""
    counted = rows_under(YAKU, options, off=[row for row in HOUSE_YAKU if not options[row]])
    cards = {"sanko": DRY_LIGHTS} if options["sanko"] == "any_dry" else {}
    if options["cup_is_chaff"]:
        cards["kasu"] = CHAFF + CUP
    return tuple(replace(row, cards=cards.get(row.id, row.cards)) for row in counted)


def rows_after_koi(options: Mapping[str, OptionValue]) -> tuple[Yaku, ...]:
    """The yaku as they count in the pile of a seat that has said koi; a row that is off stays off."""
    points = options["cup_points_after_koi"]
    counted = rows(options)
    if not isinstance(points, int) or not points:
        return counted
    return tuple(replace(row, points=points) if row.id in CUP_YAKU and row.points else row for row in counted)
