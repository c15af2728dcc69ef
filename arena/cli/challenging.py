"""A challenge by a program on this machine: it is connected for this match alone."""

import asyncio
import contextlib
from pathlib import Path

import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import harmless
from arena.cli.targets import Server
from arena.cli.watching import followed
from arena.launcher.sources import PathBot
from arena.runner.keeper import Keeper, KeeperError
from arena.runner.rules import Rules
from hanafuda.arena.v1 import match_pb2

_CONNECT_S = 30.0
"""How long the program has to start and to connect."""


async def challenged_with(
    bot: PathBot, request: match_pb2.CreateMatchRequest, server: Server, logs: Path
) -> match_pb2.Match:
    """Connect the program, have it challenge the other bots of the request, and return the match when it is over.

    Raises CheckFailedError where the program does not connect or ends, WrongUseError, RemoteError.
    """
    if bot.runtime == "wasm":
        raise WrongUseError(f"{bot.path} is WebAssembly, which plays in a cage: send it in with `arena bot submit`")
    keeper = Keeper(bot.command(), bot.folder, server.endpoint, Rules(at_once=1, takes=None), logs, _say)
    keeping = asyncio.create_task(keeper.run())
    playing = asyncio.create_task(_play(keeper, request, server, logs))
    try:
        await asyncio.wait((keeping, playing), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await keeping  # it ended first, so by an error
        return await playing
    except KeeperError as error:
        raise CheckFailedError(str(error)) from error
    finally:
        playing.cancel()
        await keeper.stop()
        with contextlib.suppress(KeeperError):
            await keeping


async def _play(keeper: Keeper, request: match_pb2.CreateMatchRequest, server: Server, logs: Path) -> match_pb2.Match:
    try:
        async with asyncio.timeout(_CONNECT_S):
            await keeper.relay.standing.connected.wait()
    except TimeoutError:
        raise CheckFailedError(
            f"the bot has not connected to {server.endpoint.address} within {_CONNECT_S:g} s: is the arena there, and "
            f"does the program connect? What the program wrote is in {logs}"
        ) from None
    request.bot = request.bots[0] = keeper.relay.standing.bot
    async with server.connect() as client:
        match = await keeper.challenge(client, request)
    return await followed(server.endpoint, match, lambda _: None)


def _say(text: str) -> None:
    typer.echo(harmless(text), err=True)
