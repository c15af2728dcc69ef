"""Bots that are started for one match."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bots_in_tests import FIRST

from arena.launcher import processes
from arena.launcher.errors import BotStartError
from arena.launcher.processes import Launcher, running
from arena.launcher.sources import PathBot
from arena.node.server import Listen, Server
from arena.rpc.identity import MemoryTokens
from arena.stream.hub import Hub

# Says hello, and hello again when its connection is lost, until it finds the file `enough` beside its own.
HELLOS = """
import os
import queue
import sys
from pathlib import Path

import grpc

from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

token = (("authorization", "Bearer " + os.environ["ARENA_TOKEN"]),)
while not Path(__file__).with_name("enough").exists():
    requests = queue.Queue()
    requests.put(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        for _ in play_pb2_grpc.PlayServiceStub(channel).Play(iter(requests.get, None), metadata=token):
            pass
sys.exit(7)
"""

# Asks for a variant before it says hello, and ends where it is not told.
ASKS = f"""
import os

import grpc

from hanafuda.arena.v1 import variant_pb2, variant_pb2_grpc

with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    variants = variant_pb2_grpc.VariantServiceStub(channel)
    assert variants.GetVariant(variant_pb2.GetVariantRequest(id="koikoi"), timeout=30).variant.id == "koikoi"

{FIRST}"""


@pytest.fixture
async def launcher(tmp_path: Path, short_path: Path) -> AsyncIterator[Launcher]:
    hub, tokens = Hub(), MemoryTokens()
    address = f"unix:{short_path / 'node.sock'}"
    server = Server(hub, tokens)
    await server.start(Listen((address,)))
    yield Launcher(hub, tokens, address, tmp_path / "logs")
    await server.stop()


@pytest.fixture
def bot(tmp_path: Path) -> PathBot:
    path = tmp_path / "hellos.py"
    path.write_text(HELLOS)
    return PathBot(path)


async def test_how_a_bot_ended_right_after_its_hello_is_told(launcher: Launcher, bot: PathBot) -> None:
    async with running(launcher, bot, "ann") as process:
        bot.path.with_name("enough").touch()
        launcher.hub.drop(process.name)
        assert await launcher.hub.wait_until(lambda: not launcher.hub.connected(process.name), 10)
        with pytest.raises(BotStartError, match=r"^bot ann ended with status 7 before its match began:"):
            await launcher.seat(process)


async def test_a_bot_whose_connection_is_lost_right_after_its_hello_may_come_back(
    launcher: Launcher, bot: PathBot
) -> None:
    async with running(launcher, bot, "ann") as process:
        launcher.hub.drop(process.name)
        seat = await launcher.seat(process)
        assert launcher.hub.connected(process.name)
        seat.release()


async def test_a_bot_that_the_arena_starts_may_ask_what_the_variants_are(launcher: Launcher, tmp_path: Path) -> None:
    path = tmp_path / "asks.py"
    path.write_text(ASKS)
    async with running(launcher, PathBot(path), "ann") as process:
        assert launcher.hub.connected(process.name)


async def test_a_bot_that_does_not_end_when_it_is_asked_to_is_killed(
    launcher: Launcher, bot: PathBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "END_S", 0.2)
    bot.path.write_text(f"import signal\n\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n{HELLOS}")
    started = await launcher.start(bot, "deaf")
    async with asyncio.timeout(60):
        await started.end()
    assert started.process.returncode == -signal.SIGKILL
