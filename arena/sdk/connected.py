"""A bot as a program that connects to an arena by itself."""

import argparse
import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.sdk.bot import Bot
from arena.sdk.connection import BotClient, Endpoint
from arena.sdk.reach import NO_ADDRESS, certificates_fault, place_of

_EXIT_AT_ONCE = 1


def run_connected(bot: Bot, argv: Sequence[str], say: Callable[[str], None]) -> None:
    """Play as the arguments and the environment say. Raises SdkError."""
    client = _client(bot, argv, say)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_play(client, say))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """uvloop where it is installed; the SDK does not need it."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def _play(client: BotClient, say: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    stopping: list[asyncio.Task[None]] = []

    def stop() -> None:
        if stopping:
            os._exit(_EXIT_AT_ONCE)
        say("finishing the matches under way; press Ctrl-C again to leave at once")
        stopping.append(loop.create_task(client.drain()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    await client.run()


def _seconds(text: str) -> float:
    """Zero or more seconds; ValueError for anything else, which argparse reports in its own words."""
    seconds = float(text)
    if not seconds >= 0:
        raise ValueError(text)
    return seconds


def _client(bot: Bot, argv: Sequence[str], say: Callable[[str], None]) -> BotClient:
    parser = argparse.ArgumentParser(description="A bot of the hanafuda arena.")
    env = os.environ.get
    parser.add_argument(
        "--address",
        default=env("ARENA_ADDRESS"),
        help="unix:PATH or HOST:PORT; several: a,b (or ARENA_ADDRESS)",
    )
    parser.add_argument("--token", default=env("ARENA_TOKEN"), help="the bot's token (or ARENA_TOKEN)")
    parser.add_argument(
        "--tls", action="store_true", default=env("ARENA_TLS") == "1", help="the node speaks TLS (or ARENA_TLS=1)"
    )
    parser.add_argument(
        "--tls-ca", type=Path, default=env("ARENA_TLS_CA") or None, help="certificates to trust (or ARENA_TLS_CA)"
    )
    parser.add_argument(
        "--give-up-after", type=_seconds, metavar="SECONDS", help="leave when the arena is away for so long"
    )
    parser.add_argument(
        "--quiet",
        action="store_true",
        default=env("ARENA_QUIET") == "1",
        help="do not print the result of each match (or ARENA_QUIET=1)",
    )
    arguments = parser.parse_args(argv)
    for name in ("address", "token"):
        if not getattr(arguments, name):
            parser.error(f"--{name} or ARENA_{name.upper()} is needed")
    endpoint = Endpoint(arguments.address, arguments.token.strip(), arguments.tls, arguments.tls_ca)
    if not endpoint.addresses:
        parser.error(f"--address or ARENA_ADDRESS names no node: {arguments.address!r}")
    for address in endpoint.addresses:
        if place_of(address) is None:
            parser.error(f"--address or ARENA_ADDRESS, {address!r}: {NO_ADDRESS}")
    if not (endpoint.token.isascii() and endpoint.token.isprintable()):
        parser.error("--token or ARENA_TOKEN holds characters that no token has")
    if endpoint.ca is not None and (fault := certificates_fault(endpoint.ca)):
        parser.error(f"--tls-ca or ARENA_TLS_CA: {fault}")
    return BotClient(bot, endpoint, say, give_up_after=arguments.give_up_after, quiet=arguments.quiet)
