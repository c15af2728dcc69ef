"""Makes a bot of a Python program in this process, with values for its parameters."""

import json
import os
import runpy
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena import sdk
from arena.sdk import Bot, parameters
from arena.tuning.errors import TuningError


class _RunError(Exception):
    """The program has called `run`, with this bot."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot


def _captured(bot: Bot, argv: Sequence[str] | None = None) -> None:
    """Stand in for `arena.sdk.run`, whose arguments mean nothing here."""
    del argv
    raise _RunError(bot)


def load_bot(program: Path, values: Mapping[str, float]) -> tuple[Bot, dict[str, float]]:
    """Run a program up to its `run(bot)`; the bot, and the parameters that it asks for with their own defaults.

    The program runs in this process, with its rights. TuningError where it ends or fails before it has a bot.
    """
    with _environment(program, values):
        parameters.asked.clear()
        try:
            runpy.run_path(str(program), run_name="__main__")
        except _RunError as run:
            return run.bot, dict(parameters.asked)
        except Exception as error:
            raise TuningError(f"{program} fails as it starts: {type(error).__name__}: {error}") from error
        except SystemExit as error:
            raise TuningError(f"{program} ends with status {error.code} before it runs a bot") from error
    raise TuningError(f"{program} ends without run(MyBot()): only Python bots of the SDK can be tuned")


@contextmanager
def _environment(program: Path, values: Mapping[str, float]) -> Iterator[None]:
    """Offer a program its folder to import from, its parameters, and a `run` that gives its bot."""
    before = set(sys.modules)
    run, variable = sdk.run, os.environ.get(parameters.VARIABLE)
    sys.path.insert(0, str(program.parent))
    os.environ[parameters.VARIABLE] = json.dumps(dict(values))
    sdk.run = _captured
    parameters.declared.cache_clear()
    try:
        yield
    finally:
        sdk.run = run
        sys.path.remove(str(program.parent))
        os.environ.pop(parameters.VARIABLE)
        if variable is not None:
            os.environ[parameters.VARIABLE] = variable
        # The bot's own modules are loaded anew with other values.
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).parent == program.parent:
                del sys.modules[name]
