"""The data of ``hachihachi``: yaku, dealt hands, menus, actions."""

from itertools import combinations
from typing import NamedTuple

from core_ext.cards import CARD_NAMES, DRY_LIGHTS, LIGHTS, RIBBONS, parse_cards
from core_ext.info import OptionInfo, VariantInfo, Yaku
from core_ext.notation import MATCHING_ACTIONS
from core_ext.secrecy import AFTER_A_DEAL

SEATS = 3
KAN = 12
"""Points to a kan."""
START = 190 * KAN
RETURN = 200 * KAN
PAR = 88
MONTHS = 12
LAST_MONTH = 48
"""Where a year with ``etsunen`` stops (hachihachi R8)."""

YAKU = (
    Yaku("goko", "五光", LIGHTS, 20, group="light"),
    Yaku("shiko", "四光", DRY_LIGHTS, 12, group="light"),
    Yaku("goun", "五雲", parse_cards("2A 5A 6A 7A 9A"), 12),
    Yaku("nanatan", "七短", RIBBONS, 10, need=7, per_extra=1),
    Yaku("akatan", "赤短", parse_cards("1R 2R 3R"), 7),
    Yaku("aotan", "青短", parse_cards("6R 9R 10R"), 7),
    Yaku("inoshikacho", "猪鹿蝶", parse_cards("6A 7A 10A"), 6),
)
UNDER_HATTO = ("goko", "shiko", "akatan", "aotan", "inoshikacho")
"""The yaku to which 法度 applies."""


class Row(NamedTuple):
    """A dealt hand, or what is paid when hands are played out, in kan."""

    id: str
    name: str
    kan: int
    per_extra: int = 0


BY_NUMBER = (
    Row("sanbon", "三本", 2),
    Row("tatesanbon", "立三本", 3),
    Row("kuttsuki", "喰付", 4),
    Row("teshi", "手四", 6),
    Row("haneken", "はねけん", 7),
    Row("ichinishi", "一二四", 9),
    Row("shiso", "四三", 40),
    Row("futasanbon", "二三本", 8),
    Row("sanbon_tatesanbon", "三本立三本", 9),
    Row("futatatesanbon", "二立三本", 10),
)
BY_POVERTY = (
    Row("aka", "赤", 2),
    Row("tanichi", "短一", 3),
    Row("toichi", "十一", 3),
    Row("hikaichi", "光一", 4),
    Row("karasu", "空素", 4),
)
SPECIAL = (
    Row("sohachi", "総八", 10),
    Row("futahachi", "二八", 10, per_extra=1),
    Row("sujuroku", "素十六", 12, per_extra=2),
)
BESIDE = (("tobikomi", "飛込み"), ("nuke", "抜け"))
"""A kan each, to which menu F adds nothing."""
FIELDS = (("sho", "小場"), ("dai", "大場"), ("zetsu", "絶場"))
MONEY = (("card_points", "取り札"), ("pot", "番個板"), ("fukikeshi", "吹き消し"))
"""What else moves money at a month's end, or undoes it."""
TERMS = tuple((row.id, row.name) for row in SPECIAL) + BESIDE + FIELDS + MONEY

MENUS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "A": ((2, 4, 8), (0, 0, 0)),
    "B": ((2, 4, 6), (0, 0, 0)),
    "C": ((2, 3, 4), (0, 0, 0)),
    "D": ((2, 4, 4), (0, 0, 0)),
    "E": ((2, 2, 2), (0, 0, 0)),
    "F": ((2, 2, 2), (0, 1, 2)),
}
"""By menu and field: twice the multiplier, and the kan added to each yaku."""

OPTIONS = (
    OptionInfo("menu", "choice", "A", "how much dearer 大場 and 絶場 are", choices=tuple(MENUS)),
    OptionInfo("etsunen", "bool", False, "whether a year that ends bound goes on"),
)

HIDDEN_RIBBONS = 4
"""So many ribbons stay hidden in 赤; which, is the seat's choice."""
RIBBON_CHOICES = tuple(chosen for size in range(1, 7 - HIDDEN_RIBBONS + 1) for chosen in combinations(RIBBONS, size))
"""The ribbons that a seat with five or more can show in 赤."""

DECLARE_ACTIONS = (
    "declare:number",
    *(f"declare:{row.id}" for row in BY_POVERTY),
    *(f"declare:aka:{','.join(CARD_NAMES[card] for card in chosen)}" for chosen in RIBBON_CHOICES),
)

INFO = VariantInfo(
    id="hachihachi",
    name="八八",
    rules_version=2,
    seats=(SEATS, SEATS, SEATS),
    cards=48,
    actions=MATCHING_ACTIONS + DECLARE_ACTIONS,
    options=OPTIONS,
    yaku=YAKU,
    dealt_hands=tuple(row.id for row in BY_NUMBER + BY_POVERTY),
    terms=tuple(term for term, _ in TERMS),
    recalls=True,
    secrets=(AFTER_A_DEAL,),
    settled="In kan, the pot given to the lowest seat: of every seat but the top one what it has over 200 kan, cut to "
    "whole kan; of the top seat what makes the sum zero.",
    unit=KAN,
    starting_balance=START,
    titles=tuple((row.id, row.name) for row in BY_NUMBER + BY_POVERTY) + TERMS,
)
