"""Leagues on three nodes whose nodes, bots and store are killed and stopped at random: everything is there, once.

`python tests/system/chaos.py [--blows 100] [--bots 24] [--rounds 3] [--lease 10] [--variants koikoi,…] [--seed S]
[--folder DIR]`: exit status 1 if anything was lost, counted twice, or came out otherwise than undisturbed.

Two leagues over all variants, or those that are named, go on at a time: one with mirrored boards, of house bots and
of two submitted bots that the nodes start, one with shared boards and bots that connect by themselves, to any node.
An owner sends in the submitted bots over the network, and further versions of one of them all the time. Every so often
something is hit: a node, a bot or the store's server is killed (SIGKILL), or a node is stopped (SIGSTOP) for longer
than its leases last, and let go on. Who is killed is started again. When the leagues end before all blows are dealt,
the next two begin.

At the end each league is exported and verified, its tables compared with those of the same league on one node that
nobody disturbs, the store searched for jobs that are left, and the nodes' logs for a lease lost without a blow. Every
version that was acknowledged is there with its content, none is half done, and nothing is left of any cage.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import arena_command
import psutil
from arena_command import ARENA
from chaos_checks import Blow, leftovers, unexplained
from chaos_submissions import LIMITS, OWNER, Submitter, folders, left, lost, mark_of
from preloaded import Forked, start

from arena.store import Scope, Store
from arena.store.embedded import find_binary
from bots import HOUSE_MODULES
from core_ext import VARIANTS

sys.path.append(str(Path(__file__).parents[1] / "store"))
from store_servers import free_port

NODES = 3
KINDS = ("random", "level1")
BLOWS = {"kill bot": 4, "kill node": 3, "stop node": 2, "kill store": 1}
"""What is done how often, of ten; each of them once to begin with."""
PAUSE_S = (0.5, 3.0)
"""How long it is quiet between two blows."""
LEASE_S = 10.0
DEADLINE_S = 1800.0
"""How long one league may take."""


class ChaosError(AssertionError):
    """Something was lost, counted twice, or came out otherwise."""


# Processes that are kept running.


@dataclass
class Kept:
    """A program that is started again whenever it ends, until it is let go. Its output goes to a file of its own."""

    name: str
    command: Sequence[str | Path]
    log: Path
    env: dict[str, str] = field(default_factory=dict)
    pids: list[int] = field(default_factory=list)
    _process: "subprocess.Popen[bytes] | Forked | None" = None
    _keeper: asyncio.Task[None] | None = None
    _waiting: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def start(self) -> None:
        """Start it, and again whenever it ends."""
        self._keeper = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            with self.log.open("ab") as log:
                self._process = self._started(log.fileno())
            self.pids.append(self._process.pid)
            await asyncio.get_running_loop().run_in_executor(self._waiting, self._process.wait)
            await asyncio.sleep(0.1)  # a program that cannot start must not be started all the time

    def _started(self, log: int) -> "subprocess.Popen[bytes] | Forked":
        env = {**os.environ, **self.env}
        if self.command[0] == ARENA:
            return start(self.command, None, env, log, log)
        return subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, start_new_session=True
        )

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    async def end(self) -> None:
        """Let it go: told to stop, killed if it does not."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        process = self._process
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            await asyncio.to_thread(process.wait, 20)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)


async def arena(*arguments: str | Path) -> str:
    """What a command of the arena prints; ChaosError when it fails."""
    run = await asyncio.to_thread(arena_command.arena, *arguments, deadline_s=DEADLINE_S)
    if run.returncode:
        raise ChaosError(f"{' '.join(run.args)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


# The arena that is hit.


class Arena:
    """A store's server, nodes, and bots that connect to any of the nodes; everything in one folder."""

    def __init__(self, folder: Path, nodes: int, connected: Sequence[str], lease_s: float, temporary: Path) -> None:
        self.folder = folder
        self.lease_s = lease_s
        folder.mkdir(parents=True, exist_ok=True)
        port = free_port()
        self.redis = f"redis://127.0.0.1:{port}"
        self.store = Kept(
            "store",
            [
                find_binary(),
                "--port",
                str(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--dir",
                folder,
            ],
            folder / "store.log",
        )
        self.addresses = addresses = [f"127.0.0.1:{free_port()}" for _ in range(nodes)]
        self.nodes = [
            Kept(
                f"node-{number}",
                [
                    ARENA,
                    "serve",
                    "--redis",
                    self.redis,
                    "--listen",
                    address,
                    "--data",
                    folder / f"node-{number}",
                    "--lease",
                    str(lease_s),
                ],
                folder / f"node-{number}.log",
                {"TMPDIR": str(temporary)},
            )
            for number, address in enumerate(addresses, start=1)
        ]
        self.bots = [
            Kept(
                name,
                [sys.executable, "-m", HOUSE_MODULES[name.partition("-")[0]]],
                folder / f"{name}.log",
                # Each begins with another node.
                {"ARENA_ADDRESS": ",".join(addresses[number % nodes :] + addresses[: number % nodes])},
            )
            for number, name in enumerate(connected)
        ]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Arena"]:
        """Everything runs while the body does."""
        async with AsyncExitStack() as stack:
            for kept in (self.store,):
                kept.start()
                stack.push_async_callback(kept.end)
            await self.answers()
            for bot in self.bots:
                bot.env["ARENA_TOKEN"] = (await arena("bot", "create", bot.name, "--redis", self.redis)).strip()
            for kept in (*self.nodes, *self.bots):
                kept.start()
                stack.push_async_callback(kept.end)
            yield self

    async def answers(self) -> None:
        """Wait until the store's server answers."""
        port = int(self.redis.rpartition(":")[2])
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return

    def house_bots(self) -> list[int]:
        """The bots that the nodes have started."""
        found = []
        for node in self.nodes:
            try:
                children = psutil.Process(node.pid).children() if node.pid else []
                found += [child.pid for child in children if any("bots." in word for word in child.cmdline())]
            except psutil.NoSuchProcess:
                continue
        return found

    async def league(self, file: Path) -> None:
        """Have a league of a file played by the nodes."""
        await arena("league", "open", file, "--redis", self.redis)
        await arena("league", "start", file.stem, "--redis", self.redis)

    async def finished(self, name: str) -> dict[str, Any]:
        """Wait until a league is finished; what `--json` shows of it then. ChaosError when a job of it was given up."""
        async with asyncio.timeout(DEADLINE_S), await Store.open(redis=self.redis) as store:
            while (league := await store.leagues.get(name)).state != "finished":
                for division in league.divisions:
                    for parked in (await store.stalled.parked(Scope.league(name, division.variant))).items:
                        raise ChaosError(f"a job of league {name} was given up: {parked}")
                await asyncio.sleep(0.2)
        shown: dict[str, Any] = json.loads(await arena("league", "show", name, "--redis", self.redis, "--json"))
        return shown


# Blows.


class Fury:
    """Deals blows, one after another, and knows whom it hit when."""

    def __init__(self, arena: Arena, dice: random.Random) -> None:
        self._arena = arena
        self._dice = dice
        self._stopped: set[str] = set()
        self._letting_go: set[asyncio.Task[None]] = set()
        self.dealt: list[Blow] = []

    async def rage(self, blows: int, submitting: asyncio.Event) -> None:
        """Deal so many blows, the first of them while a version is sent in, and let go on what is stopped."""
        first = self._dice.sample(list(BLOWS), len(BLOWS))
        while len(self.dealt) < blows:
            if self.dealt:
                await asyncio.sleep(self._dice.uniform(*PAUSE_S))
            else:
                await asyncio.sleep(0.1)
                await submitting.wait()
            kind = first[-1] if first else self._dice.choices(list(BLOWS), list(BLOWS.values()))[0]
            if self._deal(kind) and first:
                first.pop()
        await asyncio.gather(*self._letting_go)

    def _deal(self, kind: str) -> bool:
        """Deal one blow; False when there is nobody to deal it to just now."""
        target = self._target(kind)
        if target is None:
            return False
        name, pid = target
        now = time.time()
        if kind == "stop node":
            seconds = self._arena.lease_s + self._dice.uniform(1, 4)
            os.kill(pid, signal.SIGSTOP)
            self._stopped.add(name)
            task = asyncio.create_task(self._let_go(name, pid, seconds))
            self._letting_go.add(task)
            task.add_done_callback(self._letting_go.discard)
            until = now + seconds
        else:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:  # a house bot whose league has just ended
                return False
            until = now
        self.dealt.append(Blow(kind, name, pid, now, until, self._arena.lease_s))
        print(f"{len(self.dealt):4d}  {kind}: {name}", flush=True)
        return True

    def _target(self, kind: str) -> tuple[str, int] | None:
        """Whom to hit; None when there is nobody just now: it is being started, or is the last node that runs."""
        if kind == "kill bot":
            bots = [(bot.name, bot.pid) for bot in self._arena.bots if bot.pid]
            house = [("a house bot", pid) for pid in self._arena.house_bots()]
            return self._dice.choice(bots + house) if bots or house else None
        if kind == "kill store":
            pid = self._arena.store.pid
            return ("store", pid) if pid else None
        up = [(node.name, node.pid) for node in self._arena.nodes if node.pid and node.name not in self._stopped]
        return self._dice.choice(up) if len(up) > 1 else None

    async def _let_go(self, name: str, pid: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._stopped.discard(name)
        os.kill(pid, signal.SIGCONT)


# What is played, and what has to come of it.


def league_files(
    folder: Path,
    wave: int,
    house: Sequence[str],
    submitted: Mapping[str, str],
    connected: Sequence[str],
    rounds: int,
    variants: Sequence[str],
) -> list[Path]:
    """The leagues of one wave: mirrored boards for house bots and submitted ones, of which the versions are given,
    shared boards for the bots that connect."""
    started = {name: f"house:{name.partition('-')[0]}" for name in house}
    started |= {bot: f"{bot}@{version}" for bot, version in submitted.items()}
    return [
        _league_file(folder / f"mirror-{wave}.toml", "mirror", 1, rounds, started, variants),
        _league_file(folder / f"field-{wave}.toml", "field", 6, rounds, {name: name for name in connected}, variants),
    ]


def _league_file(
    file: Path, board_sets: str, boards: int, rounds: int, entries: dict[str, str], variants: Sequence[str]
) -> Path:
    named = "".join(f'    {{ name = "{name}", bot = "{bot}" }},\n' for name, bot in entries.items())
    divisions = "".join(f'[[divisions]]\nvariant = "{variant}"\n' for variant in variants)
    file.write_text(
        f'name = "{file.stem}"\nboard_sets = "{board_sets}"\nrounds = {rounds}\nboards = {boards}\n'
        # Time is not what is tried here: two cores carry many processes that are killed and started again.
        f'secret = "{"5a" * 32}"\nper_decision_ms = 60000\nreconnect_ms = 60000\nentries = [\n{named}]\n{divisions}'
    )
    return file


async def undisturbed(
    folder: Path, files: Sequence[Path], submitted: Iterable[Path], connected: Sequence[str], temporary: Path
) -> dict[str, object]:
    """The tables of the same leagues on one node that nobody hits."""
    async with Arena(folder, 1, connected, LEASE_S, temporary).running() as quiet:
        for bot in submitted:
            await arena("bot", "submit", bot, "--redis", quiet.redis)
        for file in files:
            await quiet.league(file)
        return {file.stem: await quiet.finished(file.stem) for file in files}


async def main(
    blows: int,
    bots: int,
    rounds: int,
    lease_s: float,
    variants: Sequence[str],
    seed: str,
    folder: Path,
    temporary: Path,
) -> int:
    """Hit an arena so often while leagues are played; how much was found wrong."""
    dice = random.Random(seed)
    names = [f"{KINDS[number % len(KINDS)]}-{number}" for number in range(1, bots + 1)]
    house, connected = names[: bots // 2], names[bots // 2 :]
    files: list[Path] = []
    mark = mark_of(folder)
    sent = folders(folder / "sent", mark, variants)
    async with Arena(folder / "hit", NODES, connected, lease_s, temporary).running() as hit:
        token = await arena("owner", "create", OWNER, *LIMITS, "--redis", hit.redis)
        submitter = Submitter(",".join(hit.addresses), token.strip())
        versions = {bot: await submitter.submit(folder) for bot, folder in sent.items()}
        fury, over = Fury(hit, dice), asyncio.Event()
        raging = asyncio.create_task(fury.rage(blows, submitter.under_way))
        submitting = asyncio.create_task(submitter.keep_on([*sent.values()], random.Random(seed), over))
        tables: dict[str, dict[str, Any]] = {}
        while not raging.done():
            wave = league_files(folder, len(files) // 2 + 1, house, versions, connected, rounds, variants)
            files += wave
            for file in wave:
                await hit.league(file)
            tables |= {file.stem: await hit.finished(file.stem) for file in wave}
        await raging
        over.set()
        await submitting
        for file in files:
            archive = folder / f"{file.stem}.zip"
            await arena("league", "export", file.stem, archive, "--redis", hit.redis)
            await arena("league", "verify", archive)
        wrong = [f"left in the store: {key}" for key in await leftovers(hit.redis)]
        wrong += await lost(hit.redis, submitter)
        for node in hit.nodes:
            wrong += [f"unexplained: {line}" for line in unexplained(node.log.read_text(), fury.dealt)]
    wrong += [
        f"league {name} says that {shown['versions']} played, and not {versions}"
        for name, shown in tables.items()
        if name.startswith("mirror") and shown["versions"] != versions
    ]
    expected = await undisturbed(folder / "quiet", files, sent.values(), connected, temporary)
    # Afterwards: the next node removes what killed ones could not.
    wrong += left(mark, [pid for node in hit.nodes for pid in node.pids], temporary)
    wrong += [f"the table of {name} is another than undisturbed" for name in tables if tables[name] != expected[name]]
    kinds = ", ".join(f"{kind} {times}" for kind, times in Counter(blow.kind for blow in fury.dealt).items())
    matches = sum(shown["matches"] for shown in tables.values())
    print(f"{len(fury.dealt)} blows ({kinds}) on {len(files)} leagues of {matches} matches")
    struck = sum(submitter.was_at_it(blow.began) for blow in fury.dealt)
    print(f"{len(submitter.acknowledged)} versions were sent in and qualified; {struck} blows came in the middle of it")
    for told, times in Counter(submitter.refusals).items():
        print(f"a submission had to be begun again, {times} times: {told.strip()}")
    for line in wrong:
        print(line)
    return len(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--blows", type=int, default=100)
    parser.add_argument("--bots", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lease", type=float, default=LEASE_S)
    parser.add_argument("--variants", type=lambda names: names.split(","), default=list(VARIANTS))
    parser.add_argument("--seed", default="chaos")
    parser.add_argument("--folder", type=Path)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chaos-") as temporary:
        # The cages' users have to get to what is copied there for them.
        Path(temporary).chmod(0o755)
        folder = wanted.folder or Path(temporary) / "run"
        size = (wanted.blows, wanted.bots, wanted.rounds)
        wrong = asyncio.run(main(*size, wanted.lease, wanted.variants, wanted.seed, folder, Path(temporary)))
        sys.exit(min(1, wrong))
