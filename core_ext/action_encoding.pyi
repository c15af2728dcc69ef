from core_ext.encoding import Encoding
from core_ext.state import State

class ActionEncoding:
    """What each action of a matching game does, as features: what it takes or lays, and whose yaku those cards are in.

    Where hands are collected by drawing and discarding there are none.
    """

    def __init__(self, encoding: Encoding) -> None: ...
    @property
    def names(self) -> tuple[str, ...]:
        """What each feature says, by number, such as ``early.takes.1L`` or ``late.lays.yaku+1.tane.4``."""

    @property
    def size(self) -> int:
        """How many features there are."""

    def active(self, state: State, action: int) -> list[int]:
        """The numbers of an action's features, one for each time that it is active; ValueError as of ``Encoding``."""
