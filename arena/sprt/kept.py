"""Tests that are kept in a data folder: one that was stopped goes on, and no pair is measured twice.

A file has a line for what is tested, then one for each board set that was counted, in order. Which games are played
does not depend on what the test decides between, so another question about the same pair begins with the same games.
"""

import fcntl
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import BinaryIO

import msgspec

from arena.match.model import TimeControl
from arena.sprt.trial import Game, Side


class KeptError(Exception):
    """A kept test cannot be used: another process plays it, or the folder cannot be written."""


class Tested(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is tested: the bots with their digests, and all that decides how games between them go but the seed."""

    names: tuple[str, str]
    digests: tuple[str, str]
    variant: str
    seats: int
    options: dict[str, object]
    time: TimeControl
    policy: str
    adjusted: bool
    """Whether luck is taken out of each game."""

    def key(self) -> str:
        """Return the beginning of the names of the files in which such a test is kept."""
        unnamed = msgspec.structs.replace(self, names=("", ""))
        return hashlib.sha256(msgspec.json.encode(unnamed, order="deterministic")).hexdigest()[:16]


class Head(msgspec.Struct, frozen=True):
    """The first line of a kept test."""

    tested: Tested
    seed: str


_HEAD = msgspec.json.Decoder(Head)
_SET = msgspec.json.Decoder(list[Game])


class KeptSets:
    """The board sets of a test: those that were counted before, and a place for more."""

    def __init__(self, head: Head, sets: Sequence[list[Game]], file: BinaryIO) -> None:
        self.head = head
        self.sets = sets
        self._file = file

    def add(self, games: Sequence[Game]) -> None:
        """Keep a board set that was counted."""
        self._file.write(msgspec.json.encode(games) + b"\n")
        self._file.flush()


@contextmanager
def open_kept(folder: Path, tested: Tested, seed: str | None, fresh_seed: str, *, again: bool) -> Iterator[KeptSets]:
    """Open the kept test of these bots: of this seed or, without one, the newest; a new one where there is none.

    With `again` it is a new one, of `fresh_seed` where no seed is given. Raises KeptError.
    """
    with ExitStack() as opened:
        try:
            test = _opened(folder, tested, seed, fresh_seed, again, opened)
        except OSError as error:
            raise KeptError(f"{folder}: {error.strerror}") from error
        yield test


class KeptTest(msgspec.Struct, frozen=True):
    """What is kept of a test: its bots and what was played, in short.

    `results` are games won, drawn and lost by the new version, None where more than two played. `margin` is the mean of
    all games in the variant's points, None before the first. `changed_at` is in UTC.
    """

    names: tuple[str, str]
    digests: tuple[str, str]
    variant: str
    seats: int
    options: dict[str, object]
    adjusted: bool
    seed: str
    board_sets: int
    results: tuple[int, int, int] | None
    margin: float | None
    forfeits: tuple[int, int]
    changed_at: str


def kept_tests(folder: Path) -> list[KeptTest]:
    """Return the tests that are kept in a folder, the newest last. OSError."""
    if not folder.is_dir():
        return []
    paths = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    return [test for path in paths if (test := _in_short(path)) is not None]


def newest_seed(folder: Path, tested: Tested) -> str | None:
    """Return the seed of the newest test of these bots that is kept in a folder. OSError."""
    for path in sorted(folder.glob(f"{tested.key()}-*.jsonl"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        head, _ = _read(path)
        if head is not None:
            return head.seed
    return None


def _in_short(path: Path) -> KeptTest | None:
    head, sets = _read(path)
    if head is None:
        return None
    games = [game for board_set in sets for game in board_set]
    halves = Counter(game.half_points for game in games)
    tested = head.tested
    return KeptTest(
        tested.names,
        tested.digests,
        tested.variant,
        tested.seats,
        tested.options,
        tested.adjusted,
        head.seed,
        len(sets),
        None if None in halves else (halves[2], halves[1], halves[0]),
        fmean(game.margin - (game.luck or 0.0) for game in games) if games else None,
        (sum(game.forfeiter == Side.NEW for game in games), sum(game.forfeiter == Side.OLD for game in games)),
        datetime.fromtimestamp(int(path.stat().st_mtime), UTC).strftime("%Y-%m-%d %H:%M"),
    )


def _opened(
    folder: Path, tested: Tested, seed: str | None, fresh_seed: str, again: bool, opened: ExitStack
) -> KeptSets:
    key = tested.key()
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(folder.glob(f"{key}-*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    if seed is None:
        path = files[-1] if files and not again else _path(folder, key, fresh_seed)
    else:
        path = _path(folder, key, seed)
    file = opened.enter_context(path.open("a+b"))
    _lock(file, path)
    head, sets = (None, []) if again else _read(path)
    if head is None:
        head = Head(tested, fresh_seed if seed is None else seed)
        file.truncate(0)
        file.write(msgspec.json.encode(head) + b"\n")
    else:
        file.truncate(_whole(path))  # a line that was cut off is written again
    file.flush()
    return KeptSets(head, sets, file)


def _path(folder: Path, key: str, seed: str) -> Path:
    return folder / f"{key}-{hashlib.sha256(seed.encode()).hexdigest()[:8]}.jsonl"


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise KeptError(f"another process plays this test now ({path})") from None


def _whole(path: Path) -> int:
    """How many bytes of a file are whole lines."""
    return path.read_bytes().rfind(b"\n") + 1


def _read(path: Path) -> tuple[Head | None, list[list[Game]]]:
    """Read a file as far as it is whole; no head where there is nothing of use."""
    first, *lines = path.read_bytes()[: _whole(path)].splitlines() or [b""]
    try:
        return _HEAD.decode(first), [_SET.decode(line) for line in lines]
    except msgspec.DecodeError:
        return None, []


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
