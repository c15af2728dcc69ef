"""What a league's file asks for, held against what can be played."""

from pathlib import Path

import msgspec

from arena.league.spec import LeagueSpec
from arena.referee.model import TimeControl
from arena.worker.errors import BotSourceError, UnplayableError
from arena.worker.sources import PathBot, RegisteredBot, parse_source
from core_ext import State
from core_ext.errors import OptionError

_MIRROR = (
    "{!r} would be a bot that connects by itself, and a league with mirrored boards takes only bots that keep nothing "
    "from one match to the next: house:NAME, or a path from which the arena starts it afresh for each match"
)


class Player(msgspec.Struct, frozen=True):
    """How a league plays an entrant: the bot as entries name it, and the salt of its dice."""

    bot: str
    salt: str


def check(spec: LeagueSpec, folder: Path) -> dict[str, Player]:
    """A league's entries as its jobs name them, paths made absolute (relative ones start at `folder`).

    Refuses what cannot be played before anything is stored: raises UnplayableError for an option that the variant does
    not have, for time that is none, for a bot that cannot be found, and for one
    that connects by itself: it may keep in mind what it saw in the first match of a board.
    """
    for division in spec.divisions:
        try:
            State.new(division.variant, division.options, seed="check", seats=division.seats)
        except OptionError as error:
            raise UnplayableError(("divisions", division.variant, "options", error.name), str(error)) from error
    try:
        TimeControl(spec.per_decision_ms, spec.bank_ms)
    except ValueError as error:
        raise UnplayableError(("per_decision_ms",), str(error)) from error
    players = {}
    for index, entry in enumerate(spec.entries):
        try:
            source = parse_source(entry.bot, folder)
        except BotSourceError as error:
            raise UnplayableError(("entries", index), str(error)) from error
        if isinstance(source, RegisteredBot):
            raise UnplayableError(("entries", index), _MIRROR.format(entry.bot))
        players[entry.name] = Player(str(source.path) if isinstance(source, PathBot) else entry.bot, entry.seed)
    return players
