"""Bots as every command names them, and what starts them on this machine."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from arena.cli.failures import WrongUseError
from arena.cli.targets import StoreOptions
from arena.cli.values import SHORT
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.launcher.sources import (
    HouseBot,
    PathBot,
    RegisteredBot,
    Source,
    SubmittedBot,
    distinct,
    folder_bot,
    names_a_folder,
    names_a_path,
    parse_source,
)
from arena.organizer.entries import check_plays, declared_variants, resolve
from arena.packs.packing import unpack
from arena.printable import printable
from arena.store import Store
from arena.store.errors import UnknownBotError
from arena.submissions.cache import PackCache, own_folder
from arena.submissions.starter import VersionStarter
from bots import HOUSE_PROGRAMS


class Startable(NamedTuple):
    """Bots, what starts those of them that were submitted, where there are any, and the cages for all."""

    sources: list[Source]
    starter: VersionStarter | None
    cages: SharedCages


@asynccontextmanager
async def startable(bots: Sequence[str], variant: str, target: StoreOptions) -> AsyncIterator[Startable]:
    """Find bots that this machine can start by itself, and that play the variant by what their manifests say.

    Each is named as everywhere: house:NAME, a path, a folder, or a submitted bot of the store, NAME or NAME@VERSION.
    Raises WrongUseError, BotSourceError, EntryError, UnknownVersionError.
    """
    if not (target.exists and any(isinstance(parse_source(bot), RegisteredBot | SubmittedBot) for bot in bots)):
        yield Startable([_without_store(bot, variant, target) for bot in bots], None, SharedCages())
        return
    async with target.open() as store:
        sources = []
        for bot in bots:
            sources.append(source := await _in_store(bot, store, target))
            check_plays(bot, [variant], await declared_variants(store, source))
        if not any(isinstance(source, SubmittedBot) for source in sources):
            yield Startable(sources, None, SharedCages())
            return
        with own_folder(target.data / "versions") as folder:
            cages = SharedCages(limits=CageLimits.with_fuel(store.fuel))
            try:
                yield Startable(sources, VersionStarter(store, PackCache(store, folder), cages.get()), cages)
            finally:
                cages.close()


def own_program(bot: str) -> HouseBot | PathBot | None:
    """Find a bot of the house, or one by path or folder; None for what only a store may have."""
    source = parse_source(bot)
    if isinstance(source, HouseBot | PathBot):
        return source
    return folder_bot(Path(bot).resolve(), bot) if names_a_folder(bot) and Path(bot).is_dir() else None


async def program(bot: str, target: StoreOptions, folder: Path) -> HouseBot | PathBot:
    """Find a bot as a program of this machine: a submitted version is unpacked into the folder.

    A folder of the bot's name goes before the active version, which is what was sent in of it before. Raises what
    `startable` raises; and SubmissionError, UnknownPackError, OSError.
    """
    program = own_program(bot)
    if program is not None:
        return program
    if not target.exists:
        raise _nowhere(bot, target)
    async with target.open() as store:
        stored = await _in_store(bot, store, target)
        if not isinstance(stored, SubmittedBot):
            raise _nowhere(bot, target)
        unpacked = folder / stored.version
        unpack(await store.packs.get(stored.version), unpacked)
        return folder_bot(unpacked, bot)


def _without_store(bot: str, variant: str, target: StoreOptions) -> Source:
    source = parse_source(bot)
    if isinstance(source, RegisteredBot | SubmittedBot):
        source = folder_bot(_folder(bot, target), bot)
    check_plays(bot, [variant], source.variants if isinstance(source, PathBot) else None)
    return source


async def _in_store(bot: str, store: Store, target: StoreOptions) -> Source:
    """The bot: of a name that no submitted one has, that in the folder of this name."""
    source = await resolve(store, parse_source(bot))
    if not isinstance(source, RegisteredBot):
        return source
    if names_a_folder(bot):
        return folder_bot(_folder(bot, target), bot)
    try:
        await store.bots.get(bot)
    except UnknownBotError as error:
        raise _nowhere(bot, target) from error
    if versions := await store.versions.list(bot):
        newest = f"{bot}@{versions[-1].version[:SHORT]}"
        activates = target.command(f"bot activate {bot} VERSION")
        raise WrongUseError(f"no version of {bot!r} is active: name one, such as {newest}, or {activates}")
    raise WrongUseError(
        f"{bot!r} connects by itself, and this command starts its bots; at its arena others play it with "
        f"`arena match challenge YOURS {bot} --server ADDRESS`"
    )


def _folder(bot: str, target: StoreOptions) -> Path:
    """The folder that a name without a path stands for. Raises WrongUseError."""
    if not Path(bot).is_dir():
        raise _nowhere(bot, target)
    return Path(bot).resolve()


def _nowhere(bot: str, target: StoreOptions) -> WrongUseError:
    if bot in HOUSE_PROGRAMS:
        return WrongUseError(f"there is no folder {bot!r}; the arena's own bot is house:{bot}")
    store = "no bot of this name in the store" if target.exists else target.missing
    return WrongUseError(
        f"there is no folder {bot!r}, and {store}; a bot is named as house:NAME, by a path such as ./bot.py or a "
        "folder, or if it was submitted as NAME or NAME@VERSION"
    )


def local_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its own or its file's stem, numbered where two are the same."""
    stems = [Path(bot).stem if names_a_path(bot) else bot.removeprefix("house:").partition("@")[0] for bot in bots]
    return distinct([*map(printable, stems)])
