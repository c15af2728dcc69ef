"""What stands at the head of a league's page: who leads each division, and what is played."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from arena.league.spec import Division, LeagueSpec
from arena.league.table_row import COLUMNS, TableRow
from arena.league.tables import DivisionTable
from arena.web.language import ENGLISH, JAPANESE, Language, message, plural
from arena.web.language.times import minute
from arena.web.site.documents import DivisionDocument, LeagueDocument, TableDocument
from arena.web.site.option_names import option_text
from core_ext import variant_info

_NAMED = 3
"""So many bots that cannot be told apart from the leader are named, others counted."""

[_MARGIN] = [column for column in COLUMNS if column.name == "margin"]

_MIN_SHARE = 0.02
"""Of a division that has to be over before its pace tells anything."""
_UNITS = (
    (86_400, plural("%(num)s day", "%(num)s days")),
    (3_600, plural("%(num)s hour", "%(num)s hours")),
    (60, plural("%(num)s minute", "%(num)s minutes")),
)
_FROM_UNITS = 1.5
"""So many of a unit are told in it, less in the one below."""

_PAIRINGS = {
    "swiss": message("Swiss system"),
    "pods": message("Swiss system in pods"),
    "round-robin": message("Round-robin"),
    "knock-out": message("Swiss rounds, then a knock-out"),
    "ladder": message("Ladder, the tables that would tell most"),
}
_MIRRORED = {
    2: message(", each from both seats"),
    3: message(", each from all three seats"),
    4: message(", each from all four seats"),
}
_SHARED = message(", the same at every table of a round")


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


def leads_of(league: LeagueDocument, tables: Sequence[TableDocument], language: Language = ENGLISH) -> list[Lead]:
    """Return the leader of every division in which a round is complete."""
    return [
        _lead(division, table.rows, language)
        for division, table in zip(league.divisions, tables, strict=True)
        if table.rounds and table.rows
    ]


def _lead(division: DivisionDocument, rows: Sequence[TableRow], language: Language) -> Lead:
    first, *others = rows
    equals = [row.bot for row in others if row.place == 1] if first.place == 1 else []
    return Lead(
        variant=division.variant,
        title=_title(division, language),
        bot=first.bot,
        record=f"{first.won}-{first.drawn}-{first.lost}" if division.seats == 2 else "",
        margin=_MARGIN.cell(first, language.text) if first.margin is not None and first.margin.is_known else "",
        equals=tuple(equals[:_NAMED]),
        more_equals=len(equals[_NAMED:]),
        is_known=first.place is not None,
    )


def _title(division: DivisionDocument, language: Language) -> str:
    if division.state == "finished":
        return language.gettext("Winner")
    complete = division.round if division.done == division.matches else division.round - 1
    rounds = {"complete": complete, "rounds": division.rounds}
    if division.state == "cancelled":
        return language.gettext("First when cancelled, after %(complete)s of %(rounds)s rounds", **rounds)
    return language.gettext("Leader after %(complete)s of %(rounds)s rounds", **rounds)


def facts_of(
    spec: LeagueSpec, league: LeagueDocument, left_s: float | None, language: Language
) -> list[tuple[str, str]]:
    """Return what is played and when, each with its name; `left_s` is how long the league goes on, if that is known."""
    clock = language.gettext("%(seconds)s s a decision", seconds=_seconds(spec.per_decision_ms))
    if spec.bank_ms:
        clock += language.gettext(", and a bank of %(seconds)s s a match", seconds=_seconds(spec.bank_ms))
    times = [(language.gettext("Created"), league.created), (language.gettext("Began"), league.started)]
    if league.finished:
        end = language.gettext("Cancelled") if league.state == "cancelled" else language.gettext("Finished")
        times.append((end, league.finished))
    elif left_s is not None:
        ends = datetime.now(UTC) + timedelta(seconds=left_s)
        times.append((language.gettext("Ends about"), ends.isoformat()))
    return [
        *_formats(spec, language),
        (language.gettext("Clock"), clock),
        # Nobody else can make a league: owners have bots.
        (language.gettext("Organiser"), language.gettext("the operator of this arena")),
        *((name, f"{minute(language, time)} UTC") for name, time in times if time),
    ]


def _formats(spec: LeagueSpec, language: Language) -> list[tuple[str, str]]:
    """Return what is played how: divisions of one format together."""
    alike: dict[str, list[str]] = {}
    for division in spec.divisions:
        info = variant_info(division.variant)
        name = info.name if language is JAPANESE else f"{info.name} {info.id}"
        alike.setdefault(_format(division, language), []).append(name)
    return [(language.gettext(", ").join(names), text) for text, names in alike.items()]


def luck_of(table: DivisionTable, spec: LeagueSpec, language: Language = ENGLISH) -> str:
    """Return how much more the results of a division say because boards were shared, "" where nobody knows."""
    mirroring = table.mirroring
    if mirroring is None or not mirroring.factor:
        return ""
    factor = f"{mirroring.factor:.2f}"
    if spec.division(table.variant).board_sets != "mirror":
        return language.gettext(
            "Playing the same boards at every table made these results as precise as %(factor)s times as many games.",
            factor=factor,
        )
    if table.seats == 2:
        return language.gettext(
            "Playing each deal from both seats made these results as precise as %(factor)s times as many games.",
            factor=factor,
        )
    return language.gettext(
        "Playing each deal from every seat made these results as precise as %(factor)s times as many games.",
        factor=factor,
    )


def time_left_s(league: LeagueDocument, now: datetime) -> float | None:
    """Return about how long a league goes on at the pace it had so far, None where that cannot be told yet.

    That is until its slowest division has played as many rounds as it may have.
    """
    shares = [division.share_done for division in league.divisions]
    if league.state != "running" or not league.started or min(shares) < _MIN_SHARE:
        return None
    elapsed = (now - datetime.fromisoformat(league.started)).total_seconds()
    return max(elapsed * (1 - share) / share for share in shares)


def duration(seconds: float, language: Language = ENGLISH) -> str:
    """Write a length of time to the precision of an estimate: `less than a minute`, `12 minutes`, `3 hours`."""
    for unit, names in _UNITS:
        if seconds >= unit * _FROM_UNITS:
            return language.ngettext(*names, round(seconds / unit))
    return language.gettext("less than a minute") if seconds < 45 else language.gettext("1 minute")


def _format(division: Division, language: Language) -> str:
    """Return how a division is paired, on which boards, and by which options it departs from the variant's rules."""
    pairing = language.text(_PAIRINGS[division.pairing_method])
    rounds = language.ngettext(", at most %(num)s round", ", at most %(num)s rounds", division.rounds)
    boards = language.ngettext("%(num)s board a table", "%(num)s boards a table", division.boards)
    sets = _MIRRORED[division.seats] if division.board_sets == "mirror" else _SHARED
    parts = [f"{pairing}{rounds}", f"{boards}{language.text(sets)}"]
    if division.seats > 2:
        parts.insert(1, language.gettext("%(seats)s bots a table", seats=division.seats))
    info = variant_info(division.variant)
    for option in info.options:
        value = division.options.get(option.name, option.default)
        if value != option.default:
            parts.append(option_text(info, option, value, language))
    return " · ".join(parts)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g}"
