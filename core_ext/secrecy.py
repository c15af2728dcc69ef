"""Who could be asked in secret after a public event: what a match hides behind equal waits."""

from collections.abc import Callable
from dataclasses import dataclass

Slots = tuple[tuple[int, str], ...]
"""Seats and the phases in which they could be asked, in order."""


@dataclass(frozen=True, slots=True)
class Secret:
    """After an event of the kind ``after`` seats could be asked, unseen by the others.

    ``slots(seat, dealer, seats)`` are the questions that there could be after an event of that seat. ``at_once`` are
    the kinds of events that the event itself decides. Any other that follows in the same action would come later if
    somebody were asked first.
    """

    after: str
    slots: Callable[[int, int, int], Slots]
    at_once: frozenset[str] = frozenset()


def in_turn(seat: int, seats: int) -> tuple[int, ...]:
    """Every seat, from this one on."""
    return tuple((seat + step) % seats for step in range(seats))


def dealt_hands(dealer: int, _dealer: int, seats: int) -> Slots:
    """Every seat could be asked for its dealt hand, the dealer first."""
    return tuple((seat, "dealt_hand") for seat in in_turn(dealer, seats))


OF_A_DEAL = frozenset({"dealer", "field", "field_four", "take"})
AFTER_A_DEAL = Secret("deal", dealt_hands, OF_A_DEAL)
