"""Places to think, of which there are fewer than there may be bots that are asked."""

from typing import Protocol

LOOK_S: float
"""How often those are looked at who hold a place while others wait, and those who sleep."""
PATIENCE_S: float
"""Over how long a holder is measured."""
WORK: float
"""Who uses less of a processor than this sleeps."""
AWAKE_S: float
"""Who has used more processor time than this since it was found asleep is awake."""

class Thinker(Protocol):
    """Who takes a place."""

    def on_free(self) -> None:
        """It has a place now, for which it waited."""
    def used_s(self) -> float:
        """Return the processor time that it has used since it was started."""
    def sleep(self) -> None:
        """It sleeps, and its place is somebody else's until it wakes."""
    def wake(self) -> None:
        """It does not sleep any more, and has no place."""

class Processors:
    """So many places; those who wait for one get it in their order.

    A place is held by work: a holder who sleeps has none until it wakes. Nobody is measured who holds a place for less
    than `LOOK_S`.
    """

    def __init__(self, count: int) -> None: ...
    @property
    def taken(self) -> int:
        """How many places are taken."""
    def take(self, thinker: Thinker) -> bool:
        """Take a place; False when none is free."""
    def seize(self, thinker: Thinker) -> None:
        """Take a place, be it one more than there are."""
    def wait(self, thinker: Thinker) -> None:
        """Wait for a place, at the end of the line."""
    def release(self, thinker: Thinker) -> None:
        """Give a place back."""
    def forget(self, thinker: Thinker) -> None:
        """Who waits or sleeps does so no more."""
