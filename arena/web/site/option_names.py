"""What a league's page calls the options of variants, and their values."""

from arena.web.language import Language, message
from core_ext import OptionInfo, VariantInfo

_POINTS = "points."
_NAMES = {
    "months": message("months"),
    "target": message("ends at points"),
    "field_four": message("four of a month on the dealt field"),
    "teshi_points": message("points of such a hand"),
    "kuitsuki": message("the turned third card of a month is taken too"),
    "sanko": "三光",
    "koi_multiplier": message("a koi multiplies by"),
    "koi_escalates": message("every further koi multiplies again"),
    "oyaken_points": message("points of the dealer when nobody wins"),
    "cup_is_chaff": message("the sake cup is chaff too"),
    "cup_points_after_koi": message("points of the cup's yaku after a koi"),
    "koi_scoring": message("a koi"),
    "birth_months": message("months of birth"),
    "kasu_koi": message("カス asks for the choice to stop"),
    "menu": message("menu of field prices"),
    "etsunen": message("a year that ends bound goes on"),
    "strict_pairs": message("five chaff need two pairs"),
    "strict_kiri_times": message("paulownia's three chaff with another pair multiply by"),
    "strict_three": message("three chaff need a pair"),
}
"""Of options other than those that switch a yaku on or set its points, which are called by the yaku."""
_VALUES = {
    "redeal": message("deal again"),
    "dealer_takes": message("they go to the dealer"),
    "exact": message("the three lights named"),
    "any_dry": message("any three lights but the rain man"),
    "multiply": message("multiplies the score"),
    "count": message("adds a point"),
    "grow": message("when it is made or grows"),
    "every_turn": message("at the end of every turn"),
}


def option_text(variant: VariantInfo, option: OptionInfo, value: object, language: Language) -> str:
    """Return an option with its value in words."""
    yaku = {row.id: row.name for row in variant.yaku} | dict(variant.titles)
    if option.name.startswith(_POINTS):
        name = language.gettext("points of %(yaku)s", yaku=yaku[option.name.removeprefix(_POINTS)])
    else:
        name = yaku.get(option.name) or language.text(_NAMES[option.name])
    return f"{name}{language.text(': ')}{_value(value, language)}"


def _value(value: object, language: Language) -> str:
    if isinstance(value, bool):
        return language.gettext("yes") if value else language.gettext("no")
    if isinstance(value, tuple | list):
        return " ".join(_value(item, language) for item in value)
    return language.gettext("none") if value is None else language.text(_VALUES.get(str(value), str(value)))
