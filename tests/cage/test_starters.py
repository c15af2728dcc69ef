"""The bots in other languages play whole matches in a cage, and stand in the protocol's document as they are."""

import subprocess
from pathlib import Path

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house
from core_ext import VARIANTS

ROOT = Path(__file__).parents[2]
C_BOT = ROOT / "bots/starters/c/bot.c"


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


def test_the_protocols_document_shows_the_bot_in_c_as_it_stands() -> None:
    assert f"```c\n{C_BOT.read_text()}```" in (ROOT / "docs/protocol.md").read_text()
