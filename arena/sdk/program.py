"""A bot as a program of its own."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from arena.sdk.bot import Bot
from arena.sdk.errors import BotFailedError, SdkError
from arena.sdk.stdio import STDIO, StdioClient

_GRPC = ("grpc", "google")
EXIT_FAILED = 1
EXIT_USAGE = 2


def run(bot: Bot, argv: Sequence[str] | None = None) -> None:
    """Play the bot at an arena until it is asked to stop, then leave with an exit status.

    The arena's address and the bot's token come from the arguments (`--address`, `--token`) or from ARENA_ADDRESS and
    ARENA_TOKEN. Each match's result is printed to standard error; `--quiet` or ARENA_QUIET=1 turns that off.
    SIGTERM and Ctrl-C let the matches under way come to their end; a second one leaves at once.
    Where HANAFUDA_ARENA_STDIO is 1, the arena is at the other end of standard input and output.
    Exit status: 0 drained, 1 the bot failed or the arena sent it away, 2 wrong use.
    """
    try:
        if os.environ.get(STDIO) == "1":
            StdioClient(bot, say).run()
            return
        # gRPC and asyncio take longer to import than a caged bot has to start.
        try:
            from arena.sdk.connected import run_connected
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] not in _GRPC:
                raise
            say(f"{error.name} is not installed, and connecting needs it: pip install 'hanafuda-arena-sdk[grpc]'")
            sys.exit(EXIT_FAILED)

        run_connected(bot, sys.argv[1:] if argv is None else argv, say)
    except BotFailedError:
        sys.exit(EXIT_FAILED)  # said when it happened
    except SdkError as error:
        say(str(error))
        sys.exit(EXIT_FAILED)


def say(text: str) -> None:
    """Print a line to standard error, at once. Where that fails, as on a full disk, a bot plays on."""
    with suppress(OSError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
