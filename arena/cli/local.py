"""Bots of matches on this machine, as a command line names them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError

if TYPE_CHECKING:
    from arena.launcher.sources import Source
    from arena.store import Store


def local_sources(bots: Sequence[str], variant: str) -> "list[Source]":
    """The bots, each of which the arena can start itself, and which play the variant by what their manifests say.

    Raises WrongUseError, BotSourceError, EntryError.
    """
    from arena.launcher.sources import PathBot, parse_source
    from arena.organizer.entries import check_plays

    sources = _startable([_or_folder(parse_source(bot), bot) for bot in bots])
    for bot, source in zip(bots, sources, strict=True):
        check_plays(bot, [variant], source.variants if isinstance(source, PathBot) else None)
    return sources


async def sources_with_versions(bots: Sequence[str], variant: str, store: "Store") -> "list[Source]":
    """The same, of bots that may be submitted to this store. Also raises UnknownVersionError."""
    from arena.launcher.sources import parse_source
    from arena.organizer.entries import check_plays, declared_variants, resolve

    found = [_or_folder(await resolve(store, parse_source(bot)), bot) for bot in bots]
    sources = _startable(found, submitted=True)
    for bot, source in zip(bots, sources, strict=True):
        check_plays(bot, [variant], await declared_variants(store, source))
    return sources


def may_be_submitted(bots: Sequence[str]) -> bool:
    """Whether one of them is named as submitted bots are."""
    from arena.launcher.sources import RegisteredBot, SubmittedBot, parse_source

    return any(isinstance(parse_source(bot), RegisteredBot | SubmittedBot) for bot in bots)


def _or_folder(source: "Source", text: str) -> "Source":
    """The bot; the one in the folder of this name where it is no submitted one. Raises BotSourceError."""
    from arena.launcher.sources import RegisteredBot, folder_bot

    folder = Path(text)
    return folder_bot(folder.resolve(), text) if isinstance(source, RegisteredBot) and folder.is_dir() else source


def _startable(sources: "list[Source]", *, submitted: bool = False) -> "list[Source]":
    from arena.launcher.sources import RegisteredBot, SubmittedBot

    for source in sources:
        if isinstance(source, RegisteredBot) or (isinstance(source, SubmittedBot) and not submitted):
            raise WrongUseError(
                f"{source.name!r} is neither house:NAME nor a path; a match on this machine starts its bots itself"
            )
    return sources


def local_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its own or its file's stem, numbered where two are the same."""
    from arena.launcher.sources import distinct, names_a_path

    stems = [Path(bot).stem if names_a_path(bot) else bot.removeprefix("house:").partition("@")[0] for bot in bots]
    return distinct(stems)
