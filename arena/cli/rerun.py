"""`arena replay rerun`: the bots of a replay play its match again."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import msgspec
import typer

from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.limits import CageLimits
from arena.launcher.sources import HOUSE, Source, SubmittedBot, arena_version, parse_source
from arena.league.plurals import pluralize
from arena.match.model import MatchSpec, TimeControl
from arena.match.rerun import Difference, play_again
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.replays import ReplayRecord
from arena.replays.verify import positions, start
from arena.scratch import scratch_folder
from arena.seats.person import PERSON
from arena.seats.recorded import RecordedSeat
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache
from arena.submissions.starter import VersionStarter

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def sources_of(record: ReplayRecord) -> list[Source | None]:
    """The bots that played, by seat, None for a person. Raises WrongUseError where one cannot be started again,
    BotSourceError."""
    return [None if name == PERSON else _source(record, seat) for seat, name in enumerate(record.names)]


async def played_again(record: ReplayRecord, sources: list[Source | None], place: StoreOptions) -> Difference | None:
    """Have the bots play the match again; the first difference, or None. A person's moves are made as they were then.

    Raises what keeps this machine from it: LauncherError, StoreError, SubmissionError, WrongUseError.
    """
    known = msgspec.structs.replace(record, time=record.time or TimeControl())
    spec = msgspec.convert(known, MatchSpec, from_attributes=True)
    choices, _ = start(record).apply_packed(record.packed, record.decisions)
    bots = [(name, one) for name, one in zip(record.names, sources, strict=True) if one is not None]
    with scratch_folder() as folder:
        async with (
            _starter([one for _, one in bots], folder, place) as starter,
            serving(Hub(), NodeTokens(), folder / "logs") as (_, players),
        ):
            players.starter = starter
            async with players.seats(spec.match_id, bots) as started:
                rest = iter(started)
                seats = [
                    RecordedSeat(_actions(record, seat)) if one is None else next(rest)
                    for seat, one in enumerate(sources)
                ]
                return await play_again(spec, seats, choices)


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
            "not bots by path or bots that connect by themselves"
        )
    if played_by != arena_version():
        typer.echo(f"note: {HOUSE}{house} was that of version {played_by} of the arena", err=True)
    return parse_source(HOUSE + house)


@asynccontextmanager
async def _starter(sources: list[Source], folder: Path, place: StoreOptions) -> AsyncIterator[VersionStarter | None]:
    """What starts submitted versions, where there are any; unpacked below `folder`."""
    if not any(isinstance(source, SubmittedBot) for source in sources):
        yield None
        return
    async with place.open() as store:
        with closing(Cages(CageLimits.with_fuel(store.fuel))) as cages:
            yield VersionStarter(store, PackCache(store, folder / "versions"), cages, any_status=True)
