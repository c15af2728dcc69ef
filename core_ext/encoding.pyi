from core_ext.state import State

ENCODING_VERSION: int

class Encoding:
    """The encoding of a variant, for matches under one choice of options and seats.

    The names are the variant's, the same for all options and seats: a feature that means nothing under some is never
    active there.
    """

    def __init__(self, state: State) -> None: ...
    @property
    def names(self) -> tuple[str, ...]:
        """What each feature says, by number, such as ``hand.1L``, ``yaku+1.tane.3`` or ``left.0``."""

    @property
    def size(self) -> int:
        """How many features there are."""

    def active(self, state: State, seat: int) -> list[int]:
        """The numbers of the features that are active for a seat: of what it may know, and of nothing else.

        ValueError for a state of other rules, and for a seat that there is not.
        """
