from collections.abc import Iterable

def kind_of_field(cards: Iterable[int], bind: int = 0) -> tuple[int, int]:
    """The kind of a dealt field and the bind that it carries on, under a bind carried in; indexes of ``FIELDS``.

    0 is no bind.
    """

def deal_years(seed: str, years: int) -> tuple[tuple[int, int, int], tuple[int, int, int], int]:
    """The fields of so many years of twelve months, year ``i`` dealt from the seed ``seed/i``.

    By kind of field, the months and the sum of the squares of each year's months; and how many years ended bound.
    """
