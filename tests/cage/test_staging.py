"""Copies for cages are kept as long as they are used, and not without end."""

import asyncio
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.launcher.cage import staging
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.staging import Stage
from arena.launcher.cage.users import readers

HOLDS = """\
import sys
import tempfile
from pathlib import Path
from arena.launcher.cage.staging import Stage
print(Stage(Path(sys.argv[1])).gathered([Path(sys.argv[2])]), flush=True)
sys.stdin.read()
"""


def file_of(folder: Path, name: str, size: int) -> Path:
    path = folder / name
    path.write_bytes(bytes(size))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stage's folder."""
    folder = tmp_path / "stage"
    folder.mkdir()
    return folder


def copies(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"empty"}


def test_a_copy_is_made_once_for_all_who_need_it(tmp_path: Path, folder: Path) -> None:
    source = file_of(tmp_path, "one", 100)
    first, second = (Stage(folder).gathered([source]) for _ in range(2))
    assert first == second
    assert (first / "one").read_bytes() == bytes(100)
    assert copies(folder) == {first.name}


def test_copies_that_nobody_uses_are_removed_beyond_the_limit_the_longest_unused_first(
    tmp_path: Path, folder: Path
) -> None:
    made = []
    for age, name in ((30, "old"), (20, "newer"), (10, "used")):
        stage = Stage(folder, limit=1 << 20)
        made.append(stage.gathered([file_of(tmp_path, name, 100)]))
        if name != "used":
            stage.close()
        os.utime(made[-1], (1_000_000 - age, 1_000_000 - age))
    used = Stage(folder, limit=250)
    last = used.gathered([file_of(tmp_path, "last", 100)])
    assert copies(folder) == {made[2].name, last.name}


def test_what_another_process_uses_stays_until_it_is_killed(tmp_path: Path, folder: Path) -> None:
    command = [sys.executable, "-c", HOLDS, folder, file_of(tmp_path, "theirs", 100)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    theirs = Path(holder.stdout.readline().strip())
    Stage(folder, limit=0).gathered([file_of(tmp_path, "mine", 100)])
    assert theirs.is_dir()
    holder.kill()
    holder.communicate()
    Stage(folder, limit=0).gathered([file_of(tmp_path, "another", 100)])
    assert not theirs.exists()


def test_a_copy_that_another_process_removes_while_all_are_counted_is_no_fault(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "going").mkdir()
    file_of(folder / "going", "file", 100)

    def listed(going: Path) -> Iterator[tuple[str, os.stat_result]]:
        for path in [*going.iterdir()]:
            if path.parent.name == "going":
                shutil.rmtree(path.parent)
            yield str(path), path.lstat()

    monkeypatch.setattr(staging, "_files", listed)
    made = Stage(folder, limit=250).gathered([file_of(tmp_path, "one", 100)])
    assert copies(folder) == {made.name}


def test_what_a_killed_process_was_copying_is_removed_by_the_next_one(folder: Path) -> None:
    (folder / "scratch-left" / "half").mkdir(parents=True)
    with Stage(folder)._scratch() as used:
        Stage(folder)
        assert copies(folder) == {used.name}


@pytest.mark.usefixtures("as_root")
async def test_no_other_user_reads_a_copy_though_its_path_is_no_secret(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    stranger = 65_534
    source = "import sys; sys.stdin.read()"
    process = await cages.start(python_bot(source))
    mounts = await asyncio.to_thread(Path(f"/proc/{process.first}/mountinfo").read_text)
    shown = next(line.split()[3] for line in mounts.splitlines() if line.split()[4] == f"{BOT}/bot.py")
    await asyncio.to_thread(Path(shown).read_text)
    cat = await asyncio.create_subprocess_exec(
        *("cat", shown), user=stranger, group=stranger, extra_groups=[], stdout=PIPE, stderr=PIPE
    )
    read, refusal = await cat.communicate()
    assert (read, b"Permission denied" in refusal) == (b"", True)
    await process.close()


def test_the_folder_of_copies_is_open_to_the_users_of_cages_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = staging.stage_folder()
    folder.chmod(0o755)
    assert stat.S_IMODE(staging.stage_folder().stat().st_mode) == 0o710, "also one that was open to others"
    assert folder.stat().st_gid == (os.getegid() if os.geteuid() else readers())
