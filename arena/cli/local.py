"""Matches on this machine, and their bots as a command line names them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import msgspec
import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import print_answer
from arena.cli.places import StoreOptions
from arena.cli.values import SHORT, MatchOptions, confinement_of
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.launcher.sources import (
    HOUSE,
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
from arena.printable import last_lines, printable
from arena.private_files import private_folder
from arena.replays import ReplayRecord, encode, from_match
from arena.sdk.overtime import STILL_THINKS
from arena.seats import watched
from arena.seats.watched import WatchedSeat
from arena.store import Store
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache, own_folder
from arena.submissions.starter import VersionStarter

_LOG_BYTES = 4_000
_PLACE = StoreOptions()


async def play(spec: MatchSpec, bots: list[str], how: MatchOptions, as_json: bool) -> None:
    """Play the match, keep its replay in the data folder, and say how it ended.

    Raises what keeps it from being played, and CheckFailedError where a bot forfeits.
    """
    data, confinement = how.data, confinement_of(how.uncaged)
    async with AsyncExitStack() as stack:
        sources, starter, cages = await stack.enter_async_context(startable(bots, spec.variant, StoreOptions(data)))
        versions = tuple(source.version if isinstance(source, SubmittedBot) else "" for source in sources)
        spec = msgspec.structs.replace(spec, versions=versions)
        private_folder(data)  # as a node would make it: what bots write and what was played is the owner's
        start_s = how.start_ms / 1000
        node = serving(Hub(), NodeTokens(), data / "logs", BotOptions(start_s, confinement=confinement), cages=cages)
        _, players = await stack.enter_async_context(node)
        players.starter = starter
        text = f"waiting for the bots to connect: each may take {start_s:g} s"
        connecting = asyncio.get_running_loop().call_later(watched.NOTICE_AFTER_S, partial(typer.echo, text, err=True))
        stack.callback(connecting.cancel)
        bots_by_name = list(zip(spec.names, sources, strict=True))
        started = await stack.enter_async_context(players.seats(spec.match_id, bots_by_name))
        connecting.cancel()
        seats = [
            WatchedSeat(seat, long=_waits_for(name, spec.time)) for name, seat in zip(spec.names, started, strict=True)
        ]
        result = await referee(spec, seats)
    path = keep(data, from_match(spec, result, clock=True, house_bots=house_bots(sources)))
    _report(spec, result, bots, path, as_json)


def keep(data: Path, record: ReplayRecord) -> Path:
    """Write a replay to the data folder; its path. Raises WrongUseError."""
    path = data / "replays" / f"{record.match_id}.hreplay"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(record))
    except OSError as error:
        raise WrongUseError(f"{path}: {error.strerror}") from error
    return path


def _waits_for(name: str, time: TimeControl) -> Callable[[Question], None]:
    """Says on standard error, once, that a match waits for this bot."""
    each_s, bank_s = time.per_decision_ms / 1000, time.bank_ms / 1000
    say = cache(partial(typer.echo, err=True))
    text = f"waiting for {name}: it has {each_s:g} s for a decision, and {bank_s:g} s more in the whole match"
    return lambda _: say(text)


class Startable(NamedTuple):
    """Bots, what starts those of them that were submitted, where there may be any, and the cages for all."""

    sources: list[Source]
    starter: VersionStarter | None
    cages: SharedCages


@asynccontextmanager
async def startable(bots: Sequence[str], variant: str, place: StoreOptions) -> AsyncIterator[Startable]:
    """Find bots that this machine can start by itself, and that play the variant by what their manifests say.

    Each is named as everywhere: house:NAME, a path, a folder, or a submitted bot of the store, NAME or NAME@VERSION.
    Raises WrongUseError, BotSourceError, EntryError, UnknownVersionError.
    """
    if not (place.exists and may_be_submitted(bots)):
        yield Startable(local_sources(bots, variant, place), None, SharedCages())
        return
    async with place.open() as store:
        sources = await sources_with_versions(bots, variant, store)
        with own_folder(place.data / "versions") as folder:
            cages = SharedCages(limits=CageLimits.with_fuel(store.fuel))
            yield Startable(sources, VersionStarter(store, PackCache(store, folder), cages.get()), cages)


def _report(spec: MatchSpec, result: MatchResult, bots: Sequence[str], path: Path, as_json: bool) -> None:
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
    versions = spec.versions or ("",) * len(spec.names)
    shown = [name + f"@{version[:SHORT]}" * bool(version) for name, version in zip(spec.names, versions, strict=True)]
    width = max(map(len, shown))
    placed = sorted(zip(result.placing, shown, result.results, strict=True))
    lines = [f"{place}. {name:<{width}} {points:>5}" for place, name, points in placed]
    lines += [f"seed {spec.seed.hex()}", f"replay {path}", f"follow it: arena replay show {quote(str(path))}"]
    print_answer(as_json, document, lines)
    if result.offender >= 0:
        name = spec.names[result.offender]
        log = path.parents[1] / "logs" / spec.match_id / f"{name}.log"
        wrote = f"\nwhat it wrote: {log}" if log.exists() and log.stat().st_size else ""
        again = ""
        if not bots[result.offender].startswith(HOUSE):
            seats = " ".join(
                f"--seat {seat}={quote(bot)}" for seat, bot in enumerate(bots) if isinstance(parse_source(bot), PathBot)
            )
            again = f"\nonce it is mended, ask it again: arena replay rerun {quote(str(path))} {seats}".rstrip()
        raise CheckFailedError(f"{name} forfeited ({result.end}): {result.text}{_stack(log)}{wrote}{again}")


def _stack(log: Path) -> str:
    """Where a bot was when its time was nearly over, if it wrote that as the last thing."""
    said = last_lines(log.read_bytes()[-_LOG_BYTES:]).splitlines() if log.exists() else []
    marks = [number for number, line in enumerate(said) if STILL_THINKS in line]
    return "".join(f"\n{line}" for line in said[marks[-1] :]) if marks else ""


def local_sources(bots: Sequence[str], variant: str, place: StoreOptions = _PLACE) -> list[Source]:
    """The bots, of which none was submitted: there is no store at the place. As `startable` finds them."""
    sources: list[Source] = []
    for bot in bots:
        source = _or_folder(parse_source(bot), bot)
        if isinstance(source, SubmittedBot):
            raise WrongUseError(f"{source}: {place.missing}")
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


def _not_startable(source: RegisteredBot) -> WrongUseError:
    return WrongUseError(
        f"there is no folder {source.name!r}, and no submitted bot of this name that is active; a match on this "
        "machine starts its bots itself: house:NAME, a path such as ./bot.py, a folder, or a submitted bot"
    )


def local_names(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its own or its file's stem, numbered where two are the same."""
    stems = [Path(bot).stem if names_a_path(bot) else bot.removeprefix("house:").partition("@")[0] for bot in bots]
    return distinct([*map(printable, stems)])
