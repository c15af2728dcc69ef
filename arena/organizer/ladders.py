"""Ladders: one season after the other, each a league of its own that idle processors play.

A ladder's record says what its file asks for, who is out, and with whom and which ratings the season began. Nodes take
turns to look after it; everything that they do is idempotent, and only the first update of a record takes effect:

1. the season's league is made of the record, and starts as soon as it has bots for a table;
2. while it is played, bots that are new enter it, those that are out withdraw, and a bot with another version gets an
   entry that goes on from the one before (`arena.league.values.Entrant`);
3. once it is over the next season begins, with the ratings of its table.
"""

import asyncio
import logging
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from time import monotonic, thread_time

import msgspec
import numpy as np

from arena.launcher.sources import HouseBot, RegisteredBot, Source, SubmittedBot
from arena.league.columns import Columns
from arena.league.field import counted
from arena.league.ladder_ratings import LadderRatings, predecessor
from arena.league.ladder_terms import Ladder, Shared, Start
from arena.league.spec import LeagueSpec, canonical
from arena.organizer import steps
from arena.organizer.entries import (
    Player,
    check_plays,
    check_source,
    declared_variants,
    entrant_of,
    new_entry,
    player_of,
    registered,
)
from arena.organizer.errors import EntryError, FieldError, UnreadableLadderError
from arena.store import EntryRecord, LadderRecord, League, Store
from arena.store.errors import (
    DivisionOverError,
    EntryChangedError,
    LadderExistsError,
    LeagueChangedError,
    LeagueStateError,
    StoreError,
    UnknownLadderError,
    UnknownLeagueError,
    WithdrawnError,
)
from arena.store.paging import all_pages

Connected = Callable[[str], bool]
"""Whether a bot that connects by itself is connected, at whichever node."""

_MAX_NAME_LENGTH = 64
"""The most letters of a name."""

log = logging.getLogger(__name__)


class LadderState(msgspec.Struct, frozen=True):
    """A ladder, as the store keeps it."""

    config: bytes
    """Its file."""
    entries: tuple[EntryRecord, ...]
    """The bots of its file and those that were entered by name: what they played then."""
    pinned: tuple[str, ...] = ()
    """Those of them that play the version that they were entered with; others play their active one."""
    out: tuple[str, ...] = ()
    """The bots that have left."""
    number: int = 1
    """The number of the season, from 1."""
    line_up: tuple[EntryRecord, ...] = ()
    """The entries with which the season began."""
    start: dict[str, Start] = {}
    """The ratings with which it began, by the names of those entries."""
    shared: Shared = Shared()
    """What the seasons before told of the luck that games share."""
    closing: bool = False
    """Whether it is closed: the round under way is the last one."""

    @property
    def spec(self) -> LeagueSpec:
        """What its file says."""
        return msgspec.json.decode(self.config, type=LeagueSpec)

    @property
    def season(self) -> LeagueSpec:
        """The season's league."""
        return self.spec.season(self.number, self.start, self.shared)

    @property
    def variant(self) -> str:
        """The variant that is played."""
        return self.spec.division().variant


def state_of(ladder: LadderRecord) -> LadderState:
    """The state of a stored ladder. Raises UnreadableLadderError."""
    try:
        state = msgspec.msgpack.decode(ladder.record, type=LadderState)
        if state.spec.ladder is None:
            raise UnreadableLadderError(ladder.name, "its file has no [ladder]")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableLadderError(ladder.name, str(error)) from error
    return state


def encode(state: LadderState) -> bytes:
    """The record of a state."""
    return msgspec.msgpack.encode(state)


async def open_ladder(store: Store, spec: LeagueSpec, entries: Iterable[EntryRecord]) -> LadderState:
    """Make a ladder of a file, or have one go on by another file: with its bots at once, else from its next season on.

    One that was closed begins its next season. Raises LadderExistsError for a ladder of another variant, or of other
    seats or board sets.
    """
    new_entries = tuple(entries)
    while True:
        try:
            record = await store.ladders.get(spec.name)
        except UnknownLadderError:
            pinned = tuple(entry.name for entry in spec.entries if "@" in entry.bot)
            state = LadderState(canonical(spec), new_entries, pinned)
            state = msgspec.structs.replace(state, line_up=tuple((await line_up(store, state, _nobody)).values()))
            await store.ladders.create(spec.name, encode(state))
            return state
        state = _reopened(state_of(record), spec, new_entries)
        if await store.ladders.move(record, encode(state)):
            return state


def _reopened(before: LadderState, spec: LeagueSpec, new_entries: tuple[EntryRecord, ...]) -> LadderState:
    """Return a ladder that goes on by another file; bots that entered by name stay.

    Raises LadderExistsError, EntryError.
    """
    old, new = before.spec.division(), spec.division()
    if (old.variant, old.seats, old.board_sets) != (new.variant, new.seats, new.board_sets):
        raise LadderExistsError(spec.name)
    playing = {entry.bot: player_of(entry).bot for entry in before.entries}
    for entry in new_entries:
        if playing.get(entry.bot, player_of(entry).bot) != player_of(entry).bot:
            raise EntryError(f"{entry.bot} is another bot on ladder {spec.name}: its rating would be that one's")
    of_files = {entry.name for entry in (*before.spec.entries, *spec.entries)}
    asked = tuple(entry for entry in before.entries if entry.bot not in of_files)
    pinned = tuple(entry.name for entry in spec.entries if "@" in entry.bot)
    still_pinned = tuple(name for name in before.pinned if name not in of_files)
    return msgspec.structs.replace(
        before, config=canonical(spec), entries=(*new_entries, *asked), pinned=(*pinned, *still_pinned), closing=False
    )


def _nobody(_: str) -> bool:
    return False


async def line_up(store: Store, state: LadderState, connected: Connected) -> dict[str, EntryRecord]:
    """Return who is to play now, by the names on the ladder, each with the version that is to play.

    Bots that connect by themselves play while they are connected.
    """
    records: dict[str, EntryRecord] = {}
    for entry in state.entries:
        if entry.bot in state.out:
            continue
        player = player_of(entry)
        if player.connects and not connected(player.bot):
            continue
        if not player.version:
            records[entry.bot] = _named(entry, entry.bot)
        elif (version := await _version(store, player, pinned=entry.bot in state.pinned)) is not None:
            playing = SubmittedBot(player.bot, version)
            records[entry.bot] = _named(await new_entry(store, entry.bot, playing, player.salt, ()), entry.bot)
    terms = state.spec.ladder
    if terms is not None and terms.everybody:
        entered = {player_of(entry).bot for entry in state.entries}
        async for bot in all_pages(store.bots.list):
            if bot.name in state.out or bot.name in entered or bot.name in records:
                continue
            source = await _of_everybody(store, state, bot.name, connected)
            plays = None if source is None else await declared_variants(store, source)
            if source is not None and (not plays or state.variant in plays):
                records[bot.name] = _named(await new_entry(store, bot.name, source, bot.name, ()), bot.name)
    owners = {entry.owner for entry in records.values() if entry.owner}
    ended = set(await store.owners.ended(owners))
    return {name: entry for name, entry in records.items() if entry.owner not in ended}


async def _of_everybody(store: Store, state: LadderState, bot: str, connected: Connected) -> Source | None:
    """What plays of a bot that nobody has entered: submitted bots on mirrored boards, connected ones on others."""
    version = await store.versions.active(bot)
    if state.spec.division().board_sets == "mirror":
        return None if version is None else SubmittedBot(bot, version)
    return RegisteredBot(bot) if version is None and connected(bot) else None


async def _version(store: Store, player: Player, *, pinned: bool) -> str | None:
    """The version of a submitted bot that is to play now, if there is one."""
    if not pinned:
        return await store.versions.active(player.bot)
    return player.version if (await store.versions.get(player.bot, player.version)).status == "qualified" else None


def _named(entry: EntryRecord, line: str) -> EntryRecord:
    payload = msgspec.msgpack.encode(msgspec.structs.replace(player_of(entry), line=line))
    return msgspec.structs.replace(entry, payload=payload)


@dataclass(frozen=True)
class Place:
    """A bot on the ladder in a season: its last entry, from which round on, whether that is in, and all entries."""

    entry: EntryRecord
    first_round: int
    player: Player
    is_in: bool
    entries: tuple[str, ...]


async def places(store: Store, season: League, variant: str) -> dict[str, Place]:
    """The bots of a season, by their names on the ladder."""
    stays = await store.leagues.participations(season.name, variant)
    entries = {entry.bot: entry for entry in await store.leagues.entrants(season.name)}
    entrants = [entrant_of(entries[name], stay) for name, stay in stays.items() if name in entries]
    before = {predecessor(entrant) for entrant in entrants}
    places: dict[str, Place] = {}
    for entrant in entrants:
        player = player_of(entries[entrant.name])
        line = player.line or entrant.name
        if entrant.name not in before:
            mine = tuple(
                entrant.name for entrant in entrants if (player_of(entries[entrant.name]).line or entrant.name) == line
            )
            places[line] = Place(entries[entrant.name], entrant.first_round, player, entrant.last_round is None, mine)
    return places


class Pacing:
    """When a node looks after each ladder again: the longer that took, the later, so that it takes a small share."""

    SHARE = 0.01
    """The most of a processor's time."""
    MAX_PAUSE_S = 60.0

    def __init__(self) -> None:
        self._until: dict[str, tuple[float, bytes]] = {}

    def is_due(self, ladder: LadderRecord) -> bool:
        """Whether it is time to look after a ladder, as always where somebody has changed it."""
        until, record = self._until.get(ladder.name, (0.0, b""))
        return monotonic() >= until or record != ladder.record

    def begin(self, ladder: LadderRecord, took_s: float) -> float:
        """Rest after having looked after a ladder for so many seconds of a processor; return for how many seconds."""
        pause_s = min(took_s / self.SHARE, self.MAX_PAUSE_S)
        self._until[ladder.name] = monotonic() + pause_s, ladder.record
        return pause_s


async def carry_out(store: Store, owner: str, connected: Connected = _nobody, pacing: Pacing | None = None) -> None:
    """Look after all ladders, where no other node does just now. `connected` tells whether a bot is connected.

    With `pacing` those that are not due are left out. Errors that nobody foresaw are raised as a group, when all is
    done.
    """
    failed: dict[str, Exception] = {}
    for record in await store.ladders.list():
        if pacing is not None and not pacing.is_due(record):
            continue
        if not await store.ladders.try_claim(record.name, owner):
            continue
        began = thread_time()
        try:
            await look_after(store, record, connected)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this ladder's alone
            failed[record.name] = error
        if pacing is not None:
            await store.ladders.try_claim(record.name, owner, pacing.begin(record, thread_time() - began))
    if failed:
        raise ExceptionGroup(f"ladders that cannot go on: {', '.join(failed)}", [*failed.values()])


async def look_after(store: Store, record: LadderRecord, connected: Connected = _nobody) -> None:
    """Do what a ladder needs now."""
    state = state_of(record)
    season = state.season
    try:
        league = await store.leagues.get(season.name)
    except UnknownLeagueError:
        if state.closing:
            return
        with suppress(LeagueChangedError):  # of a season that another node has made of a later record
            await steps.create(store, season, state.line_up)
        league = await store.leagues.get(season.name)
    if league.state in ("finished", "cancelled"):
        if not state.closing:
            await _next_season(store, record, state, league, connected)
            await look_after(store, await store.ladders.get(record.name), connected)
        return
    await _sync(store, state, league, connected)
    if league.state == "open" and state.closing:
        await store.leagues.cancel(season.name, only_open=True)
        log.info("ladder %s: closed before season %d began", record.name, state.number)
    elif league.state == "open":
        with suppress(FieldError):  # it starts when it has bots enough
            await steps.start(store, season.name)
            log.info("ladder %s: season %d has begun", record.name, state.number)


async def _sync(store: Store, state: LadderState, league: League, connected: Connected) -> None:
    """Have the bots in a season that are to play, each with its version."""
    wanted = {} if state.closing else await line_up(store, state, connected)
    by_line = await places(store, league, state.variant)
    taken = {entry.bot for entry in await store.leagues.entrants(league.name)}
    lines = {*state.start, *by_line, *wanted}
    try:
        for line, entry in wanted.items():
            place = by_line.get(line)
            if place is not None and place.is_in and _same(place.player, player_of(entry)):
                continue
            if place is not None and place.first_round > league.division(state.variant).round:
                continue  # an entry a round: whoever comes and goes in between makes no more of them
            entered = _entered(entry, line, place, state.start.get(line), taken | (lines - {line}))
            taken.add(entered.bot)
            await store.leagues.enter(league.name, entered)
            if place is not None and place.is_in:
                await _withdraw(store, league.name, place)
        for line, place in by_line.items():
            if line not in wanted and place.is_in:
                await _withdraw(store, league.name, place)
    except (DivisionOverError, LeagueStateError):
        pass  # the season ended meanwhile: who is new enters the next one
    except EntryChangedError as error:  # another node has entered another version meanwhile
        log.info("%s", error)


def _same(player: Player, earlier: Player) -> bool:
    return (player.bot, player.salt, player.version) == (earlier.bot, earlier.salt, earlier.version)


def _entered(
    entry: EntryRecord, line: str, place: Place | None, start: Start | None, taken: Container[str]
) -> EntryRecord:
    """Return the entry under a free name, and what it goes on from: an entry of the season or an earlier rating."""
    player = player_of(entry)
    if place is not None:
        key = "resumes" if place.player.version == player.version else "follows"
        player = msgspec.structs.replace(player, **{key: place.entry.bot})
    elif start is not None and start.version != player.version:
        player = msgspec.structs.replace(player, follows=line)
    numbered = (f"{line[: _MAX_NAME_LENGTH - len(str(number)) - 1]}.{number}" for number in count(2))
    names = numbered if player.follows or player.resumes else chain((line,), numbered)
    name = next(name for name in names if name not in taken)
    return msgspec.structs.replace(entry, bot=name, payload=msgspec.msgpack.encode(player))


async def _withdraw(store: Store, league: str, place: Place) -> None:
    with suppress(WithdrawnError):
        await store.leagues.withdraw(league, place.entry.bot)


async def _next_season(
    store: Store, record: LadderRecord, state: LadderState, over: League, connected: Connected
) -> None:
    """Put the next season's record down, with the ratings that the one before ended with."""
    wanted = await line_up(store, state, connected)
    by_line = await places(store, over, state.variant)
    rated, played = await _rated(store, over, state.variant)
    boards = boards_of(state, by_line, played)
    versions = {line: place.player.version for line, place in by_line.items()}
    versions |= {line: player_of(entry).version for line, entry in wanted.items() if line in by_line}
    changed = {line for line, place in by_line.items() if versions[line] != place.player.version}
    carried = rated.carried({line: place.entry.bot for line, place in by_line.items()}, changed)
    start = {
        line: msgspec.structs.replace(player, boards=boards[line], version=versions[line])
        if line in by_line
        else msgspec.structs.replace(player, boards=state.start[line].boards, version=state.start[line].version)
        for line, player in carried.items()
    }
    # Who is out keeps its rating until it comes back.
    start = {line: earlier for line, earlier in state.start.items() if line not in start} | start
    following = msgspec.structs.replace(
        state, number=state.number + 1, line_up=tuple(wanted.values()), start=start, shared=rated.shared
    )
    if await store.ladders.move(record, encode(following)):
        log.info("ladder %s: season %d is over", record.name, state.number)


async def _rated(store: Store, over: League, variant: str) -> tuple[LadderRatings, dict[str, int]]:
    """How the bots of a season stand when it is over, and how many matches each entry has played."""
    spec = steps.spec_of(over)
    entrants, rounds = await steps.field_of(store, over.name, variant)

    def rated() -> tuple[LadderRatings, dict[str, int]]:
        columns = Columns([[outcome for played in counted(spec.division(), rounds) for outcome in played.outcomes]])
        matches = np.bincount(columns.bot, minlength=len(columns.names)).tolist()
        return LadderRatings(columns, entrants, spec.ladder or Ladder()), dict(zip(columns.names, matches, strict=True))

    return await asyncio.to_thread(rated)


def boards_of(state: LadderState, by_line: Mapping[str, Place], played: Mapping[str, int]) -> dict[str, int]:
    """Return how many boards each bot has played in all seasons, from its entries' matches in this one."""
    matches = state.spec.division().seats if state.spec.division().board_sets == "mirror" else 1
    return {
        line: (state.start[line].boards if line in state.start else 0)
        + sum(played.get(name, 0) for name in place.entries) // matches
        for line, place in by_line.items()
    }


async def enter(store: Store, ladder: str, source: Source, name: str, *, pinned: bool = False) -> bool:
    """Have a bot on the ladder under a name; False where it is there already.

    A submitted bot plays its active version, or with `pinned` the one that is named. Raises UnknownLadderError,
    UnreadableLadderError, EntryError, UnknownBotError, UnknownVersionError.
    """
    while True:
        record = await store.ladders.get(ladder)
        state = state_of(record)
        if state.closing:
            raise EntryError(f"ladder {ladder} is closed: `arena ladder open FILE` has it go on")
        variants = (state.variant,)
        playing = await registered(store, state.spec, source)
        check_source(state.spec, playing, variants)
        if not isinstance(playing, HouseBot):
            check_plays(name, variants, await declared_variants(store, playing))
        entry = await new_entry(store, name, playing, name, ())
        others = tuple(entry for entry in state.entries if entry.bot != name)
        changed = msgspec.structs.replace(
            state,
            entries=(*others, entry),
            pinned=(*(pinned_bot for pinned_bot in state.pinned if pinned_bot != name), *((name,) if pinned else ())),
            out=tuple(disabled for disabled in state.out if disabled != name),
        )
        present = next((entry for entry in state.entries if entry.bot == name), None)
        if present is not None and player_of(present).bot != player_of(entry).bot:
            raise EntryError(f"{name} is another bot on ladder {ladder}")
        if present == entry and changed.out == state.out and changed.pinned == state.pinned:
            return False
        if await store.ladders.move(record, encode(changed)):
            return True


async def leave(store: Store, ladder: str, name: str, *, of: str = "") -> bool:
    """Take a bot off the ladder by its name there; False where it has left before.

    With `of` the name has to be that of this bot. Raises UnknownLadderError, UnreadableLadderError, EntryError.
    """
    while True:
        record = await store.ladders.get(ladder)
        state = state_of(record)
        bots = {entry.bot: player_of(entry).bot for entry in (*state.line_up, *state.entries)}
        with suppress(UnknownLeagueError):
            season = await store.leagues.get(state.season.name)
            by_line = await places(store, season, state.variant)
            bots |= {line: place.player.bot for line, place in by_line.items()}
        if name not in bots:
            raise EntryError(f"there is no bot {name!r} on ladder {ladder}")
        if of and bots[name] != of:
            raise EntryError(f"{name} is another bot on ladder {ladder}")
        if name in state.out:
            return False
        if await store.ladders.move(record, encode(msgspec.structs.replace(state, out=(*state.out, name)))):
            return True


async def close(store: Store, name: str) -> bool:
    """End a ladder with the round that is under way; False where it was closed before. Raises UnknownLadderError."""
    while True:
        record = await store.ladders.get(name)
        state = state_of(record)
        if state.closing:
            return False
        if await store.ladders.move(record, encode(msgspec.structs.replace(state, closing=True))):
            return True
