"""The store over TLS, by certificates that are checked: one server, a cluster, and sentinels."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from arena_command import Running
from prerequisites import not_run
from store_servers import free_port, until

from arena.store import Store
from arena.store.errors import StoreUnavailableError

_TLS = Path(__file__).with_name("tls")
"""A certificate of localhost and 127.0.0.1 that nobody trusts but these tests, and its key."""
_TRUST = f"?ssl_ca_certs={_TLS / 'cert.pem'}"
_DEADLINE_S = 60.0


class Server(NamedTuple):
    """A server that speaks TLS alone."""

    port: int
    process: subprocess.Popen[str]


def asked(port: int, *command: str) -> str:
    """What a server answers, by Redis's own client."""
    words = ("redis-cli", "-p", str(port), "--tls", "--cacert", str(_TLS / "cert.pem"), *command)
    return subprocess.run(words, capture_output=True, text=True, timeout=_DEADLINE_S, check=False).stdout


@contextmanager
def server(folder: Path, *settings: str, first: tuple[str | Path, ...] = ()) -> Iterator[Server]:
    """A server of Debian's Redis, as the one that the arena embeds speaks no TLS."""
    binary = shutil.which("redis-server")
    if binary is None:
        not_run("redis-server is not installed: TLS to the store is not tried")
    folder.mkdir(exist_ok=True)
    files = ("--tls-cert-file", _TLS / "cert.pem", "--tls-key-file", _TLS / "key.pem")
    port = free_port()
    command = [
        *(binary, *first, "--port", "0", "--tls-port", str(port), *files, "--tls-ca-cert-file", _TLS / "cert.pem"),
        *("--tls-auth-clients", "no", "--tls-replication", "yes", "--bind", "127.0.0.1", "--save", ""),
        *("--dir", folder, *settings),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    run = Running(process, process.stdout)
    try:
        run.wait_for("Ready to accept connections|monitor master")
        yield Server(port, process)
    finally:
        run.close()


def offset(one: Server, name: str) -> int:
    """How far a server's replication is; the sentinel's own messages move it as well."""
    return int(asked(one.port, "INFO", "replication").partition(f"{name}:")[2].split()[0])


@contextmanager
def single(folder: Path) -> Iterator[str]:
    """One server; its URL."""
    with server(folder) as one:
        yield f"rediss://127.0.0.1:{one.port}/0"


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A cluster of one node; its URL."""
    settings = ("--cluster-enabled", "yes", "--tls-cluster", "yes", "--cluster-port", str(free_port()))
    with server(folder, *settings) as one:
        assert asked(one.port, "CLUSTER", "ADDSLOTSRANGE", "0", "16383") == "OK\n"
        yield f"rediss://127.0.0.1:{one.port},127.0.0.1:{one.port}"


class Watched(NamedTuple):
    """A master with a replica, and the URL of the sentinel that watches them."""

    master: Server
    replica: Server
    url: str


@contextmanager
def sentinel(folder: Path) -> Iterator[Watched]:
    """Servers and a sentinel; none of them speaks anything but TLS."""
    with ExitStack() as stack:
        master = stack.enter_context(server(folder / "master"))
        replica = stack.enter_context(server(folder / "replica", "--replicaof", "127.0.0.1", str(master.port)))
        settings = folder / "sentinel.conf"
        settings.write_text(
            f"sentinel monitor arena 127.0.0.1 {master.port} 1\n"
            "sentinel down-after-milliseconds arena 500\nsentinel failover-timeout arena 5000\n"
        )
        watching = stack.enter_context(server(folder / "sentinel", "--sentinel", first=(settings,)))
        yield Watched(master, replica, f"rediss+sentinel://127.0.0.1:{watching.port}/arena/0")


@pytest.mark.parametrize("kind", [single, cluster], ids=["single", "cluster"])
async def test_a_store_over_tls_is_used_by_whoever_trusts_its_certificate(kind: object, tmp_path: Path) -> None:
    with kind(tmp_path / "server") as url:
        async with await Store.open(redis=url + _TRUST, patience_s=_DEADLINE_S) as store:
            await store.bots.create("ann")
            assert (await store.bots.get("ann")).name == "ann"
        with pytest.raises(StoreUnavailableError, match=r"certificate|self.signed"):
            await Store.open(redis=url, patience_s=1)


async def test_sentinels_and_servers_over_tls_fail_over(tmp_path: Path) -> None:
    with sentinel(tmp_path) as servers:
        await until(lambda: "state=online" in asked(servers.master.port, "INFO", "replication"), "there is a replica")
        async with await Store.open(redis=servers.url + _TRUST, patience_s=_DEADLINE_S) as store:
            await store.bots.create("ann")
            sent = offset(servers.master, "master_repl_offset")
            await until(lambda: offset(servers.replica, "slave_repl_offset") >= sent, "the replica has everything")
            servers.master.process.kill()
            await store.bots.create("bo")
            assert "role:master" in asked(servers.replica.port, "INFO", "replication")
            assert [bot.name for bot in (await store.bots.list()).items] == ["ann", "bo"]
        with pytest.raises(StoreUnavailableError):
            await Store.open(redis=servers.url, patience_s=1)
