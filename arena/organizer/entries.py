"""What a league's file asks for, and each entry into it, held against what can be played."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.launcher.errors import BotSourceError
from arena.launcher.sources import PathBot, RegisteredBot, Source, names_a_path, parse_source
from arena.league.methods.registry import method_of
from arena.league.spec import HOUSE, NAME, NAME_RULE, LeagueSpec
from arena.match.model import TimeControl
from arena.organizer.errors import EntryError, LateEntryError, NotPlayedError, UnplayableError
from arena.store import EntryRecord, League, Store
from arena.store.errors import DivisionOverError, UnknownBotError
from core_ext import State
from core_ext.errors import OptionError

LONGEST_NONCE = 128

_MIRROR = (
    "{!r} names a bot that connects by itself, and {} has mirrored boards, which need bots that remember nothing from "
    "one match to the next: house:NAME, or a path, from which the arena starts the bot anew for each match"
)


class Player(msgspec.Struct, frozen=True):
    """How a league plays an entrant: the bot as entries name it, and the salt of its dice."""

    bot: str
    salt: str


def check(spec: LeagueSpec, folder: Path) -> dict[str, Source]:
    """The bots of a league's entries by the entries' names; relative paths start at `folder`.

    Refuses what cannot be played before anything is stored: raises UnplayableError for an option that the variant does
    not have, for time that is none, for a bot that cannot be found, and for one that connects by itself where boards
    are mirrored: it may keep in mind what it saw in the first match of a board.
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
    sources: dict[str, Source] = {}
    for index, entry in enumerate(spec.entries):
        try:
            sources[entry.name] = source = parse_source(entry.bot, folder)
            check_source(spec, source, entry.variants)
        except (BotSourceError, EntryError) as error:
            raise UnplayableError(("entries", index), str(error)) from error
    return sources


async def entrants_of(store: Store, spec: LeagueSpec, sources: dict[str, Source]) -> list[EntryRecord]:
    """The entries of a file as the store keeps them; `sources` are from `check`.

    Raises UnplayableError for a bot that is not registered.
    """
    found = []
    for index, entry in enumerate(spec.entries):
        try:
            found.append(await _entrant(store, entry.name, sources[entry.name], entry.seed, entry.variants))
        except UnknownBotError as error:
            raise UnplayableError(("entries", index), str(error)) from error
    return found


async def check_said(store: Store, entrants: Sequence[EntryRecord]) -> None:
    """Whether the bots of a new file's entries play what they are to enter, as far as they have said; UnplayableError.

    They are in the file's order. A league or a schedule that is there stays, whatever its bots have said since.
    """
    for index, entrant in enumerate(entrants):
        bot = msgspec.msgpack.decode(entrant.payload, type=Player).bot
        if isinstance(parse_source(bot), RegisteredBot):
            try:
                _check_said(bot, entrant.variants, await store.bots.variants(bot))
            except NotPlayedError as error:
                raise UnplayableError(("entries", index), str(error)) from error


async def enter(
    store: Store,
    league: League,
    source: Source,
    name: str,
    *,
    variants: Sequence[str] = (),
    nonce: str = "",
    said: Sequence[str] | None = None,
) -> tuple[EntryRecord, bool]:
    """Enter a bot into a league that is open or goes on; returns its entry, and False when it was there already.

    Without `variants` it enters all divisions in which a round is left, of a bot that connects by itself those that it
    plays. `said` are the variants that such a bot plays by its own word (empty: all); by default, what it said when it
    last connected. One that has said nothing yet may enter all. Raises EntryError, UnknownBotError, and what
    `Leagues.enter` raises.
    """
    spec = msgspec.json.decode(league.config, type=LeagueSpec)
    if NAME.fullmatch(name) is None:
        raise EntryError(f"{name!r} is not a valid name: {NAME_RULE}")
    if len(nonce) > LONGEST_NONCE or not nonce.isprintable():
        raise EntryError(f"a nonce is one line of at most {LONGEST_NONCE} printable characters")
    if said is None and isinstance(source, RegisteredBot):
        said = await store.bots.variants(source.name)
    last_rounds = {one.variant: method_of(one).last_entry_round(one) for one in spec.divisions}
    left = tuple(
        one.variant for one in league.divisions if league.state == "open" or one.round < last_rounds[one.variant]
    )
    wanted = tuple(variants) or tuple(one for one in left if not said or one in said) or left
    # In the league's order, so that the same entry is the same however it was said; the store refuses what is unknown.
    order = [one for one in spec.variants if one in wanted] + [one for one in wanted if one not in spec.variants]
    check_source(spec, source, order)
    if isinstance(source, RegisteredBot):
        _check_said(source.name, [one for one in order if one in spec.variants], said)
    entrant = await _entrant(store, name, source, name, tuple(order), nonce)
    try:
        return entrant, await store.leagues.enter(league.name, entrant, last_rounds=last_rounds)
    except DivisionOverError as error:
        division = spec.division(error.variant)
        if (last := last_rounds[error.variant]) < division.rounds:
            raise LateEntryError(league.name, division.variant, division.pairing_method, last) from error
        raise


def check_source(spec: LeagueSpec, source: Source, variants: Sequence[str]) -> None:
    """Whether the bot may play in these divisions; EntryError."""
    if not isinstance(source, RegisteredBot):
        return
    if names_a_path(source.name):
        raise EntryError(f"{source.name!r} cannot enter a league: a name of this form is read as a path there")
    mirrored = [one.variant for one in spec.divisions if one.variant in variants and one.board_sets == "mirror"]
    if mirrored:
        where = f"the division of {' and '.join(mirrored)}" if len(spec.divisions) > 1 else f"league {spec.name}"
        raise EntryError(_MIRROR.format(source.name, where))


def _check_said(bot: str, variants: Sequence[str], said: Sequence[str] | None) -> None:
    """Whether a bot plays these variants, by its own word; NotPlayedError."""
    for variant in variants:
        if said and variant not in said:
            raise NotPlayedError(bot, variant, said)


async def _entrant(
    store: Store, name: str, source: Source, salt: str, variants: tuple[str, ...], nonce: str = ""
) -> EntryRecord:
    match source:
        case RegisteredBot(registered):
            # Of a bot that nobody is named for, two entries have the same memory all the same.
            bot, owner = registered, (await store.bots.get(registered)).owner or registered
        case PathBot(path):
            bot, owner = str(path), ""
        case house:
            bot, owner = HOUSE + house.name, ""
    return EntryRecord(name, nonce, msgspec.msgpack.encode(Player(bot, salt)), owner, variants)
