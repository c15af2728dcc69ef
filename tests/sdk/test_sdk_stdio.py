"""A bot over standard input and output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sdk.stdio import STDIO, frame
from arena.sdk.testing import example_decision
from hanafuda.arena.v1 import play_pb2

BROKEN = """
from arena.sdk import Bot, run


class Broken(Bot):
    def choose(self, decision):
        return FAULT


run(Broken())
"""


@pytest.mark.parametrize(
    ("fault", "raised"), [("1 / 0", "ZeroDivisionError: division by zero"), ("exit(3)", "SystemExit: 3")]
)
def test_what_broke_is_written_once_and_before_the_arena_hears_that_the_bot_failed(
    tmp_path: Path, fault: str, raised: str
) -> None:
    program = tmp_path / "bot.py"
    program.write_text(BROKEN.replace("FAULT", fault))
    decision = play_pb2.Decision(
        match_id="m0",
        decision=1,
        observation=example_decision(legal="1R", hand="1R").observation,
        legal=[play_pb2.LegalAction(code=0, text="1R")],
    )
    messages = play_pb2.PlayResponse(match_start={"match_id": "m0"}), play_pb2.PlayResponse(decision=decision)
    # One pipe for both: the order of what is written shows in it.
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, STDIO: "1"},
        input=b"".join(frame(message.SerializeToString()) for message in messages),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = f"{raised} (decision 1, bot.py line 7 in choose: return {fault})"
    failure = play_pb2.Failure(match_id="m0", text=text)
    assert done.returncode == 1
    assert done.stdout.endswith(frame(play_pb2.PlayRequest(failure=failure).SerializeToString()))
    assert done.stdout.count(f"\n{raised}".encode()) == 1
