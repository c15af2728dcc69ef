"""A master, a replica, and a sentinel that makes the replica the master when the master is lost."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena_command import until
from store_servers import ServerProcess, free_port, tcp_server, tell

from arena.store.embedded import find_binary

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")


class Watched:
    """The servers, and the URL by which the sentinel is asked for the master."""

    def __init__(self, master: ServerProcess, replica: ServerProcess, port: int) -> None:
        self.master = master
        self.replica = replica
        self.url = f"redis+sentinel://127.0.0.1:{port}/arena/0"

    def wait_until_copied(self) -> None:
        """Until the replica has everything that the master has."""
        until(self._is_copied, "the replica has everything")

    def _is_copied(self) -> bool:
        """Whether the replica is in step. WAIT would tell of what its own connection wrote alone."""
        told = tell(self.master.url, "INFO replication")
        sent, there = re.search(rb"master_repl_offset:(\d+)", told), re.search(rb"state=online,offset=(\d+)", told)
        return sent is not None and there is not None and sent[1] == there[1]


@contextmanager
def watched_by_sentinel(folder: Path) -> Iterator[Watched]:
    """Servers that run, with the replica in step."""
    folders = [folder / name for name in ("master", "replica", "sentinel")]
    for place in folders:
        place.mkdir(parents=True)
    with ExitStack() as stack:
        master = stack.enter_context(tcp_server(folders[0], *DURABLE))
        replica = stack.enter_context(tcp_server(folders[1], *DURABLE, "--replicaof", f"127.0.0.1 {master.port}"))
        port = free_port()
        settings = folders[2] / "sentinel.conf"
        settings.write_text(
            f"port {port}\nbind 127.0.0.1\nsentinel monitor arena 127.0.0.1 {master.port} 1\n"
            "sentinel down-after-milliseconds arena 1000\nsentinel failover-timeout arena 5000\n"
        )
        with (folders[2] / "log").open("wb") as log:
            sentinel = subprocess.Popen([find_binary(), settings, "--sentinel"], stdout=log, stderr=log)
        try:
            until(lambda: b"slaves=1" in information(port), "the sentinel knows the replica")
            yield Watched(master, replica, port)
        finally:
            sentinel.kill()
            sentinel.wait()


def information(port: int) -> bytes:
    """What the sentinel says of the servers; nothing before it listens."""
    try:
        return tell(f"redis://127.0.0.1:{port}", "INFO sentinel")
    except ConnectionRefusedError:
        return b""
