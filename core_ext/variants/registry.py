"""The variants there are; nothing else knows one by name. Variant ``x`` is ``variants/x.pyx`` and ``x_table.py``."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

from core_ext.errors import SeatsError, UnknownVariantError
from core_ext.info import VariantInfo, Yaku
from core_ext.options import Options, resolve
from core_ext.variant import Variant

VARIANTS = (
    "koikoi",
    "koikoi45",
    "kyogi",
    "hachihachi",
    "sangohana",
)  # fmt: skip


@lru_cache
def variant_info(variant: str) -> VariantInfo:
    """What a variant says of itself. UnknownVariantError when there is none of this id."""
    if variant not in VARIANTS:
        raise UnknownVariantError(f"there is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    info: VariantInfo = import_module(f"core_ext.variants.{variant}_table").INFO
    return info


@lru_cache(maxsize=256)
def _rows(variant: str, options: Options) -> tuple[Yaku, ...]:
    table = import_module(f"core_ext.variants.{variant}_table")
    rows: tuple[Yaku, ...] = table.rows(options) if hasattr(table, "rows") else table.INFO.yaku
    return tuple(row for row in rows if row.points)


def yaku_under(variant: str, options: Mapping[str, object] | None = None) -> tuple[Yaku, ...]:
    """The yaku that count under these options, with their points and cards. UnknownVariantError, OptionError."""
    return _rows(variant, resolve(variant_info(variant), options))


def make(variant: str, options: Mapping[str, object] | None, seats: int | None) -> Variant:
    """The rules of a variant under these options. UnknownVariantError, OptionError, SeatsError."""
    info = variant_info(variant)
    least, highest, default = info.seats
    seats = default if seats is None else seats
    if not isinstance(seats, int) or not least <= seats <= highest:
        allowed = f"{least} to {highest}" if least < highest else f"{least}"
        raise SeatsError(f"{variant} has {allowed} seats, not {seats}")
    return _compiled(variant, resolve(info, options), seats)


@lru_cache(maxsize=256)
def _compiled(variant: str, options: Options, seats: int) -> Variant:
    rules: type[Variant] = import_module(f"core_ext.variants.{variant}").VARIANT
    return rules(options, seats)
