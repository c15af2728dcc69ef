"""What a division's rounds so far left each of its bots."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.league.errors import ResultsError
from arena.league.pairing import DOWN, LEVEL, UP, Contender
from arena.league.results import WIN, TableResult, table_results
from arena.league.values import PlayedRound


@dataclass(frozen=True, slots=True)
class Meeting:
    """One round of one bot, as that bot saw it; `opponent` is None for a bye."""

    round: int
    opponent: str | None
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
        return sum(meeting.match_points for meeting in self.meetings)

    @property
    def byes(self) -> int:
        """How many rounds it sat out."""
        return sum(meeting.opponent is None for meeting in self.meetings)

    @property
    def met(self) -> Counter[str]:
        """How often it met each opponent."""
        return Counter(meeting.opponent for meeting in self.meetings if meeting.opponent is not None)


def records(names: Iterable[str], rounds: Sequence[PlayedRound], bye_game_points: int) -> dict[str, Record]:
    """A record for each name; ResultsError when the rounds are not 1, 2, ... or name another bot."""
    found = {name: Record(name) for name in names}
    for number, played in enumerate(rounds, start=1):
        if played.number != number:
            raise ResultsError(f"round {played.number} stands where round {number} is expected")
        for meeting_of, meeting in _meetings(played, bye_game_points):
            if meeting_of not in found:
                raise ResultsError(f"round {number} names {meeting_of!r}, which is not an entrant")
            found[meeting_of].meetings.append(meeting)
    return found


def contenders(found: dict[str, Record], last_round: int) -> list[Contender]:
    """Each record as the pairing sees it after `last_round` rounds."""
    before = {name: _score_before(record, last_round) for name, record in found.items()}
    return [
        Contender(name, record.match_points, record.met, record.byes, _float(record, last_round, before))
        for name, record in found.items()
    ]


def _meetings(played: PlayedRound, bye_game_points: int) -> Iterable[tuple[str, Meeting]]:
    for table in table_results(played):
        yield table.bots[0], _seen_by(table, 0)
        yield table.bots[1], _seen_by(table, 1)
    if played.bye is not None:
        yield played.bye, Meeting(played.number, None, WIN, bye_game_points, 0)


def _seen_by(table: TableResult, side: int) -> Meeting:
    return Meeting(
        table.round, table.bots[1 - side], table.match_points[side], table.game_points[side], table.margins[side]
    )


def _score_before(record: Record, round_number: int) -> int:
    return sum(meeting.match_points for meeting in record.meetings if meeting.round < round_number)


def _float(record: Record, last_round: int, before: dict[str, int]) -> int:
    if not record.meetings or record.meetings[-1].round != last_round:
        return LEVEL
    opponent = record.meetings[-1].opponent
    if opponent is None:
        return DOWN
    mine, other = before[record.name], before[opponent]
    return DOWN if mine > other else UP if mine < other else LEVEL
