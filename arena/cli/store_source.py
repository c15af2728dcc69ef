"""The arena of a store, as commands read it."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from arena.challenges import Challenges
from arena.cli.failures import WrongUseError
from arena.cli.infos import EntryInfo, LeagueInfo, league_info, match_document, owner_document, version_document
from arena.launcher.sources import names_a_folder, parse_source
from arena.league.spec import NAME, NAME_RULE, default_name
from arena.league.tables import LeagueTable, json_document
from arena.organizer.entries import enter
from arena.organizer.steps import table_of
from arena.proof.signed import sign_table
from arena.replays import Summary, decode_summary
from arena.services.leagues import entrant_messages, league_message
from arena.services.matches import match_message
from arena.services.owners import owner_message
from arena.services.versions import version_message
from arena.signatures import SigningKey
from arena.store import Scope, Store
from arena.store.errors import UnknownBotError
from arena.store.paging import all_pages


class StoreSource:
    """What commands read of the arena of a store and do there. Each method raises StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def leagues(self) -> list[LeagueInfo]:
        """All leagues, by name."""
        listed = all_pages(self._store.leagues.list)
        return [league_info(await league_message(self._store, league)) async for league in listed]

    async def league(self, name: str) -> LeagueInfo:
        """A league, with the versions that play."""
        league = await self._store.leagues.get(name)
        message = await league_message(self._store, league)
        message.entrants.extend(await entrant_messages(self._store, await self._store.leagues.entrants(name)))
        faults = {}
        for one in league.divisions:
            for parked in (await self._store.stalled.parked(Scope.league(name, one.variant), limit=1)).items:
                faults[one.variant] = parked.error
        return league_info(message, faults)

    async def table(self, name: str) -> LeagueTable:
        """A league's tables after the complete rounds of each division."""
        return await table_of(self._store, await self._store.leagues.get(name))

    async def signed_table(self, name: str) -> bytes:
        """The same as a document that the arena has signed."""
        key = SigningKey(await self._store.signing_secret())
        return sign_table(name, json_document(await self.table(name)), key)

    async def enter(self, league: str, bot: str, as_name: str | None, variants: Sequence[str], nonce: str) -> EntryInfo:
        """Enter a bot into a league. Also raises WrongUseError, LauncherError, OrganizerError."""
        source = parse_source(bot)
        called = default_name(bot) if as_name is None else as_name
        if as_name is None and NAME.fullmatch(called) is None:
            raise WrongUseError(f"{called!r} is not a valid name: {NAME_RULE}; --as NAME gives it another")
        entered = await self._store.leagues.get(league)
        try:
            entrant, new = await enter(self._store, entered, source, called, variants=variants, nonce=nonce)
        except UnknownBotError as error:
            if names_a_folder(bot):
                raise WrongUseError(f"{error}; to enter the bot in the folder of this name, say ./{bot}") from error
            raise
        return EntryInfo(called, entrant.variants, new, late=entered.state != "open")

    async def withdraw(self, league: str, bot: str) -> Sequence[str]:
        """Take a bot out of a league; returns the names of the entries that were withdrawn."""
        await self._store.leagues.withdraw(league, bot)
        return (bot,)

    async def replays(self, league: str | None, bot: str | None) -> AsyncIterator[tuple[str, Summary | None]]:
        """The ids of replays and what they are of; None of one that cannot be read yet."""
        if league is not None:
            await self._store.leagues.get(league)
        async for info in all_pages(partial(self._store.replays.list, league=league, bot=bot)):
            yield info.id, decode_summary(info.about) if info.readable else None

    async def replay(self, replay_id: str) -> bytes:
        """A replay's bytes."""
        return await self._store.replays.get(replay_id)

    async def bots(self) -> list[dict[str, str]]:
        """Name and owner of each bot."""
        listed = all_pages(self._store.bots.list)
        return [{"name": bot.name, "owner": bot.owner} async for bot in listed]

    async def rotate(self, bot: str) -> str:
        """A new token for a bot."""
        return await self._store.bots.rotate(bot)

    async def versions(self, bot: str) -> list[dict[str, Any]]:
        """The versions of a bot as a document says them, the oldest first."""
        await self._store.bots.get(bot)
        versions = await self._store.versions.list(bot)
        return [version_document(version_message(version, own=True)) for version in versions]

    async def activate(self, bot: str, version: str) -> str:
        """Activate the version whose digest begins so; return all of the digest."""
        found = await self._store.versions.find(bot, version)
        await self._store.versions.activate(bot, found.version)
        return found.version

    async def retire(self, bot: str, version: str) -> str:
        """Retire the version whose digest begins so; return all of the digest."""
        found = await self._store.versions.find(bot, version)
        await self._store.versions.retire(bot, found.version)
        return found.version

    async def owner(self, name: str) -> dict[str, Any]:
        """What an owner may have and what it has, as a document says it. An arena speaks of the token's owner alone."""
        if not name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        owner = await self._store.owners.get(name)
        message = owner_message(owner, await self._store.owners.usage(name))
        return owner_document(message, ended=bool(owner.ended_us))

    async def rotate_owner(self, name: str) -> str:
        """A new token for an owner. An arena gives one to the token's owner alone."""
        if not name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        return await self._store.owners.rotate(name)

    async def take_challenges(self, bot: str, challenges: Challenges) -> None:
        """Set from whom a bot takes challenges."""
        await self._store.bots.take_challenges(bot, challenges)

    async def matches(self) -> AsyncIterator[dict[str, Any]]:
        """The single matches as a document says them, the oldest first."""
        async for match in all_pages(self._store.matches.list):
            yield match_document(await match_message(self._store, match))

    async def match(self, match_id: str) -> dict[str, Any]:
        """A single match as a document says it."""
        return match_document(await match_message(self._store, await self._store.matches.get(match_id)))

    async def delete_match(self, match_id: str) -> None:
        """Delete a single match that is over, with its replay."""
        await self._store.matches.delete(match_id)
