"""`arena bot run`"""

import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completion
from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.targets import Server

if TYPE_CHECKING:
    from arena.runner.rules import Rules
    from arena.sdk.connection import Endpoint


def run_bot(
    bot: Annotated[
        str,
        typer.Argument(
            autocompletion=completion.own_bots,
            metavar="BOT",
            help="The bot's program: a path, a folder with its bot.toml, or house:NAME.",
        ),
    ],
    server: Server,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The bot.toml whose table [run] has the rules; by default the folder's."),
    ] = None,
    logs: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for a log of each match, and of the program.")
    ] = Path("bot-logs"),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would take, send and enter now, and play nothing.")
    ] = False,
) -> None:
    """Keep a bot at an arena by rules.

    Connects it, starts its program again when it ends, takes and sends challenges, and enters leagues. --token is the
    bot's. SIGTERM or Ctrl-C let the matches under way come to their end; a second one leaves at once.
    """
    from arena.cli.aio import run
    from arena.launcher.sources import HouseBot, PathBot, folder_bot, names_a_folder, parse_source

    source = folder_bot(Path(bot).resolve(), bot) if names_a_folder(bot) else parse_source(bot)
    if not isinstance(source, HouseBot | PathBot):
        raise WrongUseError(
            f"there is no folder {bot!r}; submitted bots play at their arena by themselves: name a program of this "
            "machine, for example ./my_bot.py"
        )
    folder = source.folder if isinstance(source, PathBot) else None
    if isinstance(source, PathBot) and source.runtime == "wasm":
        raise WrongUseError(f"{bot} is WebAssembly, which plays in a cage: send it in with `arena bot submit`")
    rules = _rules(config, folder)
    if dry_run:
        run(_show(rules, server))
        return
    try:
        logs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUseError(f"--logs {logs}: {error.strerror}") from error
    run(_keep(source.command(), folder, server.endpoint, rules, logs))


def _rules(config: Path | None, folder: Path | None) -> "Rules":
    from arena.packs.manifest import MANIFEST
    from arena.runner.rules import Rules, RulesError, read_rules

    file = config if config is not None else folder / MANIFEST if folder is not None else None
    if file is None:
        return Rules()
    try:
        return read_rules(file)
    except RulesError as error:
        raise WrongUseError(str(error)) from error
    except OSError as error:
        raise WrongUseError(f"{file}: {error.strerror}") from error


async def _show(rules: "Rules", server: Server) -> None:
    """Print the rules, and what they come to at the arena as it is now."""
    from arena.runner.calls import wanted_leagues
    from arena.runner.rules import described
    from hanafuda.arena.v1 import bot_pb2

    for what, line in described(rules).items():
        typer.echo(f"{what:7}{line}")
    async with server.connect() as client:
        bots = await client.list_all(client.bots.ListBots, bot_pb2.ListBotsRequest(), lambda page: page.bots)
        leagues = await wanted_leagues(client, rules, "")
    playing = {bot.name for bot in bots if bot.connected or any(version.active for version in bot.versions)}
    for opponent in () if rules.sends is None else rules.sends.opponents:
        can_play = opponent.startswith("house:") or opponent in playing
        but = "" if can_play else ", which cannot play now: it is not connected, and no version of it is active"
        typer.echo(f"would challenge {opponent}{but}")
    for league, variants in leagues.items():
        typer.echo(f"would enter league {league} ({', '.join(variants)})")
    typer.echo("nothing was sent, and no program was started")


def say(text: str) -> None:
    """Print a line with the time."""
    from arena.cli.output import harmless

    typer.echo(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {harmless(text)}")


async def _keep(command: list[str], folder: Path | None, endpoint: "Endpoint", rules: "Rules", logs: Path) -> None:
    import asyncio

    from arena.runner.keeper import Keeper, KeeperError

    keeper = Keeper(command, folder, endpoint, rules, logs, say)
    loop = asyncio.get_running_loop()
    stopping: list[asyncio.Task[None]] = []

    def stop() -> None:
        if stopping:
            keeper.kill()
            return
        say("finishing the matches under way; Ctrl-C or SIGTERM again leaves at once")
        stopping.append(loop.create_task(keeper.stop()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        await keeper.run()
    except KeeperError as error:
        raise CheckFailedError(str(error)) from error
