"""Ctrl-C says what was kept, and what was not."""

import re
import signal
from pathlib import Path

from arena_command import running, until
from bots_in_tests import GATE, write_bot


def stopped(*arguments: str, cwd: Path, when: str) -> str:
    """Interrupt a command once it has said something; the last that it says."""
    with running(*arguments, cwd=cwd) as run:
        run.wait_for(when)
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
        return run.lines[-1]


def test_a_match_that_is_interrupted_says_that_it_is_not_kept(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "gated", GATE.format(gate=str(tmp_path / "gate")))
    match = ("match", "play", "house:greedy", f"./{bot.name}", "--uncaged")
    assert stopped(*match, cwd=tmp_path, when="waiting for gated: it has") == "stopped: the match is not kept"
    assert not (tmp_path / "arena-data" / "replays").exists()


def test_a_check_that_is_interrupted_says_that_nothing_is_kept(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "gated", GATE.format(gate=str(tmp_path / "gate")))
    check = ("bot", "check", f"./{bot.name}", "--uncaged")
    assert stopped(*check, cwd=tmp_path, when="ok") == "stopped: nothing of the check is kept"


def test_a_simulation_that_is_interrupted_says_what_is_written(tmp_path: Path) -> None:
    simulation = ("simulate", "--matches", "1000000", "--transcript", "games.jsonl")
    with running(*simulation, cwd=tmp_path) as run:
        until(lambda: (tmp_path / "games.jsonl").exists(), "the first match is written")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
    said = re.fullmatch(r"stopped: (\d+) match(es)? of 1000000 in games.jsonl, the sums are not kept", run.lines[-1])
    assert said
    assert int(said[1]) == len((tmp_path / "games.jsonl").read_bytes().splitlines())
