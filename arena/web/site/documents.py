"""What the pages show, as plain values: the same that the JSON addresses send. docs/web.md describes the fields."""

from datetime import UTC, datetime

import msgspec

from arena.league.table_row import TableRow
from arena.match.model import End
from arena.submissions.record import START
from arena.web.language import message

VERSION = "hanafuda-arena/web/1"


def moment(micros: int) -> str:
    """A time of the store as ISO 8601 in UTC, "" for none."""
    if not micros:
        return ""
    return datetime.fromtimestamp(micros / 1_000_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class DivisionDocument(msgspec.Struct, frozen=True):
    """How far a division is. `matches` are those of the round under way, `done` of them are over.

    `share_done` is how much of all its rounds is over, from 0 to 1.
    """

    variant: str
    title: str
    state: str
    round: int
    rounds: int
    matches: int
    done: int
    played: int
    seats: int
    boards: int
    board_sets: str
    share_done: float


class EntrantDocument(msgspec.Struct, frozen=True):
    """An entry: `bot` is what plays under the name, `kind` how (`house`, `path`, `registered`, `submitted`).

    `version` and `runtime` are those of a submitted version, else "".
    """

    name: str
    bot: str
    kind: str
    owner: str
    variants: tuple[str, ...]
    version: str
    runtime: str


class LeagueDocument(msgspec.Struct, frozen=True):
    """A league without its tables. `version` changes whenever anything of it does."""

    name: str
    state: str
    test: bool
    commitment: str
    secret: str
    created: str
    started: str
    finished: str
    version: str
    divisions: tuple[DivisionDocument, ...]

    @property
    def played(self) -> int:
        """Matches over in all divisions."""
        return sum(division.played for division in self.divisions)

    @property
    def share_done(self) -> float:
        """How much of all rounds of its divisions is over, from 0 to 1."""
        return sum(division.share_done for division in self.divisions) / len(self.divisions)


class MeetingDocument(msgspec.Struct, frozen=True):
    """What one bot scored against another."""

    bot: str
    opponent: str
    tables: int
    match_points: float
    game_points: float
    margin: float


class TableDocument(msgspec.Struct, frozen=True):
    """A division's table after its complete rounds. `luck` says what the boards took out.

    Until a division is `rated` its ratings have no error bars, and pages do not show them.
    """

    variant: str
    rounds: int
    rated: bool
    rows: tuple[TableRow, ...]
    meetings: tuple[MeetingDocument, ...]
    luck: str


class MatchDocument(msgspec.Struct, frozen=True):
    """A match of a round. `end` is "" until it is over; margins, half points and `replay` come when its board is."""

    name: str
    board: int
    seating: tuple[str, ...]
    margins: tuple[float, ...]
    half_points: tuple[float, ...]
    end: str
    forfeiter: str
    replay: str


class TableOfRound(msgspec.Struct, frozen=True):
    """A table of a round: its bots with their game points on the boards that are over."""

    number: int
    bots: tuple[str, ...]
    points: tuple[float, ...]
    done: int
    matches: tuple[MatchDocument, ...]


class RoundDocument(msgspec.Struct, frozen=True):
    """A round, its tables and who has a bye."""

    league: str
    variant: str
    number: int
    byes: tuple[str, ...]
    tables: tuple[TableOfRound, ...]


class ReplayDocument(msgspec.Struct, frozen=True):
    """A line of a list of matches. `time` is when it ended; `thinking` is by seat how many decisions took less than 1,
    2, 4, … ms.

    `placing` is by seat, 1 for the winner, as leagues count it: who forfeited is last, whatever its points. `scored`
    says whether `results` are the variant's final ones; after a forfeit they are the scores as they stood, which may be
    in another unit.
    """

    replay: str
    league: str
    variant: str
    bots: tuple[str, ...]
    results: tuple[int, ...]
    placing: tuple[int, ...]
    scored: bool
    end: str
    offender: int
    thinking: tuple[tuple[int, ...], ...]
    time: str


FAILURES: dict[str, str] = {
    START: message("its program did not start, or ended before it was ready"),
    End.ILLEGAL_ACTION: message("it chose an action that is not legal"),
    End.TIMEOUT: message("it did not answer in time"),
    End.DISCONNECTED: message("its program ended, or closed its connection"),
    End.BOT_ERROR: message("its program reported an error"),
}
"""How a version failed in its qualification."""
ENDS: dict[str, str] = {
    End.COMPLETED: message("played to its end"),
    End.ILLEGAL_ACTION: message("forfeited by an action that is not legal"),
    End.TIMEOUT: message("forfeited on time"),
    End.DISCONNECTED: message("forfeited by disconnection"),
    End.BOT_ERROR: message("forfeited by an error of the bot"),
    End.ABANDONED: message("abandoned"),
    End.SAFEGUARD: message("stopped by the safeguard against endless matches"),
}
