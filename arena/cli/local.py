"""Bots of matches on this machine, as a command line names them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError

if TYPE_CHECKING:
    from arena.launcher.sources import Source


def local_sources(bots: Sequence[str]) -> "list[Source]":
    """The bots, each of which the arena can start itself. Raises WrongUseError, BotSourceError."""
    from arena.launcher.sources import RegisteredBot, parse_source

    sources = [parse_source(bot) for bot in bots]
    for source in sources:
        if isinstance(source, RegisteredBot):
            raise WrongUseError(
                f"{source.name!r} is neither house:NAME nor a path; a match on this machine starts its bots itself"
            )
    return sources


def local_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its house name or file's stem, numbered where two are the same."""
    stems = [Path(bot.removeprefix("house:")).stem for bot in bots]
    return tuple(
        stem if stems.count(stem) == 1 else f"{stem}-{stems[: index + 1].count(stem)}"
        for index, stem in enumerate(stems)
    )
