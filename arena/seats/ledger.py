"""What a move means: one seat's decisions in one match, without any wire."""

from arena.match.model import Rejection


class Ledger:
    """The decisions of a seat: which one is open, which were answered, which ran out of time.

    A seat has at most one open decision, numbered from 1.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.open = False
        self.late: set[int] = set()

    def ask(self, number: int) -> None:
        """Decision `number` is open from now on."""
        self.asked = number
        self.open = True

    def answer(self, number: int) -> Rejection | None:
        """A move for decision `number` has come: None closes the decision with it, otherwise why it is not taken."""
        if self.open and number == self.asked:
            self.open = False
            return None
        if not 0 < number <= self.asked:
            return Rejection.NOT_ASKED
        return Rejection.TOO_LATE if number in self.late else Rejection.ALREADY_ANSWERED

    def expire(self) -> None:
        """The open decision's time is over. Nothing changes when it was answered at the last moment."""
        if self.open:
            self.open = False
            self.late.add(self.asked)
