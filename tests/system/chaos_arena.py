"""The arena that the chaos run hits: a store, nodes, pages and bots, and the lines between them."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import arena_command
import psutil
from chaos_lines import Line
from chaos_processes import Kept
from chaos_stores import Servers, free_port
from chaos_told import Watched
from preloaded import ARENA

from arena.store import Scope, Store

THINKS_S = 0.01
"""How long connected bots think, so that there is always a match to hit."""
DEADLINE_S = 1800.0
"""How long one league may take."""
_BOT = Path(__file__).with_name("chaos_bot.py")
OLDER = [Path(__file__).with_name("older_arena.py")]


class ChaosError(AssertionError):
    """Something was lost, counted twice, or came out otherwise."""


async def arena(*arguments: str | Path) -> str:
    """What a command of the arena prints; ChaosError when it fails."""
    run = await asyncio.to_thread(arena_command.arena, *arguments, deadline_s=DEADLINE_S)
    if run.returncode:
        raise ChaosError(f"{' '.join(run.args)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


class Arena:
    """Everything in one folder. Bots reach each node, and nodes one another, over a line of that node."""

    def __init__(
        self,
        folder: Path,
        servers: Servers,
        connected: Sequence[str],
        lease_s: float,
        temporary: Path,
        *,
        nodes: int | None = None,
        older: bool = False,
        thinks_s: float = THINKS_S,
        tokens: dict[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.servers = servers
        self.lease_s = lease_s
        self.tokens = dict(tokens or {})
        folder.mkdir(parents=True, exist_ok=True)
        number = min(nodes or servers.nodes, servers.nodes)
        self.listens = [free_port() for _ in range(number)]
        self.lines = [Line("127.0.0.1", port) for port in self.listens]
        for line in self.lines:
            line.port = free_port()
        self.store_line: Line | None = None
        """The line between the first node and the store, where that is one server."""
        if port := getattr(servers, "port", None):
            self.store_line = Line("127.0.0.1", port)
            self.store_line.port = free_port()
        self.temporary = temporary
        self._program = OLDER if older else [ARENA]
        self.nodes = [self._node(place) for place in range(number)]
        web = free_port()
        self.web = Kept(
            "web",
            [ARENA, "web", *servers.place, "--listen", f"127.0.0.1:{free_port()}", "--metrics", f"127.0.0.1:{web}"],
            folder / "web.log",
            {"TMPDIR": str(temporary)},
        )
        self.watched = [*(Watched(node, port) for node, port in self.nodes), Watched(self.web, web)]
        addresses = [line.address for line in self.lines]
        self.bots = [
            Kept(
                name,
                [_BOT],
                folder / f"{name}.log",
                # Each begins with another node.
                {
                    "ARENA_ADDRESS": ",".join(addresses[place % number :] + addresses[: place % number]),
                    "ARENA_CHAOS_THINKS_S": str(thinks_s),
                },
            )
            for place, name in enumerate(connected)
        ]

    @property
    def place(self) -> tuple[str, str]:
        """The option by which commands find the store."""
        return self.servers.place

    def _node(self, place: int) -> tuple[Kept, int]:
        """A node, and its port for operators."""
        metrics, listen = free_port(), self.listens[place]
        store = self.servers.place
        options = ["--advertise", self.lines[place].address] if store[0] == "--redis" else []
        if self.store_line is not None and place == 0:
            store = ("--redis", f"redis://{self.store_line.address}/0")
        if store[0] == "--redis":
            options += ["--data", str(self.temporary / self.folder.name / f"node-{place + 1}")]
        command = [
            *(*self._program, "serve", *store, "--listen", f"127.0.0.1:{listen}", *options),
            *("--lease", str(self.lease_s), "--log", "json", "--metrics", f"127.0.0.1:{metrics}"),
        ]
        log = self.folder / f"node-{place + 1}.log"
        return Kept(f"node-{place + 1}", command, log, {"TMPDIR": str(self.temporary)}), metrics

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Arena"]:
        """Everything runs while the body does."""
        async with AsyncExitStack() as stack:
            for kept in self.servers.kept:
                kept.start()
                stack.push_async_callback(kept.end)
            await self.servers.ready()
            for line in (*self.lines, *([self.store_line] if self.store_line else ())):
                await stack.enter_async_context(line.open())
            first, *others = self.nodes
            first[0].start()
            stack.push_async_callback(first[0].end)
            async with asyncio.timeout(DEADLINE_S):
                await self.listening(0)
            for bot in self.bots:
                if bot.name not in self.tokens:
                    self.tokens[bot.name] = (await arena("bot", "create", bot.name, *self.place)).strip()
                bot.env["ARENA_TOKEN"] = self.tokens[bot.name]
            for kept in (*(node for node, _ in others), self.web, *self.bots):
                kept.start()
                stack.push_async_callback(kept.end)
            async with asyncio.timeout(DEADLINE_S):
                for place in range(len(self.nodes)):
                    await self.listening(place)
            watching = [asyncio.create_task(one.watch()) for one in self.watched]
            try:
                yield self
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.gather(*watching, return_exceptions=True)

    async def listening(self, place: int) -> None:
        """Wait until a node listens."""
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.listens[place])
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return

    def children(self, word: str) -> list[psutil.Process]:
        """The processes that nodes have started whose command line has a word that ends so."""
        found = []
        for node, _ in self.nodes:
            try:
                below = psutil.Process(node.pid).children(recursive=True) if node.pid else []
                found += [child for child in below if any(part.endswith(word) for part in child.cmdline())]
            except psutil.NoSuchProcess:
                continue
        return found

    async def league(self, file: Path) -> None:
        """Have a league of a file played by the nodes."""
        await arena("league", "open", file, *self.place)
        await arena("league", "start", file.stem, *self.place)

    async def finished(self, name: str) -> dict[str, Any]:
        """Wait until a league is finished; what `--json` shows of it then. ChaosError when a job of it was given up."""
        async with asyncio.timeout(DEADLINE_S), await self.store() as store:
            while (league := await store.leagues.get(name)).state != "finished":
                for division in league.divisions:
                    for parked in (await store.stalled.parked(Scope.league(name, division.variant))).items:
                        raise ChaosError(f"a job of league {name} was given up: {parked}")
                await asyncio.sleep(0.2)
        shown: dict[str, Any] = json.loads(await arena("league", "show", name, *self.place, "--json"))
        return shown

    def store(self) -> Any:
        """The store, opened beside the nodes."""
        option, where = self.place
        if option == "--redis":
            return Store.open(redis=where, patience_s=120)
        return Store.open(Path(where), attach=True, patience_s=120)
