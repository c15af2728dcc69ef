"""The seats that a match gets for the bots it names."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from arena.launcher.sources import RegisteredBot
from arena.match.clock import clock
from arena.match.model import MatchSpec
from arena.node.node import NodeTokens, serving
from arena.rpc.identity import BotIdentity
from arena.sdk import Action, Bot, Decision
from arena.sdk.connection import BotClient, Endpoint
from arena.seats.failover import FailoverSeat
from arena.stream.hub import Hub

DEADLINE_S = 60.0
RECONNECT_MS = 1_500


class First(Bot):
    """Plays one match at once."""

    max_matches = 1

    def choose(self, decision: Decision) -> Action:
        return decision.legal[0]


@asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[None]:
    """A bot that is connected for as long as the body runs."""
    client = BotClient(First(), Endpoint(address, token), lambda _: None)
    running = asyncio.create_task(client.run())
    try:
        await asyncio.wait_for(client.connected.wait(), DEADLINE_S)
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_the_time_that_a_match_waited_for_a_busy_bot_is_no_absence_of_that_bot(tmp_path: Path) -> None:
    hub, tokens = Hub(), NodeTokens()
    token = tokens.own.issue(BotIdentity("busy"))
    spec = MatchSpec("m", "koikoi", bytes(32), ("busy", "other"), reconnect_ms=RECONNECT_MS)
    async with serving(hub, tokens, tmp_path / "logs") as (server, provider), AsyncExitStack() as match:
        async with connected(server.addresses[0], token):
            other_match = hub.seat("busy")
            seats = provider.seats("match", [("busy", RegisteredBot("busy"))], spec)
            waiting = asyncio.create_task(match.enter_async_context(seats))
            with clock.held():
                await clock.sleep_until(clock.now() + 1.2 * RECONNECT_MS / 1000)
        async with connected(server.addresses[0], token):
            other_match.release()
            [seat] = await asyncio.wait_for(waiting, DEADLINE_S)
            assert isinstance(seat, FailoverSeat)
