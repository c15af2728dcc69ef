"""The arena that the chaos run hits: a store, nodes, pages and bots, and the lines between them."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import arena_command
import psutil
from chaos_lines import Line
from chaos_processes import Kept
from chaos_stores import Servers, free_port
from chaos_told import Watched
from preloaded import ARENA

from arena.launcher.cage.program import FORK_SERVER, HAND, PAUSE
from arena.logs import JsonFormatter
from arena.store import Scope, Store

THINKS_S = 0.01
"""How long connected bots think, so that there is always a match to hit."""
DEADLINE_S = 1800.0
"""How long one league may take."""
_BOT = Path(__file__).with_name("chaos_bot.py")
OLDER = [Path(__file__).with_name("older_arena.py")]


class ChaosError(AssertionError):
    """Something was lost, counted twice, or came out otherwise."""


_NO_BOTS = frozenset({FORK_SERVER, PAUSE, HAND})
"""In the command lines of what else runs in a cage, and of bubblewrap until it has become that."""
_AWAY = re.compile(r"did not answer for|gave no snapshot|ended with status|was killed by signal|MISCONF|NOREPLICAS")
"""What a command ends with, after a while, for want of a store that takes its writes."""
_PAUSE_S = 0.5


async def arena(*arguments: str | Path, granted: str = "the store is back") -> str:
    """What a command of the arena prints; where it ends for want of the store, it is given again, as operators do.

    `granted` is what it says when one that had ended so had got through. ChaosError when it fails.
    """
    again = False
    async with asyncio.timeout(DEADLINE_S):
        while True:
            run = await asyncio.to_thread(arena_command.arena, *arguments, deadline_s=DEADLINE_S)
            if run.returncode == 0 or (again and granted in run.stderr):
                return run.stdout
            if not _AWAY.search(run.stderr):
                raise ChaosError(f"{' '.join(run.args)}: status {run.returncode}\n{run.stdout}{run.stderr}")
            again = True
            await asyncio.sleep(_PAUSE_S)


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
        web, self.pages_port = free_port(), free_port()
        self.web = Kept(
            "web",
            [ARENA, "web", *servers.place, "--listen", f"127.0.0.1:{self.pages_port}", "--metrics", f"127.0.0.1:{web}"],
            folder / "web.log",
            {"TMPDIR": str(temporary)},
        )
        self.watched = [Watched(kept.name, kept.log, port) for kept, port in [*self.nodes, (self.web, web)]]
        # Whoever uses an embedded store may come to run its server: this process too.
        self._own_log = folder / "own.log"
        self.watched.append(Watched("chaos", self._own_log))
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
            stack.enter_context(_logging_to(self._own_log))
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
            watching = [asyncio.create_task(one.watch()) for one in self.watched if one.port]
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

    def cages(self) -> list[psutil.Process]:
        """What holds the bots in cages that run, or has forked them, at any node."""
        return [cage for node, _ in self.nodes if node.pid for cage in cages_below(node.pid)]

    async def league(self, file: Path) -> None:
        """Have a league of a file played by the nodes."""
        await arena("league", "open", file, *self.place, granted="exists already")
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

    def store(self) -> Coroutine[Any, Any, Store]:
        """The store, opened beside the nodes."""
        option, where = self.place
        if option == "--redis":
            return Store.open(redis=where, attach=True, patience_s=120)
        return Store.open(Path(where), attach=True, patience_s=120)


def cages_below(pid: int) -> Iterator[psutil.Process]:
    """What holds the bots in cages that run below a process, or has forked them."""
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if _has_bot(process):
                    yield process


def _has_bot(process: psutil.Process) -> bool:
    """Whether it is a fork server that has forked a bot, or bubblewrap whose bot runs."""
    program, children = process.cmdline(), process.children()
    if program and program[0].endswith("bwrap"):
        return any((own := child.cmdline()) and not _NO_BOTS.intersection(own) for child in children)
    return FORK_SERVER in program and bool(children)


@contextmanager
def _logging_to(log: Path) -> Iterator[None]:
    """What this process logs is written there, as nodes write, while the body runs."""
    handler = logging.FileHandler(log)
    handler.setFormatter(JsonFormatter())
    logging.getLogger("arena").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("arena").removeHandler(handler)
        handler.close()
