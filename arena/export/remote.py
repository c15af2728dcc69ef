"""Matches of an arena that is called."""

from collections.abc import AsyncIterator

from arena.export.filters import MatchFilter
from arena.export.played import PlayedMatch
from arena.export.sources import Names, decoded
from arena.remote.client import Client
from hanafuda.arena.v1.bot_pb2 import ListBotsRequest
from hanafuda.arena.v1.league_pb2 import ListLeaguesRequest
from hanafuda.arena.v1.replay_pb2 import DownloadReplaysRequest, ListReplaysRequest


class RemoteSource:
    """The replays of an arena's leagues and single matches. Its methods raise RemoteError."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.closed = 0

    async def count(self, wanted: MatchFilter) -> int | None:
        """It is not known before."""
        return None

    async def matches(self, wanted: MatchFilter) -> AsyncIterator[PlayedMatch]:
        """Download them. Raises ReplayError too."""
        self.closed = 0
        bot = wanted.bots[0] if wanted.bots else ""
        request = DownloadReplaysRequest(league=wanted.league or "", bot=bot)
        async for message in self._client.stream(self._client.replays.DownloadReplays, request):
            self.closed += message.closed
            for replay in message.replays:
                record = decoded(replay.replay.SerializeToString(deterministic=True), replay.replay_id)
                time = replay.created_at.seconds + replay.created_at.nanos / 1e9
                yield PlayedMatch(record, replay.league, replay.round, replay.board, time, tuple(replay.owners))

    async def names(self) -> Names:
        """Go through its lists."""
        client, bots = self._client, set[str]()
        async for replay in client.pages(client.replays.ListReplays, ListReplaysRequest(), lambda page: page.replays):
            bots.update(replay.bots)
        leagues = await client.list_all(client.leagues.ListLeagues, ListLeaguesRequest(), lambda page: page.leagues)
        listed = await client.list_all(client.bots.ListBots, ListBotsRequest(), lambda page: page.bots)
        owners = {bot.owner for bot in listed if bot.owner}
        return Names(frozenset(league.name for league in leagues), frozenset(bots), frozenset(owners))
