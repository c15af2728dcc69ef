"""The way from a replay to its league: the round, the other games of its board, the matches before and after it."""

from arena.store.errors import InvalidNameError, UnknownLeagueError
from arena.web.match_names import place_of
from arena.web.site.documents import RoundDocument
from arena.web.site.reader import Reader
from arena.web.viewer.way import MatchWay
from arena.web.work import MadeOnce

_MAX_ROUNDS_CACHED = 8


class Ways:
    """The ways of the replays of one store."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._rounds: MadeOnce[tuple[str, str, int, str], RoundDocument | None] = MadeOnce(_MAX_ROUNDS_CACHED)

    async def of(self, replay: str) -> MatchWay | None:
        """Return the way of a replay; None for a match of no league. Raises what the store raises."""
        place = place_of(replay)
        if place is None:
            return None
        league, variant, number = place.league, place.variant, place.round
        try:
            version = (await self._reader.league(league)).version
        except (UnknownLeagueError, InvalidNameError):
            return None  # a replay file of another arena's league
        round_ = await self._rounds.get(
            (league, variant, number, version), lambda: self._reader.round(league, variant, number)
        )
        return None if round_ is None else _way(round_, replay)


def _way(played: RoundDocument, replay: str) -> MatchWay | None:
    matches = [(table.number, match) for table in played.tables for match in table.matches if match.replay]
    replays = [match.replay for _, match in matches]
    if replay not in replays:
        return None
    index = replays.index(replay)
    table, asked = matches[index]
    same_board = tuple(
        (match.name.rpartition(".")[2], match.replay)
        for number, match in matches
        if (number, match.board) == (table, asked.board) and match is not asked
    )
    previous = replays[index - 1] if index else ""
    following = replays[index + 1] if index + 1 < len(replays) else ""
    return MatchWay(played.league, played.variant, played.number, table, asked.board, same_board, previous, following)
