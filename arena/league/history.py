"""What a division's rounds so far left each of its bots."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from arena.league.errors import ResultsError
from arena.league.pairing import DOWN, LEVEL, Contender
from arena.league.pod_costs import floated
from arena.league.results import WIN, TableResult, bye_game_points, table_results
from arena.league.spec import Division
from arena.league.values import PlayedRound, parts


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """One round of one bot, as that bot saw it, points and margin in parts of the division's seats.

    `against` is what it won from each opponent, 2, 1 or 0; nothing for a bye. Of a pod of another size than the
    division's, game points and margin are those of as many matches as the usual pod has, rounded down.
    """

    round: int
    against: Mapping[str, int]
    match_points: int
    game_points: int
    margin: int


@dataclass(slots=True)
class Record:
    """The rounds of one bot in order; a round in which it was not there is absent."""

    name: str
    meetings: list[Meeting] = field(default_factory=list)

    @property
    def match_points(self) -> int:
        """The sum over all meetings and byes."""
        return sum([meeting.match_points for meeting in self.meetings])

    @property
    def byes(self) -> int:
        """How many rounds it sat out."""
        return sum([not meeting.against for meeting in self.meetings])

    @property
    def met(self) -> Counter[str]:
        """How often it met each opponent."""
        return Counter(chain.from_iterable([meeting.against for meeting in self.meetings]))


def check_order(rounds: Sequence[PlayedRound]) -> None:
    """ResultsError when the rounds are not 1, 2, ..."""
    for number, played in enumerate(rounds, start=1):
        if played.number != number:
            raise ResultsError(f"round {played.number} was found where round {number} is expected")


def records(names: Iterable[str], division: Division, rounds: Sequence[PlayedRound]) -> dict[str, Record]:
    """A record for each name; ResultsError when the rounds are not 1, 2, ... or name another bot."""
    found = {name: Record(name) for name in names}
    check_order(rounds)
    for played in rounds:
        for meeting_of, meeting in _meetings(division, played):
            if meeting_of not in found:
                raise ResultsError(f"round {played.number} names {meeting_of!r}, which is not an entrant")
            found[meeting_of].meetings.append(meeting)
    return found


def contenders(found: dict[str, Record], division: Division, last_round: int) -> list[Contender]:
    """Each record as the pairing sees it after `last_round` rounds."""
    before = {name: _score_before(record, last_round) for name, record in found.items()}
    return [
        Contender(
            name,
            record.match_points,
            record.met,
            record.byes,
            _float(record, last_round, before),
            sum([len(meeting.against) not in (0, division.seats - 1) for meeting in record.meetings]),
        )
        for name, record in found.items()
    ]


def _meetings(division: Division, played: PlayedRound) -> Iterable[tuple[str, Meeting]]:
    sizes = division.sizes
    for table in table_results(played):
        if len(table.bots) not in sizes:
            raise ResultsError(f"table {table.table} of round {table.round} has {len(table.bots)} bots")
        for bot, name in enumerate(table.bots):
            yield name, _seen_by(table, bot, division.seats)
    won = WIN * parts(division.seats)
    for name in played.byes:
        yield name, Meeting(played.number, {}, won, bye_game_points(division), 0)


def _seen_by(table: TableResult, bot: int, usual: int) -> Meeting:
    seats = len(table.bots)
    return Meeting(
        table.round,
        table.against(bot),
        table.match_points[bot],
        table.game_points[bot] * usual // seats,
        table.margins[bot] * usual // seats,
    )


def _score_before(record: Record, round_number: int) -> int:
    return sum([meeting.match_points for meeting in record.meetings if meeting.round < round_number])


def _float(record: Record, last_round: int, before: dict[str, int]) -> int:
    if not record.meetings or record.meetings[-1].round != last_round:
        return LEVEL
    opponents = record.meetings[-1].against
    if not opponents:
        return DOWN
    mine = before[record.name]
    return floated(mine, [mine, *(before[opponent] for opponent in opponents)])
