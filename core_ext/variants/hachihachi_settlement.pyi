from collections.abc import Iterable

def kind_of_field(cards: Iterable[int], bind: int = 0) -> tuple[int, int]:
    """The kind of a dealt field and the bind that it carries on, under a bind carried in; indexes of ``FIELDS``.

    0 is no bind.
    """

def fields_of_year(seed: str) -> tuple[tuple[int, int, int], int]:
    """The fields of twelve months dealt from a seed: how many there are of each kind, and the bind at the end."""
