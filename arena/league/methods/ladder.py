"""A ladder: the tables of a round are those whose boards would tell most about the order."""

from collections.abc import Mapping, Sequence

from arena.league import ladder
from arena.league.all_round import Places
from arena.league.columns import Columns
from arena.league.ladder_ratings import LadderRatings
from arena.league.ladder_terms import Ladder as Terms
from arena.league.methods.method import Event, Method
from arena.league.ratings import Rating
from arena.league.standings import Standing
from arena.league.values import Finished, Seating


class Ladder(Method):
    """`arena.league.ladder`, over the bots that are present; places go by rating."""

    seats = (2, 3, 4)

    def seat(self, event: Event) -> Seating | Finished:
        """Seat the next round. Who has no table in it has no bye: a round has only so many tables."""
        terms = event.spec.ladder or Terms()
        division, number = event.division, event.next_number
        tables = ladder.next_tables(
            event.entrants,
            event.rounds,
            terms,
            number=number,
            seats=division.seats,
            games=division.boards * (division.seats if division.board_sets == "mirror" else 1),
            lots=event.lots("ladder", str(number)),
        )
        return Seating(tables) if tables else Finished("too few bots are left to play")

    def rated(self, event: Event, columns: Columns) -> dict[str, Rating]:
        """The ratings from the season's boards and all that was known before them."""
        return LadderRatings(columns, event.entrants, event.spec.ladder or Terms()).ratings()

    def places(self, event: Event, rows: Sequence[Standing], ratings: Mapping[str, Rating]) -> Places:
        """The bots by their ratings, then those that have none yet."""
        rated = sorted((row.name for row in rows if row.name in ratings), key=lambda name: -ratings[name].mu)
        unrated = [row.name for row in rows if row.name not in ratings]
        return [*((name,) for name in rated), *([unrated] if unrated else [])]
