"""Several nodes on one store, bots that connect to them, and what these write down of what they were asked."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from arena_command import DEADLINE_S, Running, done, running, until
from one_node import bearer, wait_until_connected
from preloaded import Forked, start
from store_servers import tcp_server

from hanafuda.arena.v1 import match_pb2, match_pb2_grpc
from hanafuda.arena.v1.view_pb2 import Event

# Thinks a little, plays by its dice, and writes down each decision with all that it was shown.
WRITES_DOWN = """\
import asyncio
import hashlib
import json
import os

from arena.sdk import Bot, run


class MyBot(Bot):
    max_matches = {max_matches}

    async def choose(self, decision):
        await asyncio.sleep({think_s})
        decision.message.repeated = False
        decision.message.clock.Clear()
        shown = hashlib.sha256(decision.message.SerializeToString(deterministic=True)).hexdigest()
        with open({file!r}, "a") as file:
            file.write(json.dumps([decision.match.id, decision.number, shown]) + "\\n")
        return decision.legal[decision.message.random % len(decision.legal)]

    def started(self, match):
        with open({file!r}, "a") as file:
            file.write(json.dumps([match.id, 0, ""]) + "\\n")

    def ended(self, match, end):
        with open({file!r}, "a") as file:
            file.write(json.dumps([match.id, -1, end.reason]) + "\\n")


run(MyBot())
"""

LEASE_S = 3.0
"""The leases of these nodes: shorter than by default, as tests wait for them to run out."""

OWN = (("grpc.use_local_subchannel_pool", 1),)
"""The option of a channel that shares no connection with others to the same address."""


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """A server for the store; its URL."""
    with tcp_server(folder) as server:
        yield server.url


@dataclass
class Node:
    """A node's process, where it listens, and a channel to it, and never to one that was at its address before."""

    run: Running
    address: str
    channel: grpc.Channel

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send it a signal."""
        self.run.process.send_signal(how)


class Bot:
    """A bot's process, and what it wrote down."""

    def __init__(self, process: Forked, notes: Path) -> None:
        self.process = process
        self._notes = notes

    def notes(self) -> list[tuple[str, int, Any]]:
        """Match, decision (0: the start, -1: the end) and what was shown (or the end's reason), in order."""
        if not self._notes.exists():
            return []
        lines = self._notes.read_text().splitlines(keepends=True)
        return [tuple(json.loads(line)) for line in lines if line.endswith("\n")]

    def decisions(self, match_id: str) -> list[tuple[int, Any]]:
        """The decisions of a match that it was asked."""
        return [(number, shown) for match, number, shown in self.notes() if match == match_id and number > 0]

    def has_started(self, match_id: str) -> bool:
        """Whether it was told that a match begins."""
        return any(match == match_id and number == 0 for match, number, _ in self.notes())

    def ends(self, match_id: str) -> list[Any]:
        """How it was told that a match ended."""
        return [shown for match, number, shown in self.notes() if match == match_id and number == -1]


class Watcher:
    """A spectator of a match: what it has been shown, and how its stream ended."""

    def __init__(self, stream: Any) -> None:
        self.shown: list[match_pb2.WatchMatchResponse] = []
        self.status: grpc.StatusCode | None = None
        self.details = ""
        self._stream = stream
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(grpc.RpcError):
            self.shown.extend(self._stream)
        self.details = self._stream.details()
        self.status = self._stream.code()

    def join(self) -> None:
        """Wait until the stream has ended."""
        self._thread.join(DEADLINE_S)

    def to_the_end(self) -> tuple[list[Event], match_pb2.MatchEnd]:
        """The events that were shown, and the match's end, when the stream has ended well."""
        self.join()
        assert self.status is grpc.StatusCode.OK, self.details
        *events, end = self.shown
        assert all(message.HasField("event") for message in events)
        assert end.HasField("match_end")
        return [message.event for message in events], end.match_end


class Nodes:
    """An arena of several nodes."""

    def __init__(self, folder: Path, url: str, stack: ExitStack) -> None:
        self.folder = folder
        self.url = url
        self._stack = stack
        self._tokens: dict[str, str] = {}

    def start(
        self, *more: str | Path, listen: str = "127.0.0.1:0", trust: grpc.ChannelCredentials | None = None
    ) -> Node:
        """One more node; with TLS where the tests are to `trust` it."""
        run = self._stack.enter_context(
            running(
                *("serve", "--redis", self.url, "--listen", listen, "--lease", str(LEASE_S), *more), cwd=self.folder
            )
        )
        address = run.wait_for(r"listening on (\S+:\d+)")[1]
        channel = grpc.insecure_channel(address, OWN) if trust is None else grpc.secure_channel(address, trust, OWN)
        return Node(run, address, self._stack.enter_context(channel))

    def token(self, name: str, *more: str) -> str:
        """The token of a bot, which is registered if it is not yet."""
        if name not in self._tokens:
            created = ("bot", "create", name, "--challenges", "anyone", "--redis", self.url)
            self._tokens[name] = done(*created, *more, cwd=self.folder).strip()
        return self._tokens[name]

    def bot(self, name: str, *nodes: Node, think_s: float = 0.01, max_matches: int = 8, **more: str) -> Bot:
        """A bot that connects to the first of these nodes, and to the next when it loses one."""
        notes = self.folder / f"{name}.notes"
        program = self.folder / f"{name}.py"
        program.write_text(WRITES_DOWN.format(think_s=think_s, file=str(notes), max_matches=max_matches))
        addresses = ",".join(node.address for node in nodes)
        env = {**os.environ, "ARENA_ADDRESS": addresses, "ARENA_TOKEN": self.token(name), **more}
        with (self.folder / f"{name}.log").open("ab") as log:
            process = start([program], self.folder, env, log.fileno(), log.fileno())
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return Bot(process, notes)

    def metadata(self, name: str) -> tuple[tuple[str, str], ...]:
        """What a bot shows."""
        return bearer(self.token(name))

    def wait_until_connected(self, node: Node, *names: str) -> None:
        """Until the node knows that all these bots are connected, there or elsewhere."""
        wait_until_connected(node.channel, self.token(names[0]), *names)

    def challenge(self, node: Node, *names: str, months: int = 12, **more: Any) -> str:
        """A match between connected bots; its id."""
        wanted = match_pb2.CreateMatchRequest(variant="koikoi", options={"months": str(months)}, bots=names, **more)
        stub = match_pb2_grpc.MatchServiceStub(node.channel)
        return str(stub.CreateMatch(wanted, metadata=self.metadata(names[0]), timeout=DEADLINE_S).match.match_id)

    def watch(self, node: Node, match_id: str, name: str) -> Watcher:
        """A spectator at a node, with that bot's token."""
        stub = match_pb2_grpc.MatchServiceStub(node.channel)
        request = match_pb2.WatchMatchRequest(match_id=match_id)
        return Watcher(stub.WatchMatch(request, metadata=self.metadata(name), timeout=DEADLINE_S))

    def ended(self, node: Node, match_id: str, name: str) -> match_pb2.Match:
        """The match, when it is over."""
        stub = match_pb2_grpc.MatchServiceStub(node.channel)
        found: list[match_pb2.Match] = []

        def over() -> bool:
            request = match_pb2.GetMatchRequest(match_id=match_id)
            match = stub.GetMatch(request, metadata=self.metadata(name), timeout=DEADLINE_S).match
            found[:] = [match]
            assert match.status != match_pb2.MATCH_STATUS_PARKED
            return bool(match.status == match_pb2.MATCH_STATUS_OVER)

        until(over, f"match {match_id} is over")
        return found[0]


@contextmanager
def several_nodes(folder: Path) -> Iterator[Nodes]:
    """An arena without a node yet."""
    with redis_server(folder) as url, ExitStack() as stack:
        yield Nodes(folder, url, stack)
