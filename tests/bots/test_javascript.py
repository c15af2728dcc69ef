"""The starting point in JavaScript, as a program that connects by itself."""

import asyncio
import os
import signal
from pathlib import Path

from play_arena import Arena, soon

from arena.match.model import End
from arena.sdk import Bot, BotClient, Decision, Endpoint
from arena.sdk.decision import Action

STARTER = Path(__file__).parents[2] / "bots/starters/nodejs/bot.js"


async def test_a_bot_that_was_asked_to_stop_comes_back_after_a_lost_connection_to_finish_its_match(
    arena: Arena, nodejs: str
) -> None:
    env = {**os.environ, "ARENA_ADDRESS": arena.address, "ARENA_TOKEN": arena.token("js")}
    child = await asyncio.create_subprocess_exec(nodejs, STARTER, env=env)

    class Stops(Bot):
        async def choose(self, decision: Decision) -> Action:
            if decision.number == 2:
                child.send_signal(signal.SIGTERM)
                await arena.hub.wait_until(lambda: not arena.hub.places("js"))
                arena.hub.drop("js")
            return decision.legal[0]

    other = asyncio.create_task(BotClient(Stops(), Endpoint(arena.address, arena.token("other")), print).run())
    try:
        await arena.connected("js", "other")
        result = await soon(arena.match("js", "other", options={}))
        assert result.end is End.COMPLETED, result.text
        assert await soon(child.wait()) == 0
    finally:
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
        if child.returncode is None:
            child.kill()
            await child.wait()
