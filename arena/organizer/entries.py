"""Checks of a league's file and of each entry: whether they can be played."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET

from arena.launcher.errors import BotSourceError
from arena.launcher.sources import HouseBot, PathBot, RegisteredBot, Source, SubmittedBot, names_a_path, parse_source
from arena.league.beacon import described, round_at, time_of
from arena.league.errors import NonceError
from arena.league.nonces import check_nonces, parse_commitment, parse_nonce
from arena.league.spec import HOUSE, LeagueSpec
from arena.league.values import Entrant
from arena.match.model import TimeControl
from arena.names import NAME_RULE, is_name, is_season, ladder_of
from arena.organizer.errors import EntryError, NotPlayedError, UnplayableError
from arena.store import EntryRecord, League, Participation, Store
from arena.store.errors import (
    DivisionOverError,
    NotEnteredError,
    OwnersBotsError,
    UnknownBotError,
    UnknownVersionError,
)
from arena.submissions.record import VersionRecord, read_record
from core_ext import State
from core_ext.errors import OptionError

_MIRROR = (
    "{0!r} names a bot that connects by itself, and {1} has mirrored boards, which need bots that remember nothing "
    "from one match to the next: house:NAME, or a submitted version or a path (./{0}), from which the arena starts the "
    "bot anew for each match"
)
_FIELD = (
    "{0!r} is sent in and played in a cage, and {1} has field boards, whose cards bots that connect can pass on: "
    'submitted bots play on mirrored boards alone (board_sets = "mirror")'
)


class Player(msgspec.Struct, frozen=True):
    """What an entrant plays: the bot as entries name it, the salt of its random numbers, its version and its runtime.

    The version is the digest of a submitted version, "" for any other bot. The runtime is what a node has to offer that
    is to play a submitted version or a bot by path, "" for any other bot.

    In a ladder, `line` is what the bot is called there, whatever its entries; `follows` and `resumes` are as an
    `Entrant` has them.
    """

    bot: str
    salt: str
    version: str = ""
    runtime: str = ""
    line: str = ""
    follows: str = ""
    resumes: str = ""

    @property
    def source(self) -> str:
        """The bot, with its version where it has one."""
        return str(SubmittedBot(self.bot, self.version)) if self.version else self.bot

    @property
    def connects(self) -> bool:
        """Whether the bot connects by itself."""
        return not (self.version or self.bot.startswith(HOUSE) or names_a_path(self.bot))


def player_of(entrant: EntryRecord) -> Player:
    """What an entrant plays."""
    return msgspec.msgpack.decode(entrant.payload, type=Player)


def entrant_of(entry: EntryRecord, stay: Participation) -> Entrant:
    """An entry with the rounds of a division that it is there for, as pairing and tables take it."""
    player = player_of(entry)
    follows, resumes = player.follows or UNSET, player.resumes or UNSET
    return Entrant(entry.bot, stay.first_round, stay.last_round, entry.owner, follows, resumes)


def check(spec: LeagueSpec, folder: Path, *, has_store: bool = True) -> dict[str, Source]:
    """The bot of each entry, by the entry's name in the tables; relative paths start at `folder`.

    Raises UnplayableError, before anything is stored, for an option that the variant does not have, for an invalid time
    control, and for a bot that cannot be found. What depends on the store is checked by `entrants_of`. Without a store
    (`has_store`) there are no submitted bots, so a registered name is that of a bot that connects by itself.
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
            if not has_store:
                check_source(spec, source, entry.variants)
        except (BotSourceError, EntryError) as error:
            raise UnplayableError(("entries", index), str(error)) from error
    return sources


async def entrants_of(store: Store, spec: LeagueSpec, sources: dict[str, Source]) -> list[EntryRecord]:
    """The entries of a file as the store keeps them, with the versions of submitted bots; `sources` are from `check`.

    Raises UnplayableError for a bot that is not registered, for a version that does not exist or may not play, and for
    a bot that connects by itself in a division with mirrored boards: it may remember the first match of a board.
    """
    entrants: list[EntryRecord] = []
    for index, entry in enumerate(spec.entries):
        try:
            source = await registered(store, spec, sources[entry.name])
            check_source(spec, source, entry.variants)
            check_once(entrants, source, entry.name)
            entrant = await new_entry(store, entry.name, source, entry.seed, entry.variants)
            check_owner(spec, entrants, entrant)
            entrants.append(entrant)
        except (EntryError, UnknownBotError, UnknownVersionError) as error:
            raise UnplayableError(("entries", index), str(error)) from error
    return entrants


def check_beacon(spec: LeagueSpec) -> None:
    """Check that nobody can know the round of the beacon yet that a new file names; UnplayableError."""
    if spec.beacon_round is not None and time_of(spec.beacon_round) <= (now := int(time.time())):
        soon = round_at(now + 3_600)
        reason = f"{described(spec.beacon_round)} is known already; in an hour it will be round {soon}"
        raise UnplayableError(("beacon_round",), reason)


async def check_variants(store: Store, entrants: Sequence[EntryRecord]) -> None:
    """Check that each bot of a new file plays the variants that it is entered for; UnplayableError.

    `entrants` are in the file's order. This is checked when a league or a schedule is created, and not again when a bot
    declares other variants afterwards.
    """
    for index, entrant in enumerate(entrants):
        source = parse_source(player_of(entrant).source)
        try:
            check_plays(entrant.bot, entrant.variants, await declared_variants(store, source))
        except NotPlayedError as error:
            raise UnplayableError(("entries", index), str(error)) from error


async def renewed(store: Store, spec: LeagueSpec, entrants: Sequence[EntryRecord]) -> list[EntryRecord]:
    """The entries of a schedule's next league: a bot that the file names without a version plays its active one."""
    named = {entry.name: entry.bot for entry in spec.entries}
    entries = []
    for entrant in entrants:
        player = player_of(entrant)
        if player.version and named[entrant.bot] == player.bot:
            version = await store.versions.active(player.bot) or player.version
            runtime = read_record(await store.versions.get(player.bot, version)).manifest.runtime
            payload = msgspec.msgpack.encode(msgspec.structs.replace(player, version=version, runtime=runtime))
            entrant = msgspec.structs.replace(entrant, payload=payload)
        entries.append(entrant)
    return entries


async def resolve(store: Store, source: Source) -> Source:
    """The bot with the version that enters: of a submitted bot the version with this digest, or the active one.

    Raises EntryError for a version that has not qualified or is retired, UnknownVersionError.
    """
    match source:
        case RegisteredBot(name) if is_name(name):
            active = await store.versions.active(name)
            return source if active is None else SubmittedBot(name, active)
        case SubmittedBot(name, prefix):
            if not is_name(name):
                raise EntryError(f"{name!r} is not a valid name: {NAME_RULE}")
            version = await store.versions.find(name, prefix)
            if version.status != "qualified":
                raise EntryError(f"{source} is not qualified: {version.status.replace('_', ' ')}")
            return SubmittedBot(name, version.version)
        case _:
            return source


async def registered(store: Store, spec: LeagueSpec, source: Source) -> Source:
    """The bot as `resolve` has it, if it may be meant: one that connects by itself is registered.

    One that was sent in has an active version where boards are mirrored. Raises UnknownBotError, EntryError.
    """
    playing = await resolve(store, source)
    if isinstance(playing, RegisteredBot) and not names_a_path(playing.name):
        await store.bots.get(playing.name)
        mirrored = any(division.board_sets == "mirror" for division in spec.divisions)
        if mirrored and any(version.status == "qualified" for version in await store.versions.list(playing.name)):
            activate = f"`arena bot activate {playing.name} VERSION`"
            raise EntryError(f"{playing.name} has no active version: {activate} has one play, NAME@VERSION names it")
    return playing


async def enter(
    store: Store,
    league: League,
    source: Source,
    name: str,
    *,
    variants: Sequence[str] = (),
    commitment: str = "",
    declared: Sequence[str] | None = None,
) -> tuple[EntryRecord, bool]:
    """Enter a bot into a league that is open or running; returns its entry, and False when it had entered already.

    Without `variants` it enters all divisions that have a round left and whose variant it plays: a submitted bot plays
    those of its manifest. `declared` are the variants that a connected bot named in its Hello (empty: all); the default
    is those that it named when it last connected. A bot that has never connected may enter all. `commitment` is to a
    nonce (`arena.league.nonces`). Raises EntryError,
    UnknownBotError, UnknownVersionError, and what `Leagues.enter` raises.
    """
    from arena.league.methods.registry import method_of  # it loads NumPy

    spec = msgspec.json.decode(league.config, type=LeagueSpec)
    if is_season(league.name):
        ladder = ladder_of(league.name)
        raise EntryError(f"{league.name} is a season of ladder {ladder}: `arena ladder enter {ladder} BOT` is for it")
    if not is_name(name):
        raise EntryError(f"{name!r} is not a valid name: {NAME_RULE}")
    if commitment:
        try:
            commitment = parse_commitment(commitment)
        except NonceError as error:
            raise EntryError(str(error)) from error
        if spec.beacon_round is not None:
            raise EntryError(f"the cards of league {league.name!r} follow from a beacon: it takes no nonces")
    source = await registered(store, spec, source)
    if declared is None or not isinstance(source, RegisteredBot):
        declared = await declared_variants(store, source)
    last_rounds = {division.variant: method_of(division).last_entry_round(division) for division in spec.divisions}
    remaining = tuple(
        division.variant
        for division in league.divisions
        if league.state == "open" or division.round < last_rounds[division.variant]
    )
    wanted = (
        tuple(variants) or tuple(variant for variant in remaining if not declared or variant in declared) or remaining
    )
    # In the league's order, so that the order of `variants` does not matter; the store refuses unknown variants.
    order = [variant for variant in spec.variants if variant in wanted] + [
        variant for variant in wanted if variant not in spec.variants
    ]
    check_source(spec, source, order)
    if not isinstance(source, HouseBot):
        called = name if isinstance(source, PathBot) else source.name
        check_plays(called, [variant for variant in order if variant in spec.variants], declared)
    if isinstance(source, RegisteredBot):
        check_once(await store.leagues.entrants(league.name), source, name)
    entrant = await new_entry(store, name, source, name, tuple(order), commitment)
    try:
        return entrant, await store.leagues.enter(
            league.name, entrant, last_rounds=last_rounds, bots_per_owner=spec.bots_per_owner
        )
    except DivisionOverError as error:
        division = spec.division(error.variant)
        if (last := last_rounds[error.variant]) < division.rounds:
            until = f"before round {last} is paired" if last > 1 else "before it starts"
            where = f"the {division.pairing_method} of {division.variant} in league {league.name!r}"
            raise EntryError(f"bots enter {where} {until}") from error
        raise


async def reveal(store: Store, league: str, bot: str, nonce: str) -> EntryRecord:
    """Keep the nonce to which a bot committed when it entered, by its name in the tables; returns its entry.

    Raises NonceError, and what `Leagues.reveal` raises.
    """
    nonce = parse_nonce(nonce)
    for entrant in await store.leagues.entrants(league):
        if entrant.bot == bot:
            if not entrant.commitment:
                raise NonceError(f"{bot} has committed to no nonce in league {league!r}")
            check_nonces(league, {bot: entrant.commitment}, {bot: nonce})
            await store.leagues.reveal(league, bot, nonce)
            return msgspec.structs.replace(entrant, nonce=nonce)
    await store.leagues.get(league)
    raise NotEnteredError(league, bot)


def check_source(spec: LeagueSpec, source: Source, variants: Sequence[str]) -> None:
    """Check that the bot may play in these divisions, by their boards and its name; EntryError."""
    if isinstance(source, SubmittedBot):
        if shared := [
            division.variant
            for division in spec.divisions
            if division.variant in variants and division.board_sets == "field"
        ]:
            raise EntryError(_FIELD.format(source.name, _where(spec, shared)))
        return
    if not isinstance(source, RegisteredBot):
        return
    if names_a_path(source.name):
        raise EntryError(f"{source.name!r} cannot enter a league: a name of this form is read as a path there")
    mirrored = [
        division.variant
        for division in spec.divisions
        if division.variant in variants and division.board_sets == "mirror"
    ]
    if mirrored:
        raise EntryError(_MIRROR.format(source.name, _where(spec, mirrored)))


def _where(spec: LeagueSpec, variants: Sequence[str]) -> str:
    if spec.ladder is not None:
        return f"ladder {spec.name}"
    return f"the division of {' and '.join(variants)}" if len(spec.divisions) > 1 else f"league {spec.name}"


def check_once(entrants: Iterable[EntryRecord], source: Source, name: str) -> None:
    """Check that a bot that connects by itself has no other entry than the one of this name; EntryError.

    It has one connection, so in a match of two of its entries it could not tell the seats apart.
    """
    if not isinstance(source, RegisteredBot):
        return
    for entrant in entrants:
        player = player_of(entrant)
        if entrant.bot != name and player.bot == source.name and not player.version:
            raise EntryError(f"bot {source.name} has entered as {entrant.bot!r}: a bot that connects has one entry")


def check_owner(spec: LeagueSpec, entrants: Iterable[EntryRecord], entrant: EntryRecord) -> None:
    """Check that the entry's owner has not as many bots there as the league takes of one owner; EntryError."""
    limit = spec.bots_per_owner
    if limit is not None and entrant.owner and sum(entered.owner == entrant.owner for entered in entrants) >= limit:
        raise EntryError(str(OwnersBotsError(spec.name, entrant.owner, limit)))


async def declared_variants(store: Store, source: Source) -> Sequence[str] | None:
    """The variants that a bot named when it last connected, or in its manifest; none means all."""
    match source:
        case RegisteredBot(name):
            return await store.bots.variants(name)
        case SubmittedBot():
            return (await record_of(store, source)).manifest.variants
        case PathBot():
            return source.variants
        case _:
            return None


async def record_of(store: Store, bot: SubmittedBot) -> VersionRecord:
    """What is kept of a version. Raises UnknownVersionError."""
    return read_record(await store.versions.get(bot.name, bot.version))


def check_plays(bot: str, variants: Sequence[str], declared: Sequence[str] | None) -> None:
    """Check that the variants are among those that the bot declared, if it declared any; NotPlayedError."""
    for variant in variants:
        if declared and variant not in declared:
            raise NotPlayedError(bot, variant, declared)


async def new_entry(
    store: Store, name: str, source: Source, salt: str, variants: tuple[str, ...], commitment: str = ""
) -> EntryRecord:
    """The entry of a bot as the store keeps it. Raises UnknownBotError, UnknownVersionError."""
    owner = version = runtime = ""
    match source:
        case RegisteredBot(bot):
            owner = await _owner(store, bot)
        case SubmittedBot(bot, version):
            owner = await _owner(store, bot)
            runtime = (await record_of(store, source)).manifest.runtime
        case PathBot(path):
            bot, runtime = str(path), source.runtime
        case HouseBot(house):
            bot = HOUSE + house
    player = msgspec.msgpack.encode(Player(bot, salt, version, runtime))
    return EntryRecord(name, "", player, owner, variants, commitment)


async def _owner(store: Store, bot: str) -> str:
    """The bot's owner. A bot without one is its own owner, since two entries of it share their memory."""
    return (await store.bots.get(bot)).owner or bot
