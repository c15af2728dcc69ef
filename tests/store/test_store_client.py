"""The way to a server: which are taken, what is waited for, and whose answer is whose."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvloop
from chaos_lines import Line
from redis.asyncio import RedisCluster
from store_servers import connected, deaf_port, fake_redis, free_port, tcp_server, tell, until

from arena.metrics import meters
from arena.store import Store
from arena.store import client as client_module
from arena.store.client import Client, Value
from arena.store.errors import (
    StoreAccessError,
    StoreClosedError,
    StoreMayEvictError,
    StoreRefusedError,
    StoreSchemaError,
    StoreTooOldError,
    StoreUnavailableError,
    StoreUrlError,
)
from arena.store.urls import read_url


@pytest.mark.parametrize("version", ["6.2.14", "5.0.3", "2.8"])
async def test_a_redis_before_7_is_refused_by_its_version(version: str) -> None:
    async with fake_redis(f"redis_version:{version}\r\n") as port:
        with pytest.raises(StoreTooOldError, match=f"is Redis {version}; Redis 7.0 or newer, or Valkey"):
            await Store.open(redis=f"redis://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("info", "name", "version"),
    [
        ("redis_version:7.0.0\r\naof_enabled:1\r\n", "Redis", "7.0.0"),
        ("redis_version:10.1.2\r\naof_enabled:1\r\n", "Redis", "10.1.2"),
        ("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\naof_enabled:1\r\n", "Valkey", "8.0.1"),
    ],
)
async def test_redis_7_and_valkey_are_taken(info: str, name: str, version: str) -> None:
    async with fake_redis(info) as port, connected(f"redis://127.0.0.1:{port}") as client:
        pass
    assert (client.info.name, client.info.version, client.info.durable) == (name, version, True)


async def test_a_server_that_throws_keys_away_is_refused(tmp_path: Path) -> None:
    settings = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with tcp_server(tmp_path, *settings) as server, pytest.raises(StoreMayEvictError, match="allkeys-lru"):
        await Store.open(redis=server.url)


async def test_a_wrong_password_is_refused_at_once_and_not_shown(tmp_path: Path) -> None:
    with tcp_server(tmp_path, "--requirepass", "right") as server:
        for user in (":wrong@", ""):
            with pytest.raises(StoreAccessError) as caught:
                await asyncio.wait_for(Store.open(redis=f"redis://{user}127.0.0.1:{server.port}"), 20)
            assert "wrong@" not in str(caught.value)
        async with await Store.open(redis=f"redis://:right@127.0.0.1:{server.port}") as store:
            assert "right" not in store.address
            assert not store.server_info.durable


async def test_a_store_is_opened_by_the_path_of_a_socket(short_path: Path) -> None:
    with tcp_server(short_path, "--unixsocket", str(short_path / "s")):
        async with await Store.open(redis=f"unix://{short_path}/s") as store:
            assert (await store.bots.create("somebody"))[0].name == "somebody"


@pytest.mark.parametrize("url", ["http://host", "localhost:6379", "redis://", "unix://", "redis://host:port", ""])
async def test_what_is_no_store_url_is_said_to_be_none(url: str) -> None:
    with pytest.raises(StoreUrlError):
        await Store.open(redis=url)


def test_an_address_is_shown_without_its_password() -> None:
    assert read_url("rediss://me:secret@example.org:6380/2?ssl_ca_certs=x").shown == "rediss://example.org:6380/2"


async def test_nobody_listening_is_reported_after_the_patience_given() -> None:
    said = r"127.0.0.1:\d+ did not answer for 0.2 s: \S"
    with deaf_port() as port, pytest.raises(StoreUnavailableError, match=said):
        await Store.open(redis=f"redis://127.0.0.1:{port}", patience_s=0.2)


async def test_a_server_that_goes_away_and_comes_back_is_waited_for(tmp_path: Path) -> None:
    with tcp_server(tmp_path, "--appendonly", "yes", "--appendfsync", "always") as server:
        async with await Store.open(redis=server.url, patience_s=60) as store:
            await store.leagues.create("kept", b"", digest="d", divisions={"koikoi": 1})
            server.kill()
            waiting = asyncio.create_task(store.leagues.get("kept"))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(waiting), 0.1)
            await asyncio.to_thread(server.start)
            assert (await waiting).name == "kept"
            # The scripts were forgotten with the old server, and are loaded again.
            await store.leagues.start("kept")


async def test_a_server_that_takes_no_writes_is_told_of_once_however_many_reads_it_answers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with tcp_server(tmp_path) as server:
        client = await Client.connect(server.url, patience_s=60, notice_s=0.02)
        try:
            tell(server.url, f"REPLICAOF 127.0.0.1 {free_port()}")
            writing = [asyncio.create_task(client.call("SET", f"key:{number}", "")) for number in range(4)]
            await until(lambda: "does not answer" in caplog.text, "it is told of")
            for _ in range(100):
                await client.call("GET", "key:0")
            tell(server.url, "REPLICAOF NO ONE")
            assert await asyncio.gather(*writing) == [True] * 4
            said = [record.getMessage().removeprefix(f"the store at {client.address} ") for record in caplog.records]
            assert [text.partition(",")[0] for text in said] == ["does not answer", "is back"]
        finally:
            await client.close()


async def test_a_server_that_loads_its_data_is_waited_for_and_called_durable(tmp_path: Path) -> None:
    with tcp_server(tmp_path, "--appendonly", "yes", "--key-load-delay", "200") as server:
        async with connected(server.url) as client:
            await asyncio.gather(*(client.call("SET", str(number), "") for number in range(3072)))
        server.kill()
        connecting = asyncio.create_task(Client.connect(server.url, patience_s=60))
        starting = asyncio.create_task(asyncio.to_thread(server.start))
        client = await connecting
        await client.close()
        await starting
        assert client.info.durable


async def test_calls_under_way_when_a_store_is_closed_end_with_an_error_that_says_so(tmp_path: Path) -> None:
    with tcp_server(tmp_path) as server:
        async with connected(server.url) as client:
            calls = [asyncio.create_task(client.call("ECHO", str(i))) for i in range(500)]
            await asyncio.sleep(0)
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(answer) for answer in answers} == {StoreClosedError}
        with pytest.raises(StoreClosedError):
            await client.call("PING")


def test_a_connection_that_breaks_just_before_a_command_is_sent_is_made_again(tcp_url: str) -> None:
    async def called() -> None:
        async with connected(tcp_url) as client:
            await client.call("SET", "text", "kept")
            pool = client.redis.connection_pool
            get, broken = pool.get_connection, []

            async def get_broken(*args: Any) -> Any:
                connection = await get(*args)
                if not broken:
                    broken.append(connection)
                    connection._writer.transport.abort()
                    await asyncio.sleep(0)
                return connection

            pool.get_connection = get_broken
            assert await client.call("GET", "text") == b"kept"
            assert broken

    uvloop.run(called())  # the loop of all commands


async def test_of_connections_that_all_broke_without_a_word_one_is_waited_for(
    tcp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_ANSWER_S", 1.0)
    async with (
        Line("127.0.0.1", urlsplit(tcp_url).port or 0).open() as line,
        connected(f"redis://{line.address}/0") as client,
    ):
        await several(client)  # on a connection each
        line.half_open()
        asked_again = sum(meters.store_retries.values.values())
        assert await client.call("PING")
        await several(client)
        assert sum(meters.store_retries.values.values()) == asked_again + 1


async def several(client: Client) -> None:
    """Wait for nothing, three times at once."""
    waits = [client.redis.execute_command("BLPOP", "nothing", 0.1) for _ in range(3)]
    assert await asyncio.gather(*waits) == [None] * 3


async def test_an_error_of_the_server_that_waiting_does_not_cure_is_raised_at_once(tcp_url: str) -> None:
    async with connected(tcp_url) as client:
        await client.call("SET", "text", "text")
        with pytest.raises(StoreRefusedError, match="WRONGTYPE"):
            await client.call("HGET", "text", "field")


async def test_many_calls_at_once_are_each_answered_with_their_own(tcp_url: str) -> None:
    async with connected(tcp_url) as client:
        answers = await asyncio.gather(*(client.call("ECHO", str(i)) for i in range(1000)))
        assert answers == [str(i).encode() for i in range(1000)]
        one, other = client.call("ECHO", "one"), client.call("HGET", "echo", "missing")
        assert await asyncio.gather(one, other) == [b"one", None]  # type: ignore[comparison-overlap]


async def test_no_call_is_left_behind_that_comes_the_moment_the_ones_before_are_answered(
    tcp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However their answers come together, as they do where the process was held up."""
    async with connected(tcp_url) as client:
        exchange = client._exchange
        answered = asyncio.Semaphore(0)
        together = asyncio.Event()

        async def held_up(commands: list[tuple[Value, ...]]) -> list[Any]:
            answers = await exchange(commands)
            answered.release()
            await together.wait()
            return answers

        async def one_after_another(*texts: str) -> list[bytes]:
            return [await client.call("ECHO", text) for text in texts]

        monkeypatch.setattr(client, "_exchange", held_up)
        first = asyncio.create_task(one_after_another("one", "three"))
        await asyncio.sleep(0)
        second = asyncio.create_task(one_after_another("two"))
        for _ in range(2):
            await answered.acquire()
        together.set()
        async with asyncio.timeout(20):
            assert await asyncio.gather(first, second) == [[b"one", b"three"], [b"two"]]


async def test_an_error_among_many_calls_reaches_its_own_caller_alone(tcp_url: str) -> None:
    async with connected(tcp_url) as client:
        calls = [client.call("ECHO", "a"), client.call("NOSUCHCOMMAND"), client.call("ECHO", "b")]
        first, second, third = await asyncio.gather(*calls, return_exceptions=True)
    assert (first, third) == (b"a", b"b")
    assert isinstance(second, StoreRefusedError)


async def test_a_store_of_another_key_schema_is_refused(tcp_url: str) -> None:
    tell(tcp_url, "FLUSHALL")
    tell(tcp_url, "SET hfa:schema 99")
    with pytest.raises(StoreSchemaError, match="schema 99"):
        await Store.open(redis=tcp_url)


async def test_calls_of_an_impatient_client_wait_only_briefly_for_a_server_that_is_away(tmp_path: Path) -> None:
    with tcp_server(tmp_path) as server:
        client = await Client.connect(server.url, patience_s=3_600)
    waiting = asyncio.create_task(client.call("PING"))
    await asyncio.sleep(0)
    async with client.impatient(0.2):
        with pytest.raises(StoreUnavailableError, match=r"did not answer for 0\.\d+ s"):
            await waiting
        with pytest.raises(StoreUnavailableError):
            await client.call("PING")
    await client.close()


async def test_calls_go_on_while_their_connections_to_a_cluster_are_closed_under_them(cluster_url: str) -> None:
    """As redis-py does it by itself when a server takes another one's place."""
    client = await Client.connect(cluster_url, patience_s=60)
    assert isinstance(client.redis, RedisCluster)
    try:
        calls = [asyncio.create_task(_counted(client, number)) for number in range(8)]
        while not all(task.done() for task in calls):
            for node in client.redis.get_nodes():
                await asyncio.gather(*(connection.disconnect(nowait=True) for connection in node._connections))
            await asyncio.sleep(0.002)
        assert [await task for task in calls] == [100] * 8
    finally:
        await client.close()


async def _counted(client: Client, number: int) -> int:
    """How many calls were answered."""
    return len([await client.call("SET", f"{{{number}}}", "") for _ in range(100)])
