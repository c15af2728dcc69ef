"""An archive is written whole or not at all."""

import gc
import os
import resource
from pathlib import Path

import pytest

from arena.proof.archive_file import ArchiveWriter


def write(path: Path) -> None:
    with ArchiveWriter(path) as archive:
        for number in range(100):
            archive.add(f"replays/{number}.hreplay", os.urandom(1_000))


def test_nothing_is_left_of_an_archive_for_which_there_is_no_room(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write(tmp_path / "league.zip")
        assert list(tmp_path.iterdir()) == []
        gc.collect()  # what nobody closed would complain now
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
