"""Matches on this machine."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import cache, partial
from pathlib import Path
from shlex import quote

import msgspec
import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.forfeits import ask_again, what_it_wrote
from arena.cli.output import print_answer
from arena.cli.replay_files import kept_at
from arena.cli.startable import startable
from arena.cli.targets import StoreOptions
from arena.cli.values import SHORT, MatchOptions, confinement_of
from arena.launcher.processes import log_of
from arena.launcher.sources import HOUSE, PathBot, SubmittedBot, house_bots, parse_source
from arena.match.model import MatchResult, MatchSpec, TimeControl
from arena.match.play import play as referee
from arena.match.question import Question
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.printable import last_lines
from arena.private_files import private_folder
from arena.replays import ReplayRecord, encode, from_match
from arena.sdk.overtime import STILL_THINKS
from arena.seats import watched
from arena.seats.watched import WatchedSeat
from arena.stream.hub import Hub

_LOG_BYTES = 4_000


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
    path = kept_at(data, record.match_id)
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
    lines = [f"{rank}. {name:<{width}} {points:>5}" for rank, name, points in placed]
    lines += [f"seed {spec.seed.hex()}", f"replay {path}", f"follow it: arena replay show {quote(str(path))}"]
    print_answer(as_json, document, lines)
    if result.offender >= 0:
        name = spec.names[result.offender]
        logs = path.parents[1] / "logs"
        log, wrote = log_of(logs, spec.match_id, name), what_it_wrote(logs, spec.match_id, name)
        again = ""
        if not bots[result.offender].startswith(HOUSE):
            by_path = {seat: bot for seat, bot in enumerate(bots) if isinstance(parse_source(bot), PathBot)}
            again = ask_again(str(path), by_path)
        raise CheckFailedError(f"{name} forfeited ({result.end}): {result.text}{_stack(log)}{wrote}{again}")


def _stack(log: Path) -> str:
    """Return where a bot was when its time was nearly over, if it wrote that as the last thing."""
    lines = last_lines(log.read_bytes()[-_LOG_BYTES:]).splitlines() if log.exists() else []
    marks = [number for number, line in enumerate(lines) if STILL_THINKS in line]
    return "".join(f"\n{line}" for line in lines[marks[-1] :]) if marks else ""
