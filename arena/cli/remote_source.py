"""An arena that is called over gRPC, as commands read it."""

from collections.abc import AsyncIterator, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from arena import wire
from arena.challenges import Challenges
from arena.cli.failures import WrongUseError
from arena.cli.infos import DivisionInfo, EntryInfo, LeagueInfo, second
from arena.launcher.sources import RegisteredBot, SubmittedBot, parse_source
from arena.league.tables import LeagueTable
from arena.match.model import End
from arena.organizer.versions import EnteredVersion
from arena.proof.signed import signed_table
from arena.remote.errors import ForeignAnswerError
from arena.remote.remote import Remote
from arena.replays import Summary
from arena.signatures import Signature
from hanafuda.arena.v1 import bot_pb2, league_pb2, match_pb2, owner_pb2, replay_pb2

_PAGE = 100
_STATUS = "LEAGUE_STATUS_"


class RemoteSource:
    """A `Source` over a connection to an arena."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def leagues(self) -> list[LeagueInfo]:
        """All leagues, by name."""
        request = league_pb2.ListLeaguesRequest(page_size=_PAGE)
        listed = await self._remote.pages(self._remote.leagues.ListLeagues, request, lambda page: page.leagues)
        return [_league_info(league) for league in listed]

    async def league(self, name: str) -> LeagueInfo:
        """A league, with the versions that play."""
        request = league_pb2.GetLeagueRequest(name=name)
        return _league_info((await self._remote.call(self._remote.leagues.GetLeague, request)).league)

    async def table(self, name: str) -> LeagueTable:
        """A league's tables."""
        document = (await self._table(name)).document
        try:
            return msgspec.json.decode(document, type=LeagueTable)
        except msgspec.DecodeError as error:
            raise ForeignAnswerError(f"a table of another form ({error})") from error

    async def signed_table(self, name: str) -> bytes:
        """The same as a document that the arena has signed."""
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
        response = await self._remote.call(self._remote.leagues.EnterLeague, request)
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
        while True:
            page = await self._remote.call(self._remote.replays.ListReplays, request)
            for one in page.replays:
                end = end_of(one.end)
                yield one.replay_id, Summary(one.variant, tuple(one.bots), tuple(one.results), end, one.offender)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def replay(self, replay_id: str) -> bytes:
        """A replay's bytes."""
        request = replay_pb2.GetReplayRequest(replay_id=replay_id)
        replay = (await self._remote.call(self._remote.replays.GetReplay, request)).replay
        return replay.SerializeToString(deterministic=True)

    async def bots(self) -> list[dict[str, str]]:
        """Name and owner of each bot."""
        request = bot_pb2.ListBotsRequest(page_size=_PAGE)
        listed = await self._remote.pages(self._remote.bots.ListBots, request, lambda page: page.bots)
        return [{"name": bot.name, "owner": bot.owner} for bot in listed]

    async def rotate(self, bot: str) -> str:
        """A new token for a bot."""
        request = bot_pb2.RotateBotTokenRequest(bot=bot)
        return (await self._remote.call(self._remote.bots.RotateBotToken, request)).token

    async def versions(self, bot: str) -> list[dict[str, Any]]:
        """The versions of a bot."""
        request = bot_pb2.ListVersionsRequest(bot=bot, page_size=_PAGE)
        return [
            {
                "version": version.version,
                "created_at": second(version.created_at.seconds),
                "status": status_text(version.status),
                "active": version.active,
                "reproducible": version.reproducible,
                "parent": version.parent or None,
                "about": version.about,
                "failure": version.failure.fault or (version.note if status_text(version.status) == "failed" else None),
            }
            for version in await self._remote.pages(self._remote.bots.ListVersions, request, lambda page: page.versions)
        ]

    async def activate(self, bot: str, version: str) -> str:
        """Activate a version."""
        request = bot_pb2.ActivateVersionRequest(bot=bot, version=version)
        return (await self._remote.call(self._remote.bots.ActivateVersion, request)).version.version

    async def retire(self, bot: str, version: str) -> str:
        """Retire a version."""
        request = bot_pb2.RetireVersionRequest(bot=bot, version=version)
        return (await self._remote.call(self._remote.bots.RetireVersion, request)).version.version

    async def take_challenges(self, bot: str, challenges: Challenges) -> None:
        """Set from whom a bot takes challenges."""
        request = bot_pb2.UpdateBotRequest(
            bot=bot, challenges=bot_pb2.Challenges.Value(f"CHALLENGES_{challenges.name}")
        )
        await self._remote.call(self._remote.bots.UpdateBot, request)

    async def owner(self, name: str) -> dict[str, Any]:
        """What the token's owner may have, and what it has."""
        if name:
            raise WrongUseError("name an owner of the store, or give --server and the owner's token")
        owner = (await self._remote.call(self._remote.owners.GetOwner, owner_pb2.GetOwnerRequest())).owner
        limits, usage = owner.limits, owner.usage
        return {
            "name": owner.name,
            "created_at": second(owner.created_at.seconds),
            "ended": False,
            "limits": {
                "bots": limits.bots,
                "versions": limits.versions,
                "packed_bytes": limits.packed_bytes,
                "submissions": limits.submissions_per_hour,
            },
            "usage": {
                "bots": usage.bots,
                "packed_bytes": usage.packed_bytes,
                "submissions": usage.submissions_last_hour,
            },
        }

    async def rotate_owner(self, name: str) -> str:
        """A new token for the token's owner."""
        if name:
            raise WrongUseError("with --server, a new token is the token's owner's: give no name")
        return (
            await self._remote.call(self._remote.owners.RotateOwnerToken, owner_pb2.RotateOwnerTokenRequest())
        ).token

    async def matches(self) -> AsyncIterator[dict[str, Any]]:
        """The single matches."""
        request = match_pb2.ListMatchesRequest(page_size=_PAGE)
        for match in await self._remote.pages(self._remote.matches.ListMatches, request, lambda page: page.matches):
            yield match_document(match)

    async def match(self, match_id: str) -> dict[str, Any]:
        """A single match."""
        request = match_pb2.GetMatchRequest(match_id=match_id)
        return match_document((await self._remote.call(self._remote.matches.GetMatch, request)).match)

    async def delete_match(self, match_id: str) -> None:
        """Delete a single match that the token's owner asked for."""
        request = match_pb2.DeleteMatchRequest(match_id=match_id)
        await self._remote.call(self._remote.matches.DeleteMatch, request)

    async def _table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        return await self._remote.call(self._remote.leagues.GetLeagueTable, league_pb2.GetLeagueTableRequest(name=name))


def end_of(reason: "match_pb2.MatchEndReason.ValueType") -> End:
    """How a match ended. Raises ForeignAnswerError."""
    if reason not in wire.END_FROM_WIRE:
        raise ForeignAnswerError(f"the end {reason} of a match")
    return wire.END_FROM_WIRE[reason]


def _league_info(league: league_pb2.League) -> LeagueInfo:
    return LeagueInfo(
        name=league.name,
        state=_state(league.status),
        test=league.test,
        commitment=league.commitment.hex(),
        secret=league.secret or None,
        entropy=league.entropy,
        divisions=tuple(map(_division_info, league.divisions)),
        versions=MappingProxyType(
            {one.name: EnteredVersion(one.version, one.reproducible) for one in league.entrants if one.version}
        ),
    )


def _division_info(division: league_pb2.LeagueDivision) -> DivisionInfo:
    return DivisionInfo(
        variant=division.variant,
        state=_state(division.status),
        mirrored=division.board_sets == league_pb2.BOARD_SETS_MIRROR,
        bracket=division.bracket,
        rounds=division.rounds,
        round=division.round,
        matches=division.round_matches,
        outstanding=division.round_matches_left,
        played=division.matches_played,
        waits_for=tuple(division.waits_for),
        given_up=division.matches_parked,
    )


def _state(status: "league_pb2.LeagueStatus.ValueType") -> str:
    return league_pb2.LeagueStatus.Name(status).removeprefix(_STATUS).lower()


def status_text(status: "bot_pb2.VersionStatus.ValueType") -> str:
    """The status of a version as people read it."""
    return bot_pb2.VersionStatus.Name(status).removeprefix("VERSION_STATUS_").lower().replace("_", " ")


def match_document(match: match_pb2.Match) -> dict[str, Any]:
    """What a document says of a single match."""
    over = match.HasField("end")
    return {
        "match": match.match_id,
        "variant": match.variant,
        "options": dict(match.options),
        "bots": list(match.bots),
        "status": match_pb2.MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower(),
        "seed_commitment": match.seed_commitment.hex(),
        "end": end_of(match.end.reason) if over else None,
        "offender": match.end.offender if over else -1,
        "results": list(match.end.results),
        "placing": list(match.end.placing),
        "replay": match.replay_id or None,
    }
