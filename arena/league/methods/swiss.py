"""The Swiss system: two seats, bots of about the same score meet."""

from arena.league.history import contenders
from arena.league.methods.method import Event, Method
from arena.league.pairing import Contender, pair
from arena.league.values import Finished, Seating


class Swiss(Method):
    """`arena.league.pairing`, over the bots that are present."""

    seats = (2,)

    def seat(self, event: Event) -> Seating | Finished:
        """Pair the next round."""
        return seat(event, event.division.rounds)


def seat(event: Event, rounds: int) -> Seating:
    """Pair the next round of a Swiss of so many rounds."""
    number = event.next_number
    return pair(field(event), event.lots("pairing", str(number)), rounds - number)


def field(event: Event) -> list[Contender]:
    """The bots that are present in the next round, with what the rounds so far left them."""
    present = event.present(event.next_number)
    found = contenders([entrant.name for entrant in event.entrants], event.division, event.rounds)
    return [bot for bot in found if bot.name in present]
