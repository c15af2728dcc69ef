"""`arena match test`: its bots found, and what was kept of the tests."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.output import print_answer, print_document
from arena.cli.startable import local_names, startable
from arena.cli.targets import StoreOptions
from arena.cli.trial_tables import document_of, kept_line, print_gauntlet
from arena.cli.trial_view import KeepsFailingError, Played, console_of, run_trial
from arena.cli.values import SHORT, MatchOptions
from arena.launcher.sources import HOUSE, HouseBot, PathBot, Source, SubmittedBot, arena_version
from arena.packs.packing import pack
from arena.private_files import private_folder
from arena.sprt.kept import KeptError, KeptSets, Tested, file_digest, kept_tests, newest_seed, open_kept
from arena.sprt.run import SprtConfig
from arena.sprt.trial import Side, Trial

FOLDER = "tests"


class Asked(NamedTuple):
    """What a command asks of its tests: how much of each at most, and what becomes of the games."""

    boards: int
    seed: str | None
    adjusted: bool
    keep: Path | None
    again: bool


class Pair(NamedTuple):
    """Two bots to be tested, the new one first, in a variant."""

    bots: tuple[str, str]
    variant: str
    options: dict[str, object]
    trial: Trial


async def tried(pairs: Sequence[Pair], asked: Asked, how: MatchOptions, at_once: int, *, as_json: bool) -> None:
    """Test a new version of a bot against others, one after another, each from where the same test was stopped.

    Several pairs share their boards, but for those that were tested before. All are found before the first match.

    Raises what `startable` and `run_trial` raise, and WrongUseError where what was played cannot be kept. One of
    several others that keeps failing is left behind, and CheckFailedError raised at the end.
    """
    is_alone = len(pairs) == 1
    console = console_of(as_json)
    known_seed = None if is_alone else await _known_seed(pairs, asked, how)
    seed = asked.seed or (None if asked.again else known_seed) or secrets.token_hex(16)
    played: list[Played] = []
    failed: list[str] = []
    try:
        for number, pair in enumerate(pairs, start=1):
            if not is_alone:
                console.print(f"{number} of {len(pairs)}", style="dim")
            try:
                played.append(await _tried(pair, asked, seed, how, at_once, console))
            except KeepsFailingError as error:
                if is_alone or error.side is Side.NEW:
                    raise
                failed.append(str(error))
                console.print(str(error), style="bold")
    finally:
        if len(played) > 1 and not as_json:
            print_gauntlet(console, played)
    if as_json:
        documents = [document_of(trial) for trial in played]
        print_document(documents[0] if is_alone else {"tests": documents, "failed": failed})
    if failed:
        raise CheckFailedError("\n".join(failed))


async def _tried(
    pair: Pair, asked: Asked, fresh_seed: str, how: MatchOptions, at_once: int, console: Console
) -> Played:
    async with startable(pair.bots, pair.variant, StoreOptions(how.data)) as programs:
        tested = await _tested(pair, programs.sources, asked, how)
        again = asked.again or asked.keep is not None  # the replays of all games are wanted
        by_path = how.uncaged and any(isinstance(source, PathBot) for source in programs.sources)
        folder = None if by_path else how.data / FOLDER
        with _open_kept(folder, tested, asked.seed, fresh_seed, again=again) as test:
            contest = SprtConfig(
                names=tested.names,
                sources=(programs.sources[0], programs.sources[1]),
                variant=pair.variant,
                seed=fresh_seed if test is None else test.head.seed,
                boards=asked.boards,
                options=tested.options,
                time=tested.time,
                policy=how.policy(),
                adjusted=asked.adjusted,
                keep=asked.keep,
            )
            return await run_trial(contest, pair.trial, how, at_once, console, programs, test)


async def _known_seed(pairs: Sequence[Pair], asked: Asked, how: MatchOptions) -> str | None:
    """The seed of the first of these tests that was begun before."""
    seeds = []
    for pair in pairs:
        async with startable(pair.bots, pair.variant, StoreOptions(how.data)) as programs:
            tested = await _tested(pair, programs.sources, asked, how)
        seeds.append(newest_seed(how.data / FOLDER, tested))
    return next(filter(None, seeds), None)


async def _tested(pair: Pair, sources: Sequence[Source], asked: Asked, how: MatchOptions) -> Tested:
    names = [
        f"{source.name}@{source.version[:SHORT]}" if isinstance(source, SubmittedBot) else name
        for name, source in zip(local_names(pair.bots), sources, strict=True)
    ]
    first, second = [await asyncio.to_thread(_digest, source) for source in sources]
    return Tested(
        (names[0], names[1]),
        (first, second),
        pair.variant,
        len(pair.trial.seatings[0]),
        pair.options,
        how.time(),
        how.policy().value,
        asked.adjusted,
    )


def print_kept(data: Path, bots: Sequence[str], as_json: bool) -> None:
    """Print the tests that are kept in a data folder; with bots, those between bots that they name."""
    folder = data / FOLDER
    named = set(local_names(bots)) | set(bots)
    tests = [test for test in kept_tests(folder) if not bots or named & {*test.names, *_stems(test.names)}]
    if not tests and not as_json:
        typer.echo(f"no test{' of these bots' if bots else ''} is kept in {folder}", err=True)
    print_answer(as_json, {"tests": tests}, map(kept_line, tests))


def _stems(names: Sequence[str]) -> list[str]:
    return [name.partition("@")[0] for name in names]


@contextmanager
def _open_kept(
    folder: Path | None, tested: Tested, seed: str | None, fresh_seed: str, *, again: bool
) -> Iterator[KeptSets | None]:
    """Open what was kept of a test, None without a folder. Raises WrongUseError."""
    if folder is None:
        yield None
        return
    private_folder(folder.parent)
    try:
        with open_kept(folder, tested, seed, fresh_seed, again=again) as test:
            yield test
    except KeptError as error:
        raise WrongUseError(str(error)) from error


def _digest(source: Source) -> str:
    """What tells a bot's content from any other. Raises OSError, SubmissionError."""
    match source:
        case HouseBot(name):
            return f"{HOUSE}{name}@{arena_version()}"
        case SubmittedBot(_, version):
            return version
        case PathBot(path, manifest):
            return file_digest(path) if manifest is None else pack(path).version
        case _:
            raise WrongUseError(f"{source} connects by itself, and is started by nobody")
