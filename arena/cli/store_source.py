"""The arena of a store, as commands read it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from arena.challenges import Challenges
from arena.cli.failures import WrongUseError
from arena.cli.infos import DivisionInfo, EntryInfo, LeagueInfo, second
from arena.launcher.sources import parse_source
from arena.league.spec import NAME, NAME_RULE, default_name
from arena.league.tables import LeagueTable, table_document
from arena.match.model import MatchResult, MatchSpec
from arena.organizer.entries import enter
from arena.organizer.steps import spec_of, table_of
from arena.organizer.versions import EnteredVersion, entered_versions
from arena.proof.signed import sign_table
from arena.replays import Summary, decode_summary
from arena.signatures import SigningKey
from arena.store import BotVersion, DivisionState, League, Match, Owner, Page, ParkedJob, Scope, Store
from arena.submissions.record import read_record
from arena.submissions.submit import read_report
from arena.wire import options_to_wire

T = TypeVar("T")


class StoreSource:
    """A `Source` over a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def leagues(self) -> list[LeagueInfo]:
        """All leagues, by name."""
        return [league_info(league) async for league in all_pages(lambda after: self._store.leagues.list(after=after))]

    async def league(self, name: str) -> LeagueInfo:
        """A league, with the versions that play."""
        league = await self._store.leagues.get(name)
        versions = await entered_versions(self._store, await self._store.leagues.entrants(name))
        jobs = self._store.jobs()
        parked = {one.variant: await jobs.parked(Scope.league(name, one.variant)) for one in league.divisions}
        waits_for = {one.variant: await jobs.waits_for(Scope.league(name, one.variant)) for one in league.divisions}
        return league_info(league, versions, {variant: page.items for variant, page in parked.items()}, waits_for)

    async def table(self, name: str) -> LeagueTable:
        """A league's tables."""
        return await table_of(self._store, await self._store.leagues.get(name))

    async def signed_table(self, name: str) -> bytes:
        """The same as a document that the arena has signed."""
        key = SigningKey(await self._store.signing_secret())
        return sign_table(name, table_document(await self.table(name)), key)

    async def enter(self, league: str, bot: str, as_name: str | None, variants: Sequence[str], nonce: str) -> EntryInfo:
        """Enter a bot into a league."""
        source = parse_source(bot)
        called = default_name(bot) if as_name is None else as_name
        if as_name is None and NAME.fullmatch(called) is None:
            raise WrongUseError(f"{called!r} is not a valid name: {NAME_RULE}; --as NAME gives it another")
        entered = await self._store.leagues.get(league)
        entrant, new = await enter(self._store, entered, source, called, variants=variants, nonce=nonce)
        return EntryInfo(called, entrant.variants, new, late=entered.state != "open")

    async def withdraw(self, league: str, bot: str) -> Sequence[str]:
        """Take a bot out of a league, by its name in the tables."""
        await self._store.leagues.withdraw(league, bot)
        return (bot,)

    async def replays(self, league: str | None, bot: str | None) -> AsyncIterator[tuple[str, Summary | None]]:
        """The ids of replays and what they are of; None of one that cannot be read yet."""
        if league is not None:
            await self._store.leagues.get(league)
        async for info in all_pages(lambda after: self._store.replays.list(league=league, bot=bot, after=after)):
            yield info.id, decode_summary(info.about) if info.readable else None

    async def replay(self, replay_id: str) -> bytes:
        """A replay's bytes."""
        return await self._store.replays.get(replay_id)

    async def bots(self) -> list[dict[str, str]]:
        """Name and owner of each bot."""
        listed = all_pages(lambda after: self._store.bots.list(after=after))
        return [{"name": bot.name, "owner": bot.owner} async for bot in listed]

    async def rotate(self, bot: str) -> str:
        """A new token for a bot."""
        return await self._store.bots.rotate(bot)

    async def versions(self, bot: str) -> list[dict[str, Any]]:
        """The versions of a bot."""
        await self._store.bots.get(bot)
        return [_version(version) for version in await self._store.versions.list(bot)]

    async def activate(self, bot: str, version: str) -> str:
        """Activate a version."""
        found = await self._store.versions.find(bot, version)
        await self._store.versions.activate(bot, found.version)
        return found.version

    async def retire(self, bot: str, version: str) -> str:
        """Retire a version."""
        found = await self._store.versions.find(bot, version)
        await self._store.versions.retire(bot, found.version)
        return found.version

    async def owner(self, name: str) -> dict[str, Any]:
        """What an owner may have, and what it has."""
        if not name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        owner = await self._store.owners.get(name)
        return owner_document(owner) | {"usage": msgspec.to_builtins(await self._store.owners.usage(name))}

    async def rotate_owner(self, name: str) -> str:
        """A new token for an owner."""
        if not name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        return await self._store.owners.rotate(name)

    async def take_challenges(self, bot: str, challenges: Challenges) -> None:
        """Set from whom a bot takes challenges."""
        await self._store.bots.take_challenges(bot, challenges)

    async def matches(self) -> AsyncIterator[dict[str, Any]]:
        """The single matches."""
        async for match in all_pages(lambda after: self._store.matches.list(after=after)):
            yield await self._match(match)

    async def match(self, match_id: str) -> dict[str, Any]:
        """A single match."""
        return await self._match(await self._store.matches.get(match_id))

    async def delete_match(self, match_id: str) -> None:
        """Delete a single match."""
        await self._store.matches.delete(match_id)

    async def _match(self, match: Match) -> dict[str, Any]:
        spec = msgspec.msgpack.decode(match.about, type=MatchSpec)
        result = None if match.result is None else msgspec.json.decode(match.result, type=MatchResult)
        parked = result is None and (await self._store.jobs().parked(Scope.match(match.id), limit=1)).items
        return {
            "match": match.id,
            "variant": spec.variant,
            "options": dict(options_to_wire(spec.variant, spec.options)),
            "bots": list(spec.names),
            "status": "over" if result else "parked" if parked else "running",
            "seed_commitment": match.commitment,
            "end": result.end if result else None,
            "offender": result.offender if result else -1,
            "results": list(result.results) if result else [],
            "placing": list(result.placing) if result else [],
            "replay": match.id if result else None,
        }


def owner_document(owner: Owner) -> dict[str, Any]:
    """What a document says of an owner, but for what it has."""
    return {
        "name": owner.name,
        "created_at": second(owner.created_us // 1_000_000),
        "ended": bool(owner.ended_us),
        "limits": msgspec.to_builtins(owner.limits),
    }


def _version(version: BotVersion) -> dict[str, Any]:
    report = read_report(version)
    failed = report is not None and not report.qualified
    return {
        "version": version.version,
        "created_at": second(version.created_us // 1_000_000),
        "status": version.status.replace("_", " "),
        "active": version.active,
        "reproducible": report is not None and bool(report.reproducible),
        "parent": version.parent or None,
        "about": read_record(version).manifest.about,
        "failure": (report.steps[-1].fault if report is not None and failed else version.error) or None,
    }


def league_info(
    league: League,
    versions: Mapping[str, EnteredVersion] = MappingProxyType({}),
    given_up: Mapping[str, Sequence[ParkedJob]] = MappingProxyType({}),
    waits_for: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> LeagueInfo:
    """A league of the store, with the versions that play.

    By variant: the jobs that were given up, and the runtimes that its round waits for.
    """
    spec = spec_of(league)

    def division_info(state: DivisionState) -> DivisionInfo:
        division, jobs = spec.division(state.variant), given_up.get(state.variant, ())
        return DivisionInfo(
            variant=state.variant,
            state=state.state,
            mirrored=division.board_sets == "mirror",
            bracket=division.bracket or 0,
            rounds=state.rounds,
            round=state.round,
            matches=state.matches,
            outstanding=state.outstanding,
            played=state.played,
            waits_for=waits_for.get(state.variant, ()),
            given_up=len(jobs),
            fault=jobs[0].error if jobs else "",
        )

    return LeagueInfo(
        name=league.name,
        state=league.state,
        test=league.test,
        commitment=league.commitment,
        secret=league.secret,
        entropy=league.entropy,
        divisions=tuple(map(division_info, league.divisions)),
        versions=versions,
    )


async def all_pages(page_after: Callable[[str], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    """The items of all pages of a listing."""
    after = ""
    while True:
        page = await page_after(after)
        for item in page.items:
            yield item
        if not page.next:
            return
        after = page.next
