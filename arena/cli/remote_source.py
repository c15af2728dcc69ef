"""An arena that is called over gRPC, as commands read it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from arena.challenges import Challenges
from arena.cli.failures import WrongUseError
from arena.cli.infos import EntryInfo, LeagueInfo, end_of, league_info, match_document, owner_document, version_document
from arena.launcher.sources import RegisteredBot, SubmittedBot, names_a_folder, parse_source
from arena.league.tables import LeagueTable
from arena.proof.signed import signed_table
from arena.remote.errors import ForeignAnswerError, RefusedError
from arena.remote.remote import Remote
from arena.replays import Summary
from arena.signatures import Signature
from hanafuda.arena.v1 import bot_pb2, league_pb2, match_pb2, owner_pb2, replay_pb2

_PAGE = 100


class RemoteSource:
    """What StoreSource is, over a connection to an arena. Each method raises RemoteError."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def leagues(self) -> list[LeagueInfo]:
        request = league_pb2.ListLeaguesRequest(page_size=_PAGE)
        listed = self._remote.pages(self._remote.leagues.ListLeagues, request, lambda page: page.leagues)
        return [league_info(league) async for league in listed]

    async def league(self, name: str) -> LeagueInfo:
        request = league_pb2.GetLeagueRequest(name=name)
        return league_info((await self._remote.call(self._remote.leagues.GetLeague, request)).league)

    async def table(self, name: str) -> LeagueTable:
        document = (await self._table(name)).document
        try:
            return msgspec.json.decode(document, type=LeagueTable)
        except msgspec.DecodeError as error:
            raise ForeignAnswerError(f"a table of another form ({error})") from error

    async def signed_table(self, name: str) -> bytes:
        table = await self._table(name)
        return signed_table(name, table.document, Signature(table.signature.key, table.signature.value))

    async def enter(self, league: str, bot: str, as_name: str | None, variants: Sequence[str], nonce: str) -> EntryInfo:
        """Enter a registered or submitted bot into a league, under its own name."""
        source = parse_source(bot)
        if not isinstance(source, RegisteredBot | SubmittedBot):
            raise WrongUseError(f"{bot!r} is on this machine: with --server a bot enters as NAME or NAME@VERSION")
        if as_name not in (None, source.name):
            raise WrongUseError("with --server a bot enters under its own name, so --as cannot give it another")
        request = league_pb2.EnterLeagueRequest(
            league=league,
            variants=variants,
            nonce=nonce,
            bot=source.name,
            version=source.version if isinstance(source, SubmittedBot) else "",
        )
        try:
            response = await self._remote.call(self._remote.leagues.EnterLeague, request)
        except RefusedError as error:
            if error.reason == "UNKNOWN_BOT" and names_a_folder(bot):
                raise WrongUseError(f"{error}; send in the bot of this folder first: arena bot submit {bot}") from error
            raise
        entered = response.entrant
        return EntryInfo(entered.name, tuple(entered.variants), not response.already_entered, response.late)

    async def withdraw(self, league: str, bot: str) -> Sequence[str]:
        """Take a bot out of a league, whatever its entries are called."""
        request = league_pb2.WithdrawFromLeagueRequest(league=league, bot=bot)
        response = await self._remote.call(self._remote.leagues.WithdrawFromLeague, request)
        return [entrant.name for entrant in response.entrants]

    async def replays(self, league: str | None, bot: str | None) -> AsyncIterator[tuple[str, Summary | None]]:
        """The ids of replays that can be read, and what they are of."""
        if league is not None:
            await self.league(league)  # an unknown one is refused
        request = replay_pb2.ListReplaysRequest(page_size=_PAGE, league=league or "", bot=bot or "")
        async for one in self._remote.pages(self._remote.replays.ListReplays, request, lambda page: page.replays):
            end = end_of(one.end)
            yield one.replay_id, Summary(one.variant, tuple(one.bots), tuple(one.results), end, one.offender)

    async def replay(self, replay_id: str) -> bytes:
        request = replay_pb2.GetReplayRequest(replay_id=replay_id)
        replay = (await self._remote.call(self._remote.replays.GetReplay, request)).replay
        return replay.SerializeToString(deterministic=True)

    async def bots(self) -> list[dict[str, str]]:
        request = bot_pb2.ListBotsRequest(page_size=_PAGE)
        listed = self._remote.pages(self._remote.bots.ListBots, request, lambda page: page.bots)
        return [{"name": bot.name, "owner": bot.owner} async for bot in listed]

    async def rotate(self, bot: str) -> str:
        request = bot_pb2.RotateBotTokenRequest(bot=bot)
        return (await self._remote.call(self._remote.bots.RotateBotToken, request)).token

    async def versions(self, bot: str) -> list[dict[str, Any]]:
        request = bot_pb2.ListVersionsRequest(bot=bot, page_size=_PAGE)
        listed = self._remote.pages(self._remote.bots.ListVersions, request, lambda page: page.versions)
        return [version_document(version) async for version in listed]

    async def activate(self, bot: str, version: str) -> str:
        request = bot_pb2.ActivateVersionRequest(bot=bot, version=version)
        return (await self._remote.call(self._remote.bots.ActivateVersion, request)).version.version

    async def retire(self, bot: str, version: str) -> str:
        request = bot_pb2.RetireVersionRequest(bot=bot, version=version)
        return (await self._remote.call(self._remote.bots.RetireVersion, request)).version.version

    async def take_challenges(self, bot: str, challenges: Challenges) -> None:
        request = bot_pb2.UpdateBotRequest(
            bot=bot, challenges=bot_pb2.Challenges.Value(f"CHALLENGES_{challenges.name}")
        )
        await self._remote.call(self._remote.bots.UpdateBot, request)

    async def owner(self, name: str) -> dict[str, Any]:
        if name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        return owner_document(
            (await self._remote.call(self._remote.owners.GetOwner, owner_pb2.GetOwnerRequest())).owner
        )

    async def rotate_owner(self, name: str) -> str:
        if name:
            raise WrongUseError("with --server, a new token is the token's owner's: give no name")
        request = owner_pb2.RotateOwnerTokenRequest()
        return (await self._remote.call(self._remote.owners.RotateOwnerToken, request)).token

    async def matches(self) -> AsyncIterator[dict[str, Any]]:
        request = match_pb2.ListMatchesRequest(page_size=_PAGE)
        async for match in self._remote.pages(self._remote.matches.ListMatches, request, lambda page: page.matches):
            yield match_document(match)

    async def match(self, match_id: str) -> dict[str, Any]:
        request = match_pb2.GetMatchRequest(match_id=match_id)
        return match_document((await self._remote.call(self._remote.matches.GetMatch, request)).match)

    async def delete_match(self, match_id: str) -> None:
        request = match_pb2.DeleteMatchRequest(match_id=match_id)
        await self._remote.call(self._remote.matches.DeleteMatch, request)

    async def _table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        return await self._remote.call(self._remote.leagues.GetLeagueTable, league_pb2.GetLeagueTableRequest(name=name))
