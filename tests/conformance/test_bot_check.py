"""`arena bot check`: each fault of a bot is found by the check that is about it."""

from pathlib import Path

import pytest

from arena.conformance.check import Report, check_bot
from arena.launcher.sources import PathBot
from arena.match.model import TimeControl
from arena.seats import watched
from core_ext import VARIANTS

BOT = """
import signal
from arena.sdk import Bot, run

class MyBot(Bot):
    max_matches = 4
    def choose(self, decision):
        if decision.number == 4:
            {at_the_fourth_decision}
        return decision.legal[0]

run(MyBot())
{at_its_end}
"""


async def check(
    folder: Path,
    at_the_fourth_decision: str = "pass",
    at_its_end: str = "",
    *,
    program: str = BOT,
    decision_ms: int = 60_000,
) -> Report:
    path = folder / "bot.py"
    path.write_text(program.format(at_the_fourth_decision=at_the_fourth_decision, at_its_end=at_its_end))
    shown: list[object] = []
    report = await check_bot(PathBot(path), time=TimeControl(decision_ms, 0), patience_s=5.0, show=shown.append)
    assert tuple(shown) == report.outcomes
    return report


@pytest.mark.parametrize("variant", VARIANTS)
async def test_the_starting_point_passes_every_check_in_every_variant(variant: str) -> None:
    template = Path(__file__).parents[2] / "arena/sdk/template/bot.py"
    report = await check_bot(PathBot(template), variant, time=TimeControl(60_000, 0))
    assert report.passed
    assert len(report.outcomes) == 6
    assert report.reproducible


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("return 5000", "5000 is not legal here"),
        ("1 / 0", "ZeroDivisionError"),
        ("signal.pause()", "timeout"),
    ],
    ids=["an illegal code", "a crash", "silence"],
)
async def test_a_fault_is_found_with_its_decision(tmp_path: Path, fault: str, words: str) -> None:
    # As little time as a bot that keeps the protocol on a busy machine can do with.
    report = await check(tmp_path, fault, decision_ms=2_000 if words == "timeout" else 60_000)
    failed = report.outcomes[-1]
    assert not report.passed
    assert failed.name == "plays a match to its end"
    assert words in failed.fault
    assert failed.decision.startswith("decision 4 of match")
    assert "legal:" in failed.decision
    assert "field:" in failed.decision


async def test_a_bot_that_stays_after_the_goodbye_is_found(tmp_path: Path) -> None:
    report = await check(tmp_path, at_its_end="signal.pause()")
    assert not report.passed
    assert report.outcomes[-1].name == "ends when the arena says goodbye"
    assert "still runs" in report.outcomes[-1].fault


async def test_a_decision_that_takes_long_is_shown_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched, "NOTICE_AFTER_S", 0.5)
    path = tmp_path / "bot.py"
    path.write_text(BOT.format(at_the_fourth_decision="signal.pause()", at_its_end=""))
    waited: list[tuple[int, int]] = []
    report = await check_bot(
        PathBot(path),
        time=TimeControl(1_000, 2_000),
        patience_s=5.0,
        show_wait=lambda asked: waited.append((asked.number, asked.limit_ms)),
    )
    assert "timeout" in report.outcomes[-1].fault
    number, limit_ms = waited[-1]
    assert number == 4
    assert 1_000 < limit_ms <= 3_000, "the decision's time and what a slow machine left of the bank"


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
    report = await check(tmp_path, program=BOT.replace("max_matches = 4", "variants = ('kyogi', 'sangohana')"))
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
    await asyncio.Event().wait()

asyncio.run(stay())
"""
