from pathlib import Path

import pytest

from arena.conformance.check import Report, check_bot
from arena.launcher.sources import PathBot
from arena.match.model import TimeControl
from core_ext import VARIANTS

BOT = """
import os, sys, time
from arena.sdk import Bot, run

class MyBot(Bot):
    max_matches = 4
    def choose(self, decision):
        {0}
        return decision.legal[0]

run(MyBot())
{1}
"""

FAULTY = {
    "an illegal code": (
        "if decision.number == 4: return 5000",
        "",
        "plays a match to its end",
        "5000 is not legal here",
    ),
    "a crash": ("if decision.number == 4: 1 / 0", "", "plays a match to its end", "ZeroDivisionError"),
    "silence": ("if decision.number == 4: time.sleep(600)", "", "plays a match to its end", "timeout"),
    "staying": ("", "time.sleep(600)", "ends when the arena says goodbye", "still runs"),
}


async def check(folder: Path, in_choose: str, at_end: str, program: str = BOT) -> Report:
    path = folder / "bot.py"
    path.write_text(program.format(in_choose or "pass", at_end))
    # As short as a bot that keeps the protocol on a busy machine still stands.
    time = TimeControl(2_000 if "sleep" in in_choose else 60_000, 0)
    shown: list[object] = []
    report = await check_bot(PathBot(path), time=time, patience_s=5.0, show=shown.append)
    assert tuple(shown) == report.outcomes
    return report


@pytest.mark.parametrize("variant", VARIANTS)
async def test_the_starting_point_passes_every_check_in_every_variant(variant: str) -> None:
    template = Path(__file__).parents[2] / "arena/sdk/template/bot.py"
    report = await check_bot(PathBot(template), variant, time=TimeControl(60_000, 0))
    assert report.passed
    assert len(report.outcomes) == 6
    assert report.reproducible


@pytest.mark.parametrize("fault", ["an illegal code", "a crash", "silence", "staying"])
async def test_a_fault_is_found_by_the_check_that_is_about_it(tmp_path: Path, fault: str) -> None:
    in_choose, at_end, name, word = FAULTY[fault]
    report = await check(tmp_path, in_choose, at_end)
    failed = report.outcomes[-1]
    assert not report.passed
    assert failed.name == name
    assert word in failed.fault
    if "decision.number == 4" in in_choose:
        assert failed.decision.startswith("decision 4 of match")
        assert "legal:" in failed.decision
        assert "field:" in failed.decision


async def test_a_bot_that_never_connects_is_shown_with_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import sys\nsys.stderr.write('where am I?')\nsys.exit(3)\n")
    shown: list[object] = []
    report = await check_bot(PathBot(path), show=shown.append)
    assert tuple(shown) == report.outcomes
    assert [outcome.name for outcome in report.outcomes] == ["connects and says hello"]
    assert "ended with status 3" in report.outcomes[0].fault
    assert "where am I?" in report.outcomes[0].fault


async def test_a_bot_that_does_not_play_the_variant_is_told_which_it_names(tmp_path: Path) -> None:
    report = await check(tmp_path, "", "", BOT.replace("max_matches = 4", "variants = ('kyogi', 'sangohana')"))
    assert [outcome.fault for outcome in report.outcomes] == [
        "its Hello does not name koikoi, only kyogi, sangohana: check it with --variant kyogi"
    ]


async def test_how_a_bot_ended_that_was_not_asked_yet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(HERMIT.replace('if response.HasField("decision")', "raise SystemExit(7)\n            if 0"))
    report = await check_bot(PathBot(path), time=TimeControl(60_000, 0))
    assert "ended with status 7" in report.outcomes[-1].fault


async def test_a_bot_that_does_not_come_back_is_found(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(HERMIT)
    report = await check_bot(PathBot(path), time=TimeControl(60_000, 0), patience_s=1.0)
    assert report.outcomes[-1].name == "comes back after its connection was lost, and goes on"
    assert "disconnected" in report.outcomes[-1].fault


HERMIT = """
import asyncio, contextlib, os
import grpc
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

async def main():
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        token = os.environ["ARENA_TOKEN"]
        stream = play_pb2_grpc.PlayServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
        while isinstance(response := await stream.read(), play_pb2.PlayResponse):
            if response.HasField("decision"):
                decision = response.decision
                move = play_pb2.Move(
                    match_id=decision.match_id, decision=decision.decision, code=decision.legal[0].code
                )
                await stream.write(play_pb2.PlayRequest(move=move))

async def stay():
    with contextlib.suppress(grpc.aio.AioRpcError):
        await main()
    await asyncio.sleep(600)

asyncio.run(stay())
"""
