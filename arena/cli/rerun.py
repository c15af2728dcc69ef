"""`arena replay rerun`: the bots of a replay play its match again."""

import dataclasses
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import typer

from arena.cli.failures import WrongUseError
from arena.cli.startable import Startable, local_names, startable
from arena.cli.targets import StoreOptions
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import Confinement
from arena.launcher.sources import HOUSE, Source, SubmittedBot, arena_version, house_bots, parse_source
from arena.league.plurals import pluralize
from arena.match.model import MatchSpec, TimeControl
from arena.match.rerun import Difference, play_again, play_otherwise
from arena.match.seat import Seat
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.replays import ReplayRecord, from_match
from arena.replays.verify import positions, start
from arena.scratch import scratch_folder
from arena.seats.person import PERSON
from arena.seats.recorded import RecordedSeat
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache
from arena.submissions.starter import VersionStarter

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def sources_of(record: ReplayRecord, others: Mapping[int, Source]) -> list[Source | None]:
    """The bots that played, by seat, None for a person; `others` are those that now sit in a seat.

    Raises WrongUseError where one cannot be started again, BotSourceError.
    """
    return [
        others.get(seat, None) if name == PERSON or seat in others else _source(record, seat)
        for seat, name in enumerate(record.names)
    ]


def seats_of(texts: Sequence[str], record: ReplayRecord) -> dict[int, str]:
    """`["0=./mine.py"]` as bots by seat. Raises WrongUseError."""
    bots: dict[int, str] = {}
    last = len(record.names) - 1
    for text in texts:
        seat, equals, bot = text.partition("=")
        if not (seat.isdecimal() and equals and bot):
            raise WrongUseError(f"--seat takes SEAT=BOT, such as 0=./my_bot.py, not {text!r}")
        if int(seat) > last:
            raise WrongUseError(f"--seat {text}: the match has the seats 0 to {last}")
        if int(seat) in bots:
            raise WrongUseError(f"--seat names seat {seat} twice")
        bots[int(seat)] = bot
    return bots


async def played_otherwise(
    record: ReplayRecord, bots: dict[int, str], target: StoreOptions, confinement: Confinement
) -> tuple[Difference | None, ReplayRecord, str]:
    """Have other bots in some seats play the match's cards to its end.

    Returns the first difference, the new replay, and why a bot forfeited, if one did.

    Raises what `played_again` raises, and for a bot that cannot be started BotStartError.
    """
    async with startable(list(bots.values()), record.variant, target) as programs:
        sources = sources_of(record, dict(zip(bots, programs.sources, strict=True)))
        if None in sources:
            seat = sources.index(None)
            raise WrongUseError(f"a person played seat {seat}: put a bot in their place, --seat {seat}=house:greedy")
        spec = _spec(record)
        names = list(spec.names)
        for seat, name in zip(bots, local_names(list(bots.values())), strict=True):
            names[seat] = names[seat] if name in names else name
        spec = msgspec.structs.replace(spec, match_id=f"local-{secrets.token_hex(4)}", names=tuple(names))
        choices, _ = start(record).apply_packed(record.packed, record.decisions)
        end = f"forfeit ({record.end})" if record.offender >= 0 else str(record.end)
        renamed = msgspec.structs.replace(record, names=spec.names)
        async with _seats(renamed, sources, target, spec, BotOptions(confinement=confinement), programs) as seats:
            difference, result = await play_otherwise(spec, seats, choices, end)
    started = [source for source in sources if source is not None]
    houses = house_bots(started) if len(started) == len(sources) else ()
    return difference, from_match(spec, result, clock=True, house_bots=houses), result.text


async def played_again(record: ReplayRecord, sources: list[Source | None], target: StoreOptions) -> Difference | None:
    """Have the bots play the match again; the first difference, or None. A person's moves are made as they were then.

    Raises what keeps this machine from it: LauncherError, StoreError, SubmissionError, WrongUseError.
    """
    spec = _spec(record)
    choices, _ = start(record).apply_packed(record.packed, record.decisions)
    async with _seats(record, sources, target, spec, BotOptions()) as seats:
        return await play_again(spec, seats, choices)


def _spec(record: ReplayRecord) -> MatchSpec:
    """The match of a replay, to be played."""
    timed = msgspec.structs.replace(record, time=record.time or TimeControl())
    return msgspec.convert(timed, MatchSpec, from_attributes=True)


@asynccontextmanager
async def _seats(
    record: ReplayRecord,
    sources: list[Source | None],
    target: StoreOptions,
    spec: MatchSpec,
    how: BotOptions,
    programs: Startable | None = None,
) -> AsyncIterator[list[Seat]]:
    """Seats of the bots, and one that answers what a person did."""
    bots = [(name, source) for name, source in zip(record.names, sources, strict=True) if source is not None]
    with scratch_folder() as folder:
        async with (
            _starter([bot for _, bot in bots], folder, target, programs) as (starter, cages),
            serving(Hub(), NodeTokens(), folder / "logs", how, cages=cages) as (_, players),
        ):
            players.starter = starter
            async with players.seats(spec.match_id, bots) as started:
                started_seats = iter(started)
                yield [
                    RecordedSeat(_actions(record, seat)) if source is None else next(started_seats)
                    for seat, source in enumerate(sources)
                ]


def _actions(record: ReplayRecord, seat: int) -> Iterator[int]:
    """What a seat did, as codes."""
    for state, choice in positions(record):
        if choice >= 0 and state.current_player == seat:
            yield state.legal_actions()[choice]


def verdict(replay: str, record: ReplayRecord, difference: Difference | None) -> tuple[str, dict[str, Any]]:
    """What to say of a match that was played again, in words and as a document."""
    document = {
        "ok": difference is None,
        "replay": replay,
        "match": record.match_id,
        "bots": record.names,
        "decisions": record.decisions,
        "end": record.end,
        "difference": difference,
    }
    if difference is not None:
        return f"{replay} is played differently by {record.names[difference.seat]}: {difference}", document
    line = f"{replay}: played the same again, {pluralize(record.decisions, 'decision')}"
    if record.offender >= 0:
        line += f", up to where {record.names[record.offender]} forfeited ({record.end})"
    return line, document


def _source(record: ReplayRecord, seat: int) -> Source:
    name = record.names[seat]
    if _DIGEST.fullmatch(record.versions[seat]):
        return SubmittedBot(name, record.versions[seat])
    house, _, played_by = (record.house_bots[seat] if record.house_bots else "").partition("@")
    if not house:
        raise WrongUseError(
            f"{name} (seat {seat}) cannot be started again: only submitted versions and house bots can, "
            f"not bots by path or bots that connect by themselves; put a bot in its place: --seat {seat}=./my_bot.py"
        )
    if played_by != arena_version():
        typer.echo(f"note: {HOUSE}{house} was that of version {played_by} of the arena", err=True)
    return parse_source(HOUSE + house)


@asynccontextmanager
async def _starter(
    sources: list[Source], folder: Path, target: StoreOptions, programs: Startable | None
) -> AsyncIterator[tuple[VersionStarter | None, SharedCages]]:
    """Give what starts submitted versions, if there are any, unpacked below `folder`, and the cages for all bots."""
    if programs is not None and programs.starter is not None:
        yield dataclasses.replace(programs.starter, any_status=True), programs.cages
        return
    if not any(isinstance(source, SubmittedBot) for source in sources):
        yield None, SharedCages()
        return
    async with target.open() as store:
        cages = SharedCages(limits=CageLimits.with_fuel(store.fuel))
        yield VersionStarter(store, PackCache(store, folder / "versions"), cages.get(), any_status=True), cages
