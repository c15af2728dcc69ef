"""What a bot that runs by itself asks of its arena: challenges to others, and places in leagues."""

import asyncio
from collections.abc import Callable, Mapping
from itertools import count

import msgspec

from arena.remote.client import Client, connected
from arena.remote.errors import RefusedError, RemoteError
from arena.runner.relay import Standing
from arena.runner.rules import Rules, Sends
from arena.sdk.connection import Endpoint
from hanafuda.arena.v1 import league_pb2, match_pb2

MAX_PAUSE_S = 300.0
_OPEN = (match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_RUNNING)


class Challenger:
    """Challenges the opponents of the rules, one after the other, for as long as the bot is connected."""

    def __init__(self, endpoint: Endpoint, rules: Rules, standing: Standing, say: Callable[[str], None]) -> None:
        self._endpoint = endpoint
        self._sends = rules.sends
        self._standing = standing
        self._say = say
        self._sending = asyncio.Lock()
        self._own_matches: set[str] = set()

    async def sent(self, match_id: str) -> bool:
        """Return whether this bot asked for the match itself; waits for a challenge that is being sent."""
        async with self._sending:
            return match_id in self._own_matches

    async def run(self) -> None:
        """Challenge for ever."""
        if self._sends is None:
            return
        pause = self._sends.every_s
        for number in count():
            await self._standing.connected.wait()
            opponent = self._sends.opponents[number % len(self._sends.opponents)]
            try:
                async with connected(self._endpoint) as client:
                    await self._challenge(client, self._sends, opponent)
                pause = self._sends.every_s
            except RemoteError as error:
                self._say(f"no challenge to {opponent}: {error}")
                pause = min(MAX_PAUSE_S, max(pause * 2, 1.0)) if not isinstance(error, RefusedError) else pause
            await asyncio.sleep(pause)

    async def _challenge(self, client: Client, sends: Sends, opponent: str) -> None:
        """Challenge, unless as many of its matches are under way as may be; those of an earlier run count too."""
        bot = self._standing.bot
        request = match_pb2.ListMatchesRequest()
        matches = await client.list_all(client.matches.ListMatches, request, lambda page: page.matches)
        under_way = [match for match in matches if match.status in _OPEN and match.bots and match.bots[0] == bot]
        if len(under_way) >= sends.at_once:
            return
        wanted = match_pb2.CreateMatchRequest(
            variant=sends.variant,
            options={name: msgspec.json.encode(value).decode() for name, value in sends.options.items()},
            bots=[bot, opponent],
            bot=bot,
        )
        if sends.decision_ms is not None or sends.bank_ms is not None:
            wanted.time_control.per_decision_ms = 2_000 if sends.decision_ms is None else sends.decision_ms
            wanted.time_control.bank_ms = 60_000 if sends.bank_ms is None else sends.bank_ms
        await self.challenge(client, wanted)

    async def challenge(self, client: Client, wanted: match_pb2.CreateMatchRequest) -> match_pb2.Match:
        """Challenge the bots of a request, so that the match is known as one's own. Raises RemoteError."""
        async with self._sending:
            match = (await client.call(client.matches.CreateMatch, wanted)).match
            self._own_matches.add(match.match_id)
        self._say(f"challenged {', '.join(wanted.bots[1:])}: match {match.match_id}")
        return match


class Entering:
    """Enters the leagues that the rules name."""

    def __init__(self, endpoint: Endpoint, rules: Rules, standing: Standing, say: Callable[[str], None]) -> None:
        self._endpoint = endpoint
        self._rules = rules
        self._standing = standing
        self._say = say
        self._refused: dict[str, str] = {}
        """Leagues that did not take the bot, and why: said once."""

    async def run(self) -> None:
        """Look for leagues for ever."""
        if not self._rules.enters:
            return
        pause = self._rules.look_s
        while True:
            await self._standing.connected.wait()
            try:
                async with connected(self._endpoint) as client:
                    for league, variants in (await wanted_leagues(client, self._rules, self._standing.bot)).items():
                        await self._enter(client, league, variants)
                pause = self._rules.look_s
            except RemoteError as error:
                self._say(f"no look for leagues: {error}")
                pause = min(MAX_PAUSE_S, pause * 2)
            await asyncio.sleep(pause)

    async def _enter(self, client: Client, league: str, variants: tuple[str, ...]) -> None:
        request = league_pb2.EnterLeagueRequest(league=league, variants=variants, bot=self._standing.bot)
        try:
            entered = await client.call(client.leagues.EnterLeague, request)
        except RefusedError as error:
            if self._refused.get(league) != str(error):
                self._refused[league] = str(error)
                self._say(f"league {league} does not take it: {error}")
            return
        if not entered.already_entered:
            self._say(f"entered league {league} ({', '.join(entered.entrant.variants)})")


async def wanted_leagues(client: Client, rules: Rules, bot: str) -> Mapping[str, tuple[str, ...]]:
    """Return the leagues that the rules would enter and the bot is not in, each with its divisions.

    Raises RemoteError.
    """
    request = league_pb2.ListLeaguesRequest()
    names: dict[str, tuple[str, ...]] = {}
    for league in await client.list_all(client.leagues.ListLeagues, request, lambda page: page.leagues):
        if any(entrant.name == bot for entrant in league.entrants):
            continue
        if variants := next(filter(None, (rule.variants_of(league) for rule in rules.enters)), ()):
            names[league.name] = variants
    return names
