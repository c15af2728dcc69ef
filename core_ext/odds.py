"""What a variant can count of itself, counted when it is asked for: dealt hands, and odds of its own."""

from importlib import import_module
from importlib.util import find_spec

from core_ext.enumerate import hand_counts
from core_ext.errors import NoYearsError
from core_ext.variants.registry import variant_info


def odds(variant: str, years: int = 0) -> dict[str, object]:
    """What there is to count: of every variant its ``dealt_hands``.

    A variant with more to tell has ``variants/x_odds.py``, whose ``tables()`` is the answer. With ``years`` so many are
    dealt too, where years differ: then that module has a ``simulated(years)``. UnknownVariantError, NoYearsError.
    """
    name = f"core_ext.variants.{variant_info(variant).id}_odds"
    module = import_module(name) if find_spec(name) is not None else None
    if years and not hasattr(module, "simulated"):
        raise NoYearsError(f"{variant} has no years that differ from one another, so there are none to deal")
    tables: dict[str, object] = dealt_hands(variant) if module is None else module.tables()
    return tables if module is None or not years else tables | {"simulated": module.simulated(years)}


def dealt_hands(variant: str) -> dict[str, object]:
    """``dealt_hands``, a row for each with its number of ``hands``, and ``all_hands``; both empty where there are none.

    UnknownVariantError.
    """
    names = variant_info(variant).dealt_hands
    if not names:
        return {"dealt_hands": [], "all_hands": 0}
    counts = hand_counts(variant)
    rows = [{"id": name, "hands": hands} for name, hands in zip(names, counts[1:], strict=False)]
    return {"dealt_hands": rows, "all_hands": sum(counts)}
