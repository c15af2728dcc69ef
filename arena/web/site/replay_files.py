"""Matches that a command played on this machine: their replays lie as files in the data folder. And a sample."""

import asyncio
from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from pathlib import Path

from arena.match.model import PLAYED_OUT, MatchSpec
from arena.match.outcome import placing
from arena.match.play import play
from arena.replays import ReplayError, ReplayRecord, decode, encode, from_match
from arena.seats.in_process import InProcessSeat
from arena.web.site.documents import ReplayDocument, moment
from bots import house
from core_ext import variant_info

SAMPLE = "sample"
"""The replay that every arena has, so that there is something to watch."""
MAX_LISTED = 50
_SUFFIX = ".hreplay"
_SAMPLE_SEED = bytes(range(32))


class ReplayFiles:
    """The replays in a folder, the newest first. A file that is none, or of other rules, is passed over."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, replay_id: str) -> ReplayRecord | None:
        """Return the replay of a match, None where there is no such file, or none that can be read."""
        if replay_id == SAMPLE:
            return sample()
        path = self._path(replay_id)
        return None if path is None else _read(path)

    def read(self, replay_id: str) -> bytes | None:
        """Return the bytes of a replay, None where there is no such file."""
        if replay_id == SAMPLE:
            return encode(sample())
        path = self._path(replay_id)
        try:
            return None if path is None else path.read_bytes()
        except (OSError, ValueError):
            return None

    def time_us(self, replay_id: str) -> int:
        """Return when the file of a replay was written, 0 where there is none."""
        path = self._path(replay_id)
        return 0 if path is None else _modified_us(path)

    def _path(self, replay_id: str) -> Path | None:
        if self._folder is None or not replay_id or Path(replay_id).name != replay_id:
            return None
        return self._folder / f"{replay_id}{_SUFFIX}"

    def newest(self) -> list[tuple[tuple[int, str], ReplayDocument]]:
        """Return the newest `MAX_LISTED` of them, each after its time in microseconds and its id."""
        documents = [
            ((time_us, path.stem), _document(path.stem, record, time_us)) for time_us, path, record in self._records()
        ]
        return sorted(documents, key=itemgetter(0), reverse=True)

    def _records(self) -> Iterator[tuple[int, Path, ReplayRecord]]:
        if self._folder is None or not self._folder.is_dir():
            return
        files = sorted(((_modified_us(path), path) for path in self._folder.glob(f"*{_SUFFIX}")), reverse=True)
        for time_us, path in files[:MAX_LISTED]:
            record = _read(path)
            if record is not None:
                yield time_us, path, record


@cache
def sample() -> ReplayRecord:
    """Return a whole match between house bots, always the same."""
    spec = MatchSpec(SAMPLE, "koikoi", _SAMPLE_SEED, ("greedy", "random"), {"months": 3})
    seats = [InProcessSeat(house(name)) for name in spec.names]
    return from_match(spec, asyncio.run(play(spec, seats)))


def _modified_us(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns // 1000
    except (OSError, ValueError):
        return 0  # there is none, or it was deleted meanwhile


def _read(path: Path) -> ReplayRecord | None:
    try:
        return decode(path.read_bytes())
    except (OSError, ValueError, ReplayError):
        return None


def _document(replay_id: str, record: ReplayRecord, time_us: int) -> ReplayDocument:
    return ReplayDocument(
        replay=replay_id,
        league="",
        variant=record.variant,
        bots=record.names,
        results=record.results,
        placing=placing(record.results, record.offender),
        scored=record.end in PLAYED_OUT or not variant_info(record.variant).settled,
        end=record.end.value,
        offender=record.offender,
        thinking=(),
        time=moment(time_us),
    )
