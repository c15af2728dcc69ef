from collections.abc import Mapping

def hand_counts(variant: str, options: Mapping[str, object] | None = None) -> tuple[int, ...]:
    """How many of all hands that can be dealt are each kind of dealt hand, by the reader's numbers; at 0 those of none.

    Every hand is read, one by one. ValueError where a variant has no dealt hands; UnknownVariantError, OptionError.
    """
