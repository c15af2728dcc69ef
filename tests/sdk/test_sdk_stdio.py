"""A bot over standard input and output."""

import os
import subprocess
import sys
from pathlib import Path

from arena.sdk.stdio import STDIO, frame
from arena.sdk.testing import example_decision
from hanafuda.arena.v1 import play_pb2

BROKEN = """
from arena.sdk import Bot, run


class Broken(Bot):
    def choose(self, decision):
        return 1 / 0


run(Broken())
"""


def test_what_broke_is_written_once_and_before_the_arena_hears_that_the_bot_failed(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(BROKEN)
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
    failure = play_pb2.Failure(
        match_id="m0", text="ZeroDivisionError: division by zero (decision 1, bot.py line 7 in choose: return 1 / 0)"
    )
    assert done.returncode == 1
    assert done.stdout.endswith(frame(play_pb2.PlayRequest(failure=failure).SerializeToString()))
    assert done.stdout.count(b"\nZeroDivisionError") == 1
