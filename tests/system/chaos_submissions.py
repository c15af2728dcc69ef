"""Submitted bots for the chaos run: sent in over the network while nodes and the store are killed, and not lost."""

import asyncio
import hashlib
import itertools
import json
import random
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import arena_command
import psutil
from chaos_checks import keys

from arena.launcher.cage.cgroups import hierarchies
from arena.packs.packing import check, pack
from arena.scratch import PREFIX
from arena.store import Store

OWNER = "chaos"
LIMITS = ("--versions", "10000", "--submissions", "10000")
PAUSE_S = 2.0
"""How long it is quiet between two submissions."""
DEADLINE_S = 900.0
_FILLER = 200 << 10
"""Bytes that cannot be compressed, so that an upload has several chunks."""
_PYTHON = """\
from arena.sdk import Bot, run


class Middle(Bot):
    def choose(self, decision):
        return decision.legal[len(decision.legal) // 2]


run(Middle())
"""
_C = Path(__file__).parents[2] / "bots/starters/c/bot.c"


def folders(place: Path, mark: str, variants: Sequence[str]) -> dict[str, Path]:
    """The folders of a bot in Python and of a native one, by name; `mark` stands in the command line of both."""
    python, native = place / "python", place / "native"
    for folder, command, runtime in (
        (python, ["python", "bot.py", mark], "python"),
        (native, ["./bot", mark], "native"),
    ):
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(
            f'[bot]\nname = "{folder.name}"\ncommand = {json.dumps(command)}\nruntime = "{runtime}"\n'
            f"variants = {json.dumps(list(variants))}\n"
        )
    (python / "bot.py").write_text(_PYTHON)
    subprocess.run(["gcc", "-O2", "-static", "-o", native / "bot", _C], check=True)
    return {folder.name: folder for folder in (python, native)}


@dataclass
class Submitter:
    """An owner that sends in versions, one after another, and goes on with each until it has qualified."""

    servers: str
    token: str
    acknowledged: dict[str, str] = field(default_factory=dict)
    """The bot of each version that the arena has said is qualified."""
    refusals: list[str] = field(default_factory=list)
    """What commands ended with that did not come to that."""
    under_way: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while a submission goes on."""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """From when until when (`time.time`) each submission went on."""

    async def submit(self, folder: Path) -> str:
        """Send in a folder; its version."""
        packed, began = pack(folder), time.time()
        self.under_way.set()
        async with asyncio.timeout(DEADLINE_S):
            while True:
                run = await asyncio.to_thread(
                    arena_command.arena, "bot", "submit", folder, "--server", self.servers,
                    env={"ARENA_TOKEN": self.token}, deadline_s=DEADLINE_S,
                )  # fmt: skip
                if run.returncode == 0:
                    assert " is qualified\n" in run.stdout
                    self.acknowledged[packed.version] = packed.manifest.name
                    self.spans.append((began, time.time()))
                    self.under_way.clear()
                    return packed.version
                self.refusals.append(run.stderr)

    def was_at_it(self, moment: float) -> bool:
        """Whether a submission was under way."""
        return any(began < moment < ended for began, ended in self.spans)

    async def keep_on(self, folders: Sequence[Path], dice: random.Random, over: asyncio.Event) -> None:
        """Send in other versions of bots in turn until it is over, and the last of them to its end."""
        for number, folder in enumerate(itertools.cycle(folders)):
            if over.is_set():
                return
            other = folder.with_name(f"{folder.name}-{number}")
            shutil.copytree(folder, other)
            (other / "filler").write_bytes(dice.randbytes(_FILLER))
            await self.submit(other)
            await asyncio.sleep(PAUSE_S)


async def lost(store: Store, submitter: Submitter) -> list[str]:
    """What of the submissions is not as it was acknowledged, or half done."""
    wrong = []
    size = 0
    made: dict[str, str] = {}
    for bot in set(submitter.acknowledged.values()):
        for version in await store.versions.list(bot):
            made[version.version] = bot
            data = await store.packs.get(version.version)
            size += len(data)
            if check(data).version != version.version:
                wrong.append(f"{bot}@{version.version} holds something else")
            if version.status != "qualified":
                wrong.append(f"{bot}@{version.version} is {version.status}: {version.error or version.report!r}")
    if made != submitter.acknowledged:
        wrong.append(f"versions {made} were made, and {submitter.acknowledged} acknowledged")
    counted = (await store.owners.usage(OWNER)).packed_bytes
    if counted != size:
        wrong.append(f"{counted} bytes are counted for the owner, of {size}")
    for pattern in ("hfa:{pack:*}:upload:*", f"hfa:{{bots}}:of:{OWNER}:reserved"):
        wrong += [f"left in the store: {key.decode()}" for key in await keys(store, pattern)]
    return wrong


def left(mark: str, nodes: Sequence[int], temporary: Path) -> Iterator[str]:
    """What is left on the machine of the cages of nodes that have ended: processes, control groups, folders."""
    for process in psutil.process_iter(["cmdline"]):
        if mark in (process.info["cmdline"] or ()):
            yield f"left running: {process.pid} {process.info['cmdline']}"
    for hierarchy in hierarchies():
        for node in nodes:
            for group in hierarchy.folder.glob(f"hanafuda-arena-{node}"):
                yield f"left of the cages: {group}"
    yield from (f"left behind: {folder}" for folder in temporary.glob(f"{PREFIX}*"))
    yield from (f"left behind: {folder}" for folder in temporary.glob("hanafuda-arena-*/scratch-*"))


def mark_of(folder: Path) -> str:
    """A word that no other run of this machine has."""
    return f"chaos-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
