"""The kinds of store on which the chaos run plays: what is started for them, and how each loses its master."""

import asyncio
import re
import shutil
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
from chaos_processes import Kept

from arena.store.embedded import find_binary

sys.path.append(str(Path(__file__).parents[1] / "store"))
from store_servers import free_port, tell, until

_DURABLE = ("--save", "", "--appendonly", "yes", "--appendfsync", "always")
_NODE_TIMEOUT_MS = 1500
"""After which the nodes of a cluster and sentinels give a server up."""
MASTERS = 3


def _server(folder: Path, name: str, *settings: str) -> tuple[Kept, int]:
    """A server in a folder of its own, and its port."""
    place, port = folder / name, free_port()
    place.mkdir(parents=True)
    command = [find_binary(), "--port", str(port), "--bind", "127.0.0.1", "--dir", place, *_DURABLE, *settings]
    return Kept(name, command, folder / f"{name}.log"), port


def _told(port: int, command: str) -> str:
    """What a server answers; nothing while it is not there."""
    try:
        return tell(f"redis://127.0.0.1:{port}", command).decode(errors="replace")
    except (OSError, AssertionError):  # it is away, or not yet what it is to be
        return ""


async def _until(port: int, command: str, pattern: str) -> None:
    """Wait until a server's answer to a command matches."""

    async def answers() -> bool:
        return re.search(pattern, await asyncio.to_thread(_told, port, command)) is not None

    await until(answers, f"the server at {port} answers {command} with {pattern}")


class Servers(ABC):
    """The servers of a store."""

    kind = ""
    nodes = 3
    """How many nodes of the arena may play on it."""
    replaced = False
    """Whether another server takes the place of one that is lost."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: list[Kept] = []

    @property
    @abstractmethod
    def place(self) -> tuple[str, str]:
        """The option by which commands find the store."""

    @property
    def disk(self) -> Path:
        """The folder that is full when the disk is."""
        return self.folder / "servers"

    async def ready(self) -> None:
        """Wait until the store answers; here its first node does."""
        return

    async def settled(self) -> None:
        """Wait until it is known again which server takes writes; where there is one, nothing else is to be known."""
        return

    @abstractmethod
    def masters(self) -> list[int]:
        """The processes that take writes now."""

    async def kill_master(self, down_s: float) -> None:
        """Kill who takes writes, and keep it down for a while, or until another one has its place."""
        for kept in self.kept:
            kept.hold()
        try:
            for pid in self.masters():
                psutil.Process(pid).kill()
            await asyncio.sleep(down_s)
        finally:
            for kept in self.kept:
                kept.let_go()


class Embedded(Servers):
    """The server that a node runs in its data folder."""

    kind = "embedded"
    nodes = 1

    @property
    def place(self) -> tuple[str, str]:
        return ("--data", str(self.data))

    @property
    def data(self) -> Path:
        """The data folder of the node and of all others."""
        return self.folder / "servers" / "data"

    def masters(self) -> list[int]:
        return list(self._found())

    def _found(self) -> Iterator[int]:
        for process in psutil.process_iter(["name", "cwd"]):
            if process.info["name"] == "valkey-server" and process.info["cwd"] == str(self.data):
                yield process.pid


class Single(Servers):
    """One server."""

    kind = "redis"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        server, self.port = _server(folder / "servers", "store")
        self.kept = [server]

    @property
    def place(self) -> tuple[str, str]:
        return ("--redis", f"redis://127.0.0.1:{self.port}/0")

    async def ready(self) -> None:
        await _until(self.port, "PING", "PONG")

    def masters(self) -> list[int]:
        return [pid for kept in self.kept if (pid := kept.pid)]


class Sentinels(Servers):
    """A master, a replica, and three sentinels that make the replica the master when the master is lost."""

    kind = "sentinel"
    replaced = True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        place = folder / "servers"
        master, master_port = _server(place, "server-1")
        replica, replica_port = _server(place, "server-2", "--replicaof", f"127.0.0.1 {master_port}")
        self._servers = {master_port: master, replica_port: replica}
        self._first = master_port
        self._sentinels: dict[int, Kept] = {}
        for number in range(1, 4):
            port, home = free_port(), place / f"sentinel-{number}"
            home.mkdir()
            settings = home / "sentinel.conf"
            settings.write_text(
                f"port {port}\nbind 127.0.0.1\ndir {home}\nsentinel monitor arena 127.0.0.1 {master_port} 2\n"
                f"sentinel down-after-milliseconds arena {_NODE_TIMEOUT_MS}\n"
                "sentinel failover-timeout arena 5000\n"
            )
            command = [find_binary(), settings, "--sentinel"]
            self._sentinels[port] = Kept(f"sentinel-{number}", command, place / f"sentinel-{number}.log")
        self.kept = [master, replica, *self._sentinels.values()]

    @property
    def place(self) -> tuple[str, str]:
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._sentinels)
        return ("--redis", f"redis+sentinel://{hosts}/arena/0")

    async def ready(self) -> None:
        await _until(self._first, "INFO replication", "state=online")
        for port in self._sentinels:
            await _until(port, "INFO sentinel", r"slaves=1,sentinels=3")

    def _master(self) -> int:
        """The port of the master, as the sentinels that answer say."""
        for port in self._sentinels:
            found = re.findall(r"\r\n(\d+)\r\n", _told(port, "SENTINEL get-master-addr-by-name arena"))
            if found:
                return int(found[-1])
        return self._first

    def masters(self) -> list[int]:
        pid = self._servers[self._master()].pid
        return [pid] if pid else []

    async def kill_master(self, down_s: float) -> None:
        lost = self._master()
        self._servers[lost].hold()
        try:
            self._servers[lost].signal(signal.SIGKILL)
            await until(lambda: self._another_than(lost), "the sentinels have another master")
        finally:
            self._servers[lost].let_go()
        await self.settled()

    async def settled(self) -> None:
        """Wait until the master has its replica, as the sentinels told it to be; until then none could take its place.

        Where both were lost with the disk they share, each may have been told to follow the other one.
        """
        await until(self._in_step, "the master has its replica")

    async def _in_step(self) -> bool:
        return "state=online" in await asyncio.to_thread(lambda: _told(self._master(), "INFO replication"))

    async def _another_than(self, lost: int) -> bool:
        return await asyncio.to_thread(self._master) != lost

    async def kill_sentinel(self) -> None:
        """Kill one of the sentinels."""
        next(iter(self._sentinels.values())).signal(signal.SIGKILL)


class Cluster(Servers):
    """Three masters, each with a replica."""

    kind = "cluster"
    replaced = True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        settings = (
            *("--cluster-enabled", "yes", "--cluster-node-timeout", str(_NODE_TIMEOUT_MS)),
            *("--cluster-replica-validity-factor", "0", "--cluster-require-full-coverage", "no"),
        )
        self._servers: dict[int, Kept] = {}
        for number in range(1, 2 * MASTERS + 1):
            server, port = _server(folder / "servers", f"server-{number}", *settings)
            self._servers[port] = server
        self.kept = [*self._servers.values()]

    @property
    def place(self) -> tuple[str, str]:
        return ("--redis", "redis://" + ",".join(f"127.0.0.1:{port}" for port in self._servers))

    async def ready(self) -> None:
        ports = [*self._servers]
        for port in ports:
            await _until(port, "PING", "PONG")
        for port in ports[1:]:
            _told(ports[0], f"CLUSTER MEET 127.0.0.1 {port}")
        for port in ports:
            await _until(port, "CLUSTER INFO", f"cluster_known_nodes:{len(ports)}\r")
        bounds = [round(16384 * share / MASTERS) for share in range(MASTERS + 1)]
        for number, port in enumerate(ports[:MASTERS]):
            _told(port, f"CLUSTER ADDSLOTSRANGE {bounds[number]} {bounds[number + 1] - 1}")
        for port, master in zip(ports[MASTERS:], ports[:MASTERS], strict=True):
            name = re.findall(r"[0-9a-f]{40}", _told(master, "CLUSTER MYID"))[0]
            await _until(port, f"CLUSTER REPLICATE {name}", "OK")
            await _until(master, "INFO replication", "state=online")
        for port in ports:
            await _until(port, "CLUSTER INFO", "cluster_state:ok")

    async def settled(self) -> None:
        """Wait until there are as many masters as there are to be, and all servers know them."""
        await until(lambda: self._others_than(0), "each part has its master")
        for port in self._servers:
            await _until(port, "CLUSTER INFO", "cluster_state:ok")

    async def _others_than(self, lost: int) -> bool:
        return len(set(await asyncio.to_thread(self._masters)) - {lost}) == MASTERS

    def _masters(self) -> Sequence[int]:
        return [port for port in self._servers if "role:master" in _told(port, "INFO replication")]

    def masters(self) -> list[int]:
        return [pid for port in self._masters() if (pid := self._servers[port].pid)]

    async def kill_master(self, down_s: float) -> None:
        masters = await asyncio.to_thread(self._masters)
        lost = masters[0]
        self._servers[lost].hold()
        try:
            self._servers[lost].signal(signal.SIGKILL)
            await until(lambda: self._others_than(lost), "its replica is a master")
        finally:
            self._servers[lost].let_go()
        await _until(lost, "INFO replication", "master_link_status:up")


STORES: dict[str, type[Servers]] = {kind.kind: kind for kind in (Embedded, Single, Sentinels, Cluster)}
"""The kinds of store by name."""


def free(folder: Path) -> int:
    """The bytes that are free in a folder."""
    return shutil.disk_usage(folder).free
