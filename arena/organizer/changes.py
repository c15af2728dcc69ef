"""Changing a league that is open: its file is not binding before it starts, its commitment to the cards is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from arena.launcher.errors import BotSourceError
from arena.launcher.sources import parse_source
from arena.league.spec import LeagueSpec, canonical, digest
from arena.organizer.entries import check_once, check_owner, check_source, player_of
from arena.organizer.errors import EntryError, UnplayableError
from arena.organizer.steps import closes_us, spec_of
from arena.store import EntryRecord, League, Store
from arena.store.errors import LeagueChangedError, LeagueStateError


@dataclass(frozen=True)
class Change:
    """What became of the entrants when a league's file was replaced."""

    league: League
    dropped: tuple[str, ...]
    """Bots that had entered and cannot play in the league as it is now, with the reasons."""
    withdrawn: tuple[str, ...]
    """Bots of the file that had withdrawn, and stay out."""


async def change(store: Store, spec: LeagueSpec, entries: Sequence[EntryRecord]) -> Change:
    """Replace the file of an open league. Bots that entered by themselves stay, with their nonces, where they can.

    `entries` are those of the new file; bots of the old file that are not in the new one are out. Raises
    LeagueChangedError when the league has started, LeagueStateError when its entries are closed, UnplayableError for
    another secret, UnknownLeagueError.
    """
    while True:
        league = await store.leagues.get(spec.name)
        if league.state != "open":
            raise LeagueChangedError(spec.name, league.digest, digest(spec))
        if 0 < league.closed_us <= time.time_ns() // 1000:
            raise LeagueStateError(spec.name, "closed", "its file cannot change any more")
        before = spec_of(league)
        if spec.secret != before.secret:
            raise UnplayableError(("secret",), "the secret of an open league is committed to: it cannot change")
        entered = {entrant.bot: entrant for entrant in await store.leagues.entrants(spec.name)}
        in_file = {entry.name for entry in before.entries}
        withdrawn = tuple(entry.bot for entry in entries if entry.bot in in_file and entry.bot not in entered)
        entrants = [_with_nonce(entry, entered.get(entry.bot)) for entry in entries if entry.bot not in withdrawn]
        dropped = []
        for bot in sorted(entered.keys() - in_file - {entry.bot for entry in entries}):
            try:
                staying = _staying(spec, entered[bot])
                check_once(entrants, parse_source(player_of(staying).source), bot)
                check_owner(spec, entrants, staying)
                entrants.append(staying)
            except (BotSourceError, EntryError) as error:
                dropped.append(f"{bot}: {error}")
        divisions = {division.variant: division.rounds for division in spec.divisions}
        if await store.leagues.replace(
            league,
            canonical(spec),
            digest=digest(spec),
            divisions=divisions,
            entrants=entrants,
            closes_us=closes_us(spec),
        ):
            return Change(await store.leagues.get(spec.name), tuple(dropped), withdrawn)


def _with_nonce(entry: EntryRecord, entered: EntryRecord | None) -> EntryRecord:
    """The entry of a file, with the nonce that the same bot has given since."""
    if entered is None or entered.payload != entry.payload:
        return entry
    return msgspec.structs.replace(entry, nonce=entered.nonce, commitment=entered.commitment)


def _staying(spec: LeagueSpec, entered: EntryRecord) -> EntryRecord:
    """Return the entry of a bot that entered by itself, in the divisions that there still are.

    Raises BotSourceError, EntryError.
    """
    remaining = tuple(variant for variant in entered.variants if variant in spec.variants)
    if entered.variants and not remaining:
        raise EntryError(f"it entered {', '.join(entered.variants)}, which the league no longer has")
    check_source(spec, parse_source(player_of(entered).source), remaining or spec.variants)
    return msgspec.structs.replace(entered, variants=remaining)
