"""The Swiss system: two seats, bots of about the same score meet."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from arena.league.history import contenders
from arena.league.methods.method import Event, Method
from arena.league.pairing import Contender, pair
from arena.league.values import Finished, Seating

_MAX_TIMES = 8
"""As how many meetings it counts at most that two bots have one owner: exact costs of pods have so much room."""


class Swiss(Method):
    """`arena.league.pairing`, over the bots that are present."""

    seats = (2,)
    keeps_owners_apart = True

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
    field = contenders([entrant.name for entrant in event.entrants], event.division, event.rounds)
    field = [bot for bot in field if bot.name in present]
    return apart(field, event) if event.division.owners_apart else field


def apart(bots: Sequence[Contender], event: Event) -> list[Contender]:
    """Return the bots, those of one owner as if they had met in every round so far, and once more."""
    owner = {entrant.name: entrant.owner for entrant in event.entrants if entrant.owner}
    mates: dict[str, list[str]] = defaultdict(list)
    for bot in bots:
        if bot.name in owner:
            mates[owner[bot.name]].append(bot.name)
    times = min(event.next_number, _MAX_TIMES)
    games = []
    for bot in bots:
        met = Counter(bot.met)
        met.update({name: times for name in mates[owner.get(bot.name, "")] if name != bot.name})
        games.append(bot._replace(met=met))
    return games
