"""A match that is exported: its replay, and where it was played."""

import re
from typing import NamedTuple

from arena.match.outcome import placing
from arena.replays import ReplayRecord

_OF_LEAGUE = re.compile(r"(?P<league>.+)\.[^.]+\.r(?P<round>\d+)\.(?P<name>.+)\.[a-z]")


class PlayedMatch(NamedTuple):
    """A match and its place: of one outside a league `league` and `board` are "" and `round` is 0.

    `time` is in seconds since 1970: when the match's league, or the single match, was made; of a replay in a file, when
    the file was written. `owners` are those of the bots by seat, "" where there is none, () where they are not known.
    `path` is the file, "" of a replay in a store.
    """

    record: ReplayRecord
    league: str
    round: int
    board: str
    time: float
    owners: tuple[str, ...] = ()
    path: str = ""

    @property
    def name(self) -> str:
        """What the replay is called: its file, or its id in the arena."""
        return self.path or self.record.match_id

    @property
    def placing(self) -> tuple[int, ...]:
        """The places by seat, as the match's result has them."""
        return placing(self.record.results, self.record.offender)

    def version(self, seat: int) -> str:
        """The version that played: a digest, or `NAME@ARENA_VERSION` of a house bot; "" where none was kept."""
        record = self.record
        return record.versions[seat] or (record.house_bots[seat] if record.house_bots else "")


def played_match(record: ReplayRecord, time: float, path: str = "") -> PlayedMatch:
    """A match by its replay alone: its id says where in a league it was played."""
    place = _OF_LEAGUE.fullmatch(record.match_id)
    if place is None:
        return PlayedMatch(record, "", 0, "", time, path=path)
    board = f"r{place['round']}.{place['name']}"
    return PlayedMatch(record, place["league"], int(place["round"]), board, time, path=path)
