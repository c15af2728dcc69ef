"""`arena match test`: its bots found, and what was kept of the test."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.cli.failures import WrongUseError
from arena.cli.local import local_names, startable
from arena.cli.places import StoreOptions
from arena.cli.trial_view import run_trial
from arena.cli.values import SHORT, MatchOptions, options_of
from arena.launcher.sources import HOUSE, HouseBot, PathBot, Source, SubmittedBot, arena_version
from arena.packs.packing import pack
from arena.sprt.kept import Kept, KeptError, Tested, file_digest, kept
from arena.sprt.run import SprtConfig
from arena.sprt.trial import Trial

FOLDER = "tests"


class Asked(NamedTuple):
    """What a command asks of a test: what is played, how much of it at most, and what becomes of the games."""

    variant: str
    boards: int
    seed: str | None
    adjusted: bool
    keep: Path | None
    again: bool


async def tried(
    bots: tuple[str, str], asked: Asked, trial: Trial, how: MatchOptions, at_once: int, *, as_json: bool
) -> None:
    """Test a new version of a bot against the old one, from where the same test was stopped before.

    Raises what `startable` and `run_trial` raise, and WrongUseError where what was played cannot be kept.
    """
    async with startable(bots, asked.variant, StoreOptions(how.data)) as found:
        first, second = found.sources
        names = [
            f"{source.name}@{source.version[:SHORT]}" if isinstance(source, SubmittedBot) else name
            for name, source in zip(local_names(bots), found.sources, strict=True)
        ]
        tested = Tested(
            (names[0], names[1]),
            (await asyncio.to_thread(_digest, first), await asyncio.to_thread(_digest, second)),
            asked.variant,
            len(trial.seatings[0]),
            options_of(how.option),
            how.time(),
            how.policy().value,
            asked.adjusted,
        )
        again = asked.again or asked.keep is not None  # the replays of all games are wanted
        by_path = how.uncaged and any(isinstance(source, PathBot) for source in found.sources)
        with _kept(None if by_path else how.data / FOLDER, tested, asked.seed, again=again) as (test, fresh_seed):
            contest = SprtConfig(
                names=tested.names,
                sources=(first, second),
                variant=asked.variant,
                seed=fresh_seed if test is None else test.head.seed,
                boards=asked.boards,
                options=tested.options,
                time=tested.time,
                policy=how.policy(),
                adjusted=asked.adjusted,
                keep=asked.keep,
            )
            await run_trial(contest, trial, how, at_once, as_json, found, test)


@contextmanager
def _kept(folder: Path | None, tested: Tested, seed: str | None, *, again: bool) -> Iterator[tuple[Kept | None, str]]:
    """What was kept of a test, None without a folder, and the seed of a new one. Raises WrongUseError."""
    fresh_seed = secrets.token_hex(16) if seed is None else seed
    if folder is None:
        yield None, fresh_seed
        return
    try:
        with kept(folder, tested, seed, fresh_seed, again=again) as test:
            yield test, fresh_seed
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
