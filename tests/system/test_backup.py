"""A backup of an arena that plays, and a new arena made of it."""

import stat
import zipfile
from pathlib import Path

from arena_command import document, done, refused, running
from one_league import Unbroken, file_in, held


def test_a_backup_of_a_league_that_plays_becomes_an_arena_that_ends_with_the_same_table(
    tmp_path: Path, unbroken: Unbroken
) -> None:
    file, copy = file_in(tmp_path), tmp_path / "arena.backup"
    with held(tmp_path, 3):
        with running("league", "run", "--uncaged", file, "--data", tmp_path / "data") as run:
            run.wait_for("round 3/4")
            told = document("backup", copy, "--data", tmp_path / "data")
            assert run.process.poll() is None
        assert told["bytes"] == copy.stat().st_size
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        done("restore", copy, "--data", tmp_path / "new")
        assert document("league", "show", "spring", "--data", tmp_path / "new")["state"] == "running"
    assert document("league", "run", file, "--data", tmp_path / "new") == unbroken.told
    assert document("league", "run", file, "--data", tmp_path / "data") == unbroken.told


def test_replays_beside_the_store_are_in_the_backup(tmp_path: Path) -> None:
    match = ("match", "play", "house:random", "house:greedy", "--seed", "1")
    done(*match, "--data", tmp_path / "data", "--option", "months=3")
    [replay] = (tmp_path / "data" / "replays").iterdir()
    done("backup", tmp_path / "arena.backup", "--data", tmp_path / "data")
    done("restore", tmp_path / "arena.backup", "--data", tmp_path / "new")
    assert (tmp_path / "new" / "replays" / replay.name).read_bytes() == replay.read_bytes()
    assert len(document("replay", "list", "--data", tmp_path / "new")["replays"]) == 1


def test_nothing_that_exists_is_written_over(tmp_path: Path, unbroken: Unbroken) -> None:
    copy = tmp_path / "arena.backup"
    done("backup", copy, "--data", unbroken.data)
    before = copy.read_bytes()
    assert f"{copy} exists already" in refused("backup", copy, "--data", unbroken.data)
    assert copy.read_bytes() == before
    assert "restore into an empty one" in refused("restore", copy, "--data", unbroken.data)
    assert document("league", "show", "spring", "--data", unbroken.data) == unbroken.told


def test_what_is_no_whole_backup_makes_no_arena(tmp_path: Path, unbroken: Unbroken) -> None:
    copy, new = tmp_path / "arena.backup", tmp_path / "new"
    done("backup", copy, "--data", unbroken.data)
    whole = copy.read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    for content, why in ((whole[: len(whole) // 2], "is damaged"), (bytes(damaged), "is damaged"), (b"", "is damaged")):
        copy.write_bytes(content)
        assert why in refused("restore", copy, "--data", new)
    with zipfile.ZipFile(copy, "w") as archive:
        archive.writestr("letter.txt", "dear reader")
    assert "is no backup of an arena" in refused("restore", copy, "--data", new)
    assert "there is no backup" in refused("restore", tmp_path / "nothing", "--data", new)
    assert not new.exists()
