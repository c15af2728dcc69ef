"""Pods: the Swiss system for tables of three and four."""

from arena.league.methods.method import Event, Method
from arena.league.methods.swiss import field
from arena.league.pods import pods
from arena.league.values import Finished, Seating


class Pods(Method):
    """`arena.league.pods`, over the bots that are present."""

    seats = (3, 4)
    keeps_owners_apart = True

    def seat(self, event: Event) -> Seating | Finished:
        """Seat the next round."""
        number = event.next_number
        lots = event.lots("pairing", str(number))
        return pods(field(event), event.division.sizes, lots, event.division.rounds - number)
