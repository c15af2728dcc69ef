"""What stands at the head of a league's page: who leads each division, and what is played."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from arena.league.plurals import pluralize
from arena.league.spec import Division, LeagueSpec
from arena.league.table_row import COLUMNS, TableRow
from arena.web.site.documents import DivisionDocument, LeagueDocument, TableDocument
from core_ext import variant_info

_NAMED = 3
"""So many bots that cannot be told apart from the leader are named, others counted."""

[_MARGIN] = [column for column in COLUMNS if column.name == "margin"]

_LEAST_SHARE = 0.02
"""Of a division that has to be over before its pace tells anything."""
_UNITS = ((86_400, "day", "days"), (3_600, "hour", "hours"), (60, "minute", "minutes"))
_FROM_UNITS = 1.5
"""So many of a unit are told in it, less in the one below."""

_PAIRINGS = {
    "swiss": "Swiss system",
    "pods": "Swiss system in pods",
    "round-robin": "Round-robin",
    "knock-out": "Swiss rounds, then a knock-out",
    "ladder": "Ladder, the tables that would tell most",
}


class Lead(msgspec.Struct, frozen=True):
    """Who stands first in a division, and who cannot be told apart from it.

    `title` says what being first means: the league may be under way still, or cancelled. `is_known` is False where too
    few boards were played to tell any bots apart.
    """

    variant: str
    title: str
    bot: str
    record: str
    margin: str
    equals: tuple[str, ...]
    more_equals: int
    is_known: bool


def leads_of(league: LeagueDocument, tables: Sequence[TableDocument]) -> list[Lead]:
    """Return the leader of every division in which a round is complete."""
    return [
        _lead(division, table.rows)
        for division, table in zip(league.divisions, tables, strict=True)
        if table.rounds and table.rows
    ]


def _lead(division: DivisionDocument, rows: Sequence[TableRow]) -> Lead:
    first, *others = rows
    equals = [row.bot for row in others if row.place == 1] if first.place == 1 else []
    return Lead(
        variant=division.variant,
        title=_title(division),
        bot=first.bot,
        record=f"{first.won}-{first.drawn}-{first.lost}" if division.seats == 2 else "",
        margin=_MARGIN.cell(first) if first.margin is not None and first.margin.is_known else "",
        equals=tuple(equals[:_NAMED]),
        more_equals=len(equals[_NAMED:]),
        is_known=first.place is not None,
    )


def _title(division: DivisionDocument) -> str:
    if division.state == "finished":
        return "Winner"
    complete = division.round if division.done == division.matches else division.round - 1
    rounds = f"{complete} of {division.rounds} rounds"
    return f"First when cancelled, after {rounds}" if division.state == "cancelled" else f"Leads after {rounds}"


def facts_of(spec: LeagueSpec, league: LeagueDocument) -> list[tuple[str, str]]:
    """Return what holds for the whole league, each with its name."""
    clock = f"{_seconds(spec.per_decision_ms)} a decision"
    if spec.bank_ms:
        clock += f", and a bank of {_seconds(spec.bank_ms)} a match"
    facts = [("Clock", clock), ("Created", _minute(league.created))]
    if league.started:
        facts.append(("Began", _minute(league.started)))
    if league.finished:
        facts.append(("Cancelled" if league.state == "cancelled" else "Finished", _minute(league.finished)))
    return facts


def time_left_s(league: LeagueDocument, now: datetime) -> float | None:
    """Return about how long a league goes on at the pace it had so far, None where that cannot be told yet.

    That is until its slowest division has played as many rounds as it may have.
    """
    shares = [division.share_done for division in league.divisions]
    if league.state != "running" or not league.started or min(shares) < _LEAST_SHARE:
        return None
    elapsed = (now - datetime.fromisoformat(league.started)).total_seconds()
    return max(elapsed * (1 - share) / share for share in shares)


def duration(seconds: float) -> str:
    """Write a length of time to the precision of an estimate: `less than a minute`, `12 minutes`, `3 hours`."""
    for unit, name, names in _UNITS:
        if seconds >= unit * _FROM_UNITS:
            return pluralize(round(seconds / unit), name, names)
    return "less than a minute" if seconds < 45 else "1 minute"


def format_of(division: Division) -> str:
    """Return how a division is paired, on which boards, and by which options it departs from the variant's rules."""
    seats = {2: "both", 3: "all three", 4: "all four"}[division.seats]
    boards = "1 board" if division.boards == 1 else f"{division.boards} boards"
    sets = f"each from {seats} seats" if division.board_sets == "mirror" else "the same at every table of a round"
    rounds = "1 round" if division.rounds == 1 else f"{division.rounds} rounds"
    parts = [f"{_PAIRINGS[division.pairing_method]}, at most {rounds}", f"{boards} a table, {sets}"]
    if division.seats > 2:
        parts.insert(1, f"{division.seats} bots a table")
    defaults = {option.name: option.default for option in variant_info(division.variant).options}
    changed = [f"{name} = {_value(value)}" for name, value in division.options.items() if value != defaults.get(name)]
    return " · ".join([*parts, *changed])


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return " ".join(map(_value, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g} s"


def _minute(time: str) -> str:
    return f"{time[:10]} {time[11:16]} UTC"
