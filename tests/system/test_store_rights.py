"""The rights that `deploy/store/arena.acl` gives are enough, and no more than what is needed is there."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arena_command import Running, document, done, league_file, refused
from prerequisites import not_run
from store_servers import free_port

from arena.store.embedded import find_binary

RIGHTS = Path(__file__).parents[2] / "deploy" / "store" / "arena.acl"
PASSWORD = "a-password-of-this-test"


@contextmanager
def guarded(folder: Path, binary: Path) -> Iterator[int]:
    """A server that knows the users of the file alone; its port."""
    folder.mkdir()
    users = folder / "users.acl"
    users.write_text(RIGHTS.read_text().replace("CHANGE-ME", PASSWORD))
    port = free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--aclfile", users]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    run = Running(process, process.stdout)
    try:
        run.wait_for("Ready to accept connections")
        yield port
    finally:
        process.kill()
        run.end()
        process.stdout.close()


def binaries() -> dict[str, Path | None]:
    """The servers by what they are."""
    redis = shutil.which("redis-server")
    return {"valkey": find_binary(), "redis": Path(redis) if redis else None}


@pytest.mark.parametrize("name", ["valkey", "redis"])
def test_an_arena_plays_is_backed_up_and_restored_with_no_more_rights_than_the_file_gives(
    tmp_path: Path, name: str
) -> None:
    binary = binaries()[name]
    if binary is None:
        not_run("redis-server is not installed: the rights are not tried on Redis")

    def user(which: str, port: int) -> dict[str, str]:
        return {"ARENA_REDIS": f"redis://{which}:{PASSWORD}@127.0.0.1:{port}/0"}

    bots = ("house:random", "house:greedy")
    file = league_file(tmp_path, bots, rounds=2, boards=1, more="options = { months = 1 }\n")
    with guarded(tmp_path / "one", binary) as one, guarded(tmp_path / "two", binary) as two:
        told = document("league", "run", file, env=user("arena", one), cwd=tmp_path)
        done("owner", "create", "ann", env=user("arena", one))
        done("prune", "--replays", "1d", "--matches", "1d", env=user("arena", one))
        assert document("status", env=user("arena", one))["store"]["append_only"] is True
        copy = tmp_path / "arena.backup"
        done("backup", copy, env=user("arena-backup", one))
        done("restore", copy, env=user("arena-restore", two))
        assert document("league", "show", "spring", env=user("arena", two)) == document(
            "league", "show", "spring", env=user("arena", one)
        )
        assert told["state"] == "finished"
        for which in ("arena-backup", "arena-restore"):
            assert "denies access" in refused("owner", "create", "eve", env=user(which, one))
        wrong = {"ARENA_REDIS": f"redis://arena:wrong@127.0.0.1:{one}/0"}
        assert "denies access" in refused("owner", "list", env=wrong)
