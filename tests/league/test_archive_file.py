"""An archive is written whole or not at all."""

import gc
import os
import resource
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from arena.league.errors import ArchiveError
from arena.proof.archive_file import ArchiveReader, ArchiveWriter


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


def bomb(path: Path, *, members: int, mib: int) -> int:
    """An archive of a few MB whose documents would fill a reader's memory; its size."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(members):
            file.writestr(f"koikoi/round-{number + 1}.json", b'{"outcomes":[' + b"[]," * (mib << 20 >> 2) + b"[]]}")
    return path.stat().st_size


def test_documents_that_are_packed_as_no_leagues_are_refused_unread(tmp_path: Path) -> None:
    size = bomb(tmp_path / "bomb.zip", members=3, mib=40)
    assert size < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match="no league's are packed so tightly"):
            ArchiveReader(tmp_path / "bomb.zip")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_documents_of_more_than_their_league_are_refused_before_they_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "dense.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("koikoi/round-1.json", b"[" + b"0," * (1 << 21) + b"0]")
    with ArchiveReader(path) as archive, pytest.raises(ArchiveError, match="far more than 1 members"):
        archive.documents()


def test_an_archive_that_lies_about_its_members_sizes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lies.zip"
    bomb(path, members=1, mib=40)
    data = path.read_bytes()
    size = (40 << 20 >> 2) * 3 + len(b'{"outcomes":[' + b"[]]}")
    assert data.count(size.to_bytes(4, "little")) == 2
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (1_000).to_bytes(4, "little")))
    with ArchiveReader(path) as archive, pytest.raises(ArchiveError, match="cannot be read"):
        archive.documents()
