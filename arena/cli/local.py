"""Matches on this machine, and their bots as a command line names them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from pathlib import Path
from shlex import quote

import msgspec
import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import print_answer
from arena.cli.places import StoreOptions
from arena.cli.values import MatchOptions, confinement_of
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.launcher.sources import (
    PathBot,
    RegisteredBot,
    Source,
    SubmittedBot,
    distinct,
    folder_bot,
    house_bots,
    names_a_path,
    parse_source,
)
from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.match.play import play as referee
from arena.match.question import Question
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.organizer.entries import check_plays, declared_variants, resolve
from arena.printable import printable
from arena.private_files import private_folder
from arena.replays import encode, from_match
from arena.seats import watched
from arena.seats.watched import WatchedSeat
from arena.store import Store
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache, own_folder
from arena.submissions.starter import VersionStarter


async def play(spec: MatchSpec, bots: list[str], how: MatchOptions, as_json: bool) -> None:
    """Play the match, keep its replay in the data folder, and say how it ended.

    Raises what keeps it from being played, and CheckFailedError where a bot forfeits.
    """
    data, confinement = how.data, confinement_of(how.uncaged)
    async with AsyncExitStack() as stack:
        sources, starter, cages = await stack.enter_async_context(_sources(bots, spec.variant, data))
        versions = tuple(source.version if isinstance(source, SubmittedBot) else "" for source in sources)
        spec = msgspec.structs.replace(spec, versions=versions)
        private_folder(data)  # as a node would make it: what bots write and what was played is the owner's
        start_s = how.start_ms / 1000
        node = serving(Hub(), NodeTokens(), data / "logs", BotOptions(start_s, confinement=confinement), cages=cages)
        _, players = await stack.enter_async_context(node)
        players.starter = starter
        text = f"waiting for the bots to connect: each may take {start_s:g} s"
        connecting = asyncio.get_running_loop().call_later(watched.LONG_S, partial(typer.echo, text, err=True))
        stack.callback(connecting.cancel)
        bots_by_name = list(zip(spec.names, sources, strict=True))
        started = await stack.enter_async_context(players.seats(spec.match_id, bots_by_name))
        connecting.cancel()
        seats = [
            WatchedSeat(seat, long=_waits_for(name, spec.time)) for name, seat in zip(spec.names, started, strict=True)
        ]
        result = await referee(spec, seats)
    record = from_match(spec, result, clock=True, house_bots=house_bots(sources))
    path = data / "replays" / f"{spec.match_id}.hreplay"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(path.write_bytes, encode(record))
    except OSError as error:
        raise WrongUseError(f"{path}: {error.strerror}") from error
    _report(spec, result, path, as_json)


def _waits_for(name: str, time: TimeControl) -> Callable[[Question], None]:
    """Says on standard error, once, that a match waits for this bot."""
    each_s, bank_s = time.per_decision_ms / 1000, time.bank_ms / 1000
    say = cache(partial(typer.echo, err=True))
    text = f"waiting for {name}: it has {each_s:g} s for a decision, and {bank_s:g} s more in the whole match"
    return lambda _: say(text)


@asynccontextmanager
async def _sources(
    bots: list[str], variant: str, data: Path
) -> AsyncIterator[tuple[list[Source], VersionStarter | None, SharedCages]]:
    """The bots, what starts those that were submitted, where there may be any, and the cages for all."""
    place = StoreOptions(data)
    if not (place.exists and may_be_submitted(bots)):
        yield local_sources(bots, variant), None, SharedCages()
        return
    async with place.open() as store:
        sources = await sources_with_versions(bots, variant, store)
        with own_folder(data / "versions") as folder:
            cages = SharedCages(limits=CageLimits.with_fuel(store.fuel))
            yield sources, VersionStarter(store, PackCache(store, folder), cages.get()), cages


def _report(spec: MatchSpec, result: MatchResult, path: Path, as_json: bool) -> None:
    document = {
        "match": spec.match_id,
        "variant": spec.variant,
        "seed": spec.seed.hex(),
        "bots": spec.names,
        "versions": spec.versions,
        "end": result.end.value,
        "offender": result.offender,
        "text": result.text,
        "results": result.results,
        "placing": result.placing,
        "replay": str(path),
    }
    width = max(map(len, spec.names))
    placed = sorted(zip(result.placing, spec.names, result.results, strict=True))
    lines = [f"{place}. {name:<{width}} {points:>5}" for place, name, points in placed]
    lines += [f"seed {spec.seed.hex()}", f"replay {path}", f"follow it: arena replay show {quote(str(path))}"]
    print_answer(as_json, document, lines)
    if result.offender >= 0:
        name = spec.names[result.offender]
        log = path.parents[1] / "logs" / spec.match_id / f"{name}.log"
        wrote = f"\nwhat it wrote: {log}" if log.exists() and log.stat().st_size else ""
        raise CheckFailedError(f"{name} forfeited ({result.end}): {result.text}{wrote}")


def local_sources(bots: Sequence[str], variant: str) -> list[Source]:
    """The bots, each of which the arena can start itself, and which play the variant by what their manifests say.

    Raises WrongUseError, BotSourceError, EntryError.
    """
    sources: list[Source] = []
    for bot in bots:
        source = _or_folder(parse_source(bot), bot)
        if isinstance(source, SubmittedBot):
            raise _not_startable(source)
        check_plays(bot, [variant], source.variants if isinstance(source, PathBot) else None)
        sources.append(source)
    return sources


async def sources_with_versions(bots: Sequence[str], variant: str, store: Store) -> list[Source]:
    """The same, of bots that may be submitted to this store. Also raises UnknownVersionError."""
    sources: list[Source] = []
    for bot in bots:
        source = _or_folder(await resolve(store, parse_source(bot)), bot)
        check_plays(bot, [variant], await declared_variants(store, source))
        sources.append(source)
    return sources


def may_be_submitted(bots: Sequence[str]) -> bool:
    """Whether one of them is named as submitted bots are."""
    return any(isinstance(parse_source(bot), RegisteredBot | SubmittedBot) for bot in bots)


def _or_folder(source: Source, text: str) -> Source:
    """The bot; of a name that no submitted one has, that in the folder of this name. BotSourceError, WrongUseError."""
    if not isinstance(source, RegisteredBot):
        return source
    folder = Path(text)
    if not folder.is_dir():
        raise _not_startable(source)
    return folder_bot(folder.resolve(), text)


def _not_startable(source: RegisteredBot | SubmittedBot) -> WrongUseError:
    return WrongUseError(
        f"there is no folder {source.name!r}, and no submitted bot of this name that is active; a match on this "
        "machine starts its bots itself: house:NAME, a path such as ./bot.py, a folder, or a submitted bot"
    )


def local_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its own or its file's stem, numbered where two are the same."""
    stems = [Path(bot).stem if names_a_path(bot) else bot.removeprefix("house:").partition("@")[0] for bot in bots]
    return distinct([*map(printable, stems)])
