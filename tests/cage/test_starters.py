"""The bots in other languages that the protocol's document shows play whole matches."""

import os
import re
import subprocess
from pathlib import Path

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.rpc.identity import BotIdentity
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from arena.stream.pipe import PipeStream
from bots import house
from core_ext import VARIANTS

ROOT = Path(__file__).parents[2]
C_BOT = ROOT / "bots/starters/c/bot.c"
PROTOCOL = (ROOT / "docs/protocol.md").read_text()


async def test_the_bot_in_c_plays_every_variant(cages: Cages, tmp_path: Path) -> None:
    built = tmp_path / "bot"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o", built, C_BOT], check=True)
    program = Program((f"{BOT}/bot",), runtime("native"), built)
    for variant in VARIANTS:
        names = ("c", "one", "two")[: 3 if variant == "hachihachi" else 2]
        async with caged(cages, Hub(), program, "c") as bot:
            others = [InProcessSeat(house("random")) for _ in names[1:]]
            result = await play(MatchSpec("m0", variant, bytes(32), names), [bot.seat(), *others])
        assert result.end is End.COMPLETED, (variant, result.text)
        assert result.rejections[0] == 0


async def test_the_bot_in_javascript_plays_every_variant_over_its_standard_input_and_output(
    nodejs: str, tmp_path: Path
) -> None:
    [shown] = re.findall(r"^```js\n(// A whole bot.*?)^```$", PROTOCOL, re.MULTILINE | re.DOTALL)
    program = tmp_path / "bot.js"
    program.write_text(shown)
    for variant in VARIANTS:
        hub = Hub()
        bot = subprocess.Popen([nodejs, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        pipes = bot.stdin.fileno(), bot.stdout.fileno()
        for descriptor in pipes:
            os.set_blocking(descriptor, False)
        faults: list[Exception] = []
        stream = PipeStream(hub, BotIdentity("js"), pipes, faults.append)
        try:
            await stream.hello
            names = ("js", "one", "two")[: 3 if variant == "hachihachi" else 2]
            others = [InProcessSeat(house("random")) for _ in names[1:]]
            result = await play(MatchSpec("m0", variant, bytes(32), names), [hub.seat("js"), *others])
        finally:
            stream.close()
            bot.kill()
            bot.communicate()
        assert not faults
        assert result.end is End.COMPLETED, (variant, result.text)
        assert result.rejections[0] == 0


def test_the_protocols_document_shows_the_bot_in_c_as_it_stands() -> None:
    assert f"```c\n{C_BOT.read_text()}```" in PROTOCOL
