"""When a match waits for nothing but time to pass, and leaves to others what it needs to play."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Holder = Callable[[bool], None]


class Recess:
    """Tells those who keep places for a match when its recess begins (True), and when it is over (False)."""

    def __init__(self) -> None:
        self._holders: list[Holder] = []
        self._taken = False

    @contextmanager
    def notifying(self, holder: Holder) -> Iterator[None]:
        """Tell this one as well, as long as the body runs; at its end the match is not in recess for it any more."""
        self._holders.append(holder)
        try:
            yield
        finally:
            self._holders.remove(holder)
            if self._taken:
                holder(False)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """The match is in recess as long as the body runs."""
        self._tell(begins=True)
        try:
            yield
        finally:
            self._tell(begins=False)

    def _tell(self, *, begins: bool) -> None:
        self._taken = begins
        for holder in self._holders:
            holder(begins)
