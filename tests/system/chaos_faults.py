"""What the chaos run does to an arena: one table of faults, each with the signs by which the arena tells of it."""

import asyncio
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from chaos_arena import Arena, arena
from chaos_checks import Blow
from chaos_lines import Line
from chaos_processes import Kept
from chaos_stores import Sentinels, free, until
from chaos_told import TELL_S, Sign, counted, logged, longer, silent, untold, was
from preloaded import ARENA

TRIES = 3
"""How often a fault is dealt that found nobody to notice it."""
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
_AHEAD_S = 3600
_ANSWER_S = 10.0
"""How long the store's client waits for an answer."""
_SLOW_S = 0.3
_KEEPALIVE_S = 60.0
"""Within which a bot notices that nobody is at the other end."""
_BUSY_S = 20.0
_AT_ONCE_S, _MANY_TRIES = 3.0, 40
"""For what is told at once, but often hits nobody: the cage of a bot whose match is over."""
_ALL = frozenset({"embedded", "redis", "sentinel", "cluster"})
_SERVERS = _ALL - {"embedded"}


@dataclass
class Hit:
    """The arena that is hit, and what a fault needs beside it."""

    arena: Arena
    dice: random.Random
    backups: list[Path] = field(default_factory=list)
    """What was taken of it while it played."""

    async def busy_node(self) -> tuple[int, Kept]:
        """A node that runs, if there is one one that plays and has bots; its place."""
        deadline = time.time() + _BUSY_S
        while True:
            up = [(place, node) for place, (node, _) in enumerate(self.arena.nodes) if node.pid]
            playing = [one for one in up if self._plays(one[0])]
            if playing or (up and time.time() > deadline):
                return self.dice.choice(playing or up)
            await asyncio.sleep(0.05)

    def _plays(self, place: int) -> bool:
        node = self.arena.watched[place]
        return node.now("arena_playing") + node.now("arena_waiting") > 0 and node.now("arena_bots") > 0

    async def some(self, kept: list[Kept]) -> Kept:
        """One of these that runs."""
        await until(lambda: any(one.pid for one in kept), "one of them runs")
        return self.dice.choice([one for one in kept if one.pid])

    async def line(self) -> tuple[int, Line]:
        """The process of a node to which bots have come over a line, if there is one that plays, and the line."""

        def taken() -> list[tuple[int, Line]]:
            places = enumerate(zip(self.arena.lines, self.arena.watched, strict=False))
            return [(place, line) for place, (line, node) in places if node.now("arena_bots") > 0 and line.is_taken]

        await self.busy_node()
        await until(lambda: len(taken()) > 0, "a bot is connected")
        lines = [(place, line) for place, line in taken() if self._plays(place)] or taken()
        place, line = self.dice.choice(lines)
        node, _ = self.arena.nodes[place]
        return node.pid or 0, line

    @property
    def store_line(self) -> Line:
        """The line between a node and the store."""
        assert self.arena.store_line is not None
        return self.arena.store_line

    @property
    def long_s(self) -> float:
        """Longer than every lease."""
        return self.arena.lease_s + 2


Deal = Callable[[Hit], Awaitable[frozenset[int] | None]]
"""Does it, to its end. Returns the processes that lose their leases by it: none, or None for any."""
_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Fault:
    """Something that happens to an arena, on which kinds of store, and what the arena tells of it."""

    deal: Deal
    signs: Mapping[str, Sign]
    stores: frozenset[str] = _ALL
    kills: bool = False
    """Whether processes lose their leases for good."""
    quick: bool = False
    """Whether it is over in a moment."""
    needs_root: bool = False
    tell_s: float = TELL_S
    tries: int = TRIES


# Killed.


async def _kill_node(hit: Hit) -> frozenset[int]:
    place, node = await hit.busy_node()
    pid = node.pid
    assert pid is not None
    node.signal(signal.SIGKILL)
    await node.is_back(pid)
    await hit.arena.listening(place)
    return frozenset({pid})


async def _kill_web(hit: Hit) -> frozenset[int]:
    web = await hit.some([hit.arena.web])
    pid = web.pid or 0
    web.signal(signal.SIGKILL)
    await web.is_back(pid)
    return _NOBODY


async def _kill_bot(hit: Hit) -> frozenset[int]:
    bot = await hit.some(hit.arena.bots)
    pid = bot.pid or 0
    bot.signal(signal.SIGKILL)
    await bot.is_back(pid)
    return _NOBODY


async def _kill_cage(hit: Hit) -> frozenset[int]:
    """The program around a caged bot that runs, which is none of the bot's: what it was forked by, or what holds it."""
    deadline = time.time() + _BUSY_S
    while time.time() < deadline:
        if cages := hit.arena.cages():
            with suppress(psutil.NoSuchProcess):
                hit.dice.choice(cages).kill()
            break
        await asyncio.sleep(0.01)
    return _NOBODY


async def _kill_master(hit: Hit) -> None:
    await hit.arena.servers.kill_master(down_s=1.5)


async def _kill_sentinel(hit: Hit) -> frozenset[int]:
    assert isinstance(hit.arena.servers, Sentinels)
    await hit.arena.servers.kill_sentinel()
    return _NOBODY


async def _kill_everything(hit: Hit) -> frozenset[int]:
    processes = [*hit.arena.servers.kept, *(node for node, _ in hit.arena.nodes), hit.arena.web, *hit.arena.bots]
    embedded = [] if hit.arena.servers.kept else hit.arena.servers.masters()
    before = [process.pid or 0 for process in processes]
    for one in processes:
        one.signal(signal.SIGKILL)
    for pid in embedded:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
    for one, pid in zip(processes, before, strict=True):
        await one.is_back(pid)
    for place in range(len(hit.arena.nodes)):
        await hit.arena.listening(place)
    return frozenset(before)


# Stopped.


@asynccontextmanager
async def _stopped(pid: int) -> AsyncIterator[None]:
    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).suspend()
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).resume()


async def _stop_node(hit: Hit) -> frozenset[int]:
    _, node = await hit.busy_node()
    pid = node.pid or 0
    async with _stopped(pid):
        await asyncio.sleep(hit.long_s)
    return frozenset({pid})


async def _stop_bot(hit: Hit) -> frozenset[int]:
    await hit.busy_node()  # who stops while nothing is played is asked by nobody
    bot = await hit.some(hit.arena.bots)
    async with _stopped(bot.pid or 0):
        await asyncio.sleep(hit.long_s)
    return _NOBODY


async def _stop_store(hit: Hit) -> None:
    async with AsyncExitStack() as stack:
        for pid in hit.arena.servers.masters():
            await stack.enter_async_context(_stopped(pid))
        await asyncio.sleep(max(hit.long_s, _ANSWER_S + 2))


# Full disks.


@asynccontextmanager
async def _full(folder: Path) -> AsyncIterator[None]:
    """No byte is free on the disk of a folder while the body runs."""
    filler = folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(min(1 << 20, max(1, free(folder)))))
    try:
        yield
    finally:
        filler.unlink()


async def _fill_store(hit: Hit) -> None:
    async with _full(hit.arena.servers.disk):
        await asyncio.sleep(4)
    await hit.arena.servers.settled()


async def _fill_nodes(hit: Hit) -> frozenset[int]:
    async with _full(hit.arena.temporary):
        await asyncio.sleep(4)
    return _NOBODY


# Lines.


async def _cut_bots(hit: Hit) -> frozenset[int]:
    _, line = await hit.line()
    line.cut()
    return _NOBODY


async def _half_open_bots(hit: Hit) -> frozenset[int]:
    _, line = await hit.line()
    line.half_open()
    return _NOBODY


async def _slow_bots(hit: Hit) -> frozenset[int]:
    _, line = await hit.line()
    async with line.slow(_SLOW_S):
        await asyncio.sleep(3)
    return _NOBODY


async def _dead_bots(hit: Hit) -> frozenset[int]:
    """Jobs are handed over by the same line: the node's are, while it does not know of them."""
    pid, line = await hit.line()
    async with line.dead():
        await asyncio.sleep(hit.long_s)
    return frozenset({pid})


async def _cut_store(hit: Hit) -> frozenset[int]:
    hit.store_line.cut()
    return _NOBODY


async def _half_open_store(hit: Hit) -> None:
    hit.store_line.half_open()
    await asyncio.sleep(_ANSWER_S)


async def _slow_store(hit: Hit) -> None:
    async with hit.store_line.slow(_SLOW_S):
        await asyncio.sleep(5)


async def _dead_store(hit: Hit) -> None:
    async with hit.store_line.dead():
        await asyncio.sleep(_ANSWER_S + 2)


# Operators.


async def _set_clock(hit: Hit) -> frozenset[int]:
    """A node runs for a while by a clock that is an hour ahead."""
    place, (node, _) = len(hit.arena.nodes) - 1, hit.arena.nodes[-1]
    clock = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": f"+{_AHEAD_S}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    began = time.time()
    killed = set()
    for env in ({**node.env, **clock}, node.env):
        pid, node.env = node.pid or 0, env
        killed.add(pid)
        node.signal(signal.SIGKILL)
        await node.is_back(pid)
        await hit.arena.listening(place)
        if "LD_PRELOAD" in env:
            await until(lambda: _IS_APART(hit.arena.watched, began), "the metrics tell that the clocks are apart")
    return frozenset(killed)


async def _back_up(hit: Hit) -> frozenset[int]:
    await hit.busy_node()  # before the first league there is little to restore
    file = hit.arena.folder / f"arena-{len(hit.backups)}.backup"
    await arena("backup", file, *hit.arena.place)
    hit.backups.append(file)
    return _NOBODY


async def _upgrade(hit: Hit) -> None:
    """End each node and start it again under this version: those that are older, and later once more."""
    for place, (node, _) in enumerate(hit.arena.nodes):
        pid = node.pid or 0
        node.command = [ARENA, *node.command[list(node.command).index("serve") :]]
        node.signal(signal.SIGTERM)
        await node.is_back(pid)
        await hit.arena.listening(place)


_IS_APART = was("arena_store_clock_offset_seconds", lambda seconds: abs(seconds) > _AHEAD_S / 2)
_COME = {"metrics: bots connected": counted("arena_bot_connections_total", 'event="connected"')}
_COMES = {**_COME, "log: a bot is connected": logged("is connected", "bot_connected")}
_NODE_UP = {"metrics: a node did not answer": silent("node")}
_LEASES = {
    "metrics: jobs taken over": counted("arena_jobs_taken_over_total"),
    "log: a lease is lost or taken over": logged("lease"),
}
_RETRIED = {"metrics: the store was asked again": counted("arena_store_retries_total")}
_AWAY = {"log: the store does not answer": logged("does not answer|denies|it is started again|starting it again")}
_THOUGHT = {"metrics: bots took long": longer("arena_decision_seconds", "0.25", 'share="bot"')}

FAULTS: dict[str, Fault] = {
    "kill node": Fault(_kill_node, {**_NODE_UP, **_COMES}, kills=True, quick=True),
    "kill web": Fault(_kill_web, {"metrics: the pages did not answer": silent("web")}, quick=True),
    "kill bot": Fault(_kill_bot, _COMES, quick=True),
    "kill cage": Fault(
        _kill_cage,
        {
            "metrics: cages lost": counted("arena_cage_ends_total", 'reason="lost"'),
            "log: a bot was lost with its cage": logged("was lost with its cage"),
        },
        quick=True,
        tell_s=_AT_ONCE_S,
        tries=_MANY_TRIES,
    ),
    "kill store": Fault(_kill_master, {**_RETRIED, **_AWAY}, quick=True),
    "kill sentinel": Fault(_kill_sentinel, {}, frozenset({"sentinel"})),
    "kill everything": Fault(_kill_everything, {**_NODE_UP, **_COMES}, kills=True),
    "stop node": Fault(_stop_node, {**_NODE_UP, **_LEASES}, _SERVERS, quick=True),
    "stop bot": Fault(_stop_bot, _THOUGHT),
    "stop store": Fault(_stop_store, {**_RETRIED, **_AWAY}),
    "store's disk full": Fault(_fill_store, {**_RETRIED, **_AWAY}, needs_root=True),
    "nodes' disk full": Fault(_fill_nodes, {}, needs_root=True),
    "line to bots cut": Fault(_cut_bots, _COMES, quick=True),
    "line to bots slow": Fault(_slow_bots, _THOUGHT),
    "line to bots half open": Fault(_half_open_bots, _COMES, tell_s=_KEEPALIVE_S),
    "line to bots dead": Fault(_dead_bots, _THOUGHT),
    "line to store cut": Fault(_cut_store, {}, frozenset({"redis"}), quick=True),
    "line to store slow": Fault(
        _slow_store,
        {"metrics: the store took long": longer("arena_store_exchange_seconds", "0.25")},
        frozenset({"redis"}),
    ),
    "line to store half open": Fault(_half_open_store, {**_RETRIED, **_AWAY}, frozenset({"redis"})),
    "line to store dead": Fault(_dead_store, {**_RETRIED, **_AWAY}, frozenset({"redis"})),
    "clocks apart": Fault(
        _set_clock,
        {"metrics: the clocks are apart": _IS_APART},
        kills=True,
    ),
    "backup": Fault(_back_up, {}),
    "upgrade": Fault(_upgrade, {**_NODE_UP, **_COMES}),
}
"""Everything that can be done, by name."""


async def deal(name: str, hit: Hit, blows: list[Blow]) -> str:
    """Do it until the arena has told of it; in words how often that was, and what the arena never told.

    What it costs of leases is added to `blows` when it begins.
    """
    fault = FAULTS[name]
    left: list[str] = []
    missed: list[str] = []
    for tries in range(1, fault.tries + 1):
        began = time.time()
        blow = Blow(name, None, began, float("inf"), hit.arena.lease_s, kills=fault.kills)
        blows.append(blow)
        pids = await fault.deal(hit)
        blow.pids, blow.ended = pids, time.time()
        left = await untold(fault.signs, hit.arena.watched, began, fault.tell_s)
        if not left:
            again = f", dealt {tries} times until it was told of: {', '.join(missed)}" if missed else ""
            return f"{name}: {blow.ended - began:.1f} s{again}"
        missed = left
    return f"{name}: NOT TOLD: {', '.join(left)}"
