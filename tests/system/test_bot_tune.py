"""`arena bot tune`, with a bot whose best parameter is known, real processes and a real kill."""

import os
import re
import signal
from pathlib import Path

import pytest
from arena_command import document, done, refused, running

PLANTED = Path(__file__).parents[1] / "tuning" / "planted.py"
BEST = 1.7
QUICK = ("--option", "months=1", "--boards", "8", "--test-boards", "40", "--jobs", "2")


def test_it_finds_a_planted_optimum_within_its_interval_and_shows_what_that_gains(tmp_path: Path) -> None:
    picture = tmp_path / "tuning.svg"
    call = ("bot", "tune", PLANTED, "--param", "k=0.5:3", *QUICK, "--trials", "24")
    told = document(*call, "--plot", picture, cwd=tmp_path)
    assert told["trials"] == 24
    assert told["low"]["k"] <= BEST <= told["high"]["k"]
    assert told["high"]["k"] - told["low"]["k"] < 1.5
    assert told["test"]["margin"] > 0
    assert picture.read_text().count('class="trial"') == 24
    # The same command finds everything there, and plays the last test alone.
    assert document(*call, cwd=tmp_path) == told


def test_a_tuning_that_is_stopped_or_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    call = ("bot", "tune", PLANTED, "--param", "k=0.5:3", *QUICK, "--trials", "10", "--study", "study.journal")
    with running(*call, cwd=tmp_path) as stopped:
        stopped.wait_for(r"^2/10  k = ")
        stopped.process.send_signal(signal.SIGINT)
        stopped.wait_for(r"^stopped; the same command goes on with the trials in study\.journal$")
        assert stopped.end() == 130
    with running(*call, cwd=tmp_path) as first:
        first.wait_for(r"^5/10  k = ")
        said = refused(*call, cwd=tmp_path, status=1)
        assert "another process works on study.journal: wait until it is done, or name another file" in said
        os.kill(first.process.pid, signal.SIGKILL)
        first.end()
    with running(*call, cwd=tmp_path) as second:
        known = int(second.wait_for(r"^(\d+) of 10 trials are in study.journal")[1])
        second.wait_for(r"against the start, on 40 boards that no trial saw")
        assert second.end() == 0
    assert known >= 5
    assert len([line for line in second.lines if re.match(r"\d+/10  k = ", line)]) == 10 - known


MANIFEST = """[bot]
name = "planted"
command = ["python", "bot.py"]

[parameters]
k = { default = 0.8, low = 0.5, high = 3.0 }
"""


def test_a_folder_declares_its_parameters_and_starts_at_their_defaults(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(PLANTED.read_text())
    (folder / "bot.toml").write_text(MANIFEST)
    said = done("bot", "tune", "bot", *QUICK, "--trials", "6", "--against", "house:random", "--adjusted", cwd=tmp_path)
    assert "it started at 0.8" in said
    assert re.search(r"^k = \S+ against house:random, on 40 boards that no trial saw: ", said, re.MULTILINE)
    (folder / "bot.toml").write_text(MANIFEST.replace("0.8", "8.0"))
    said = refused("bot", "tune", "bot", *QUICK, cwd=tmp_path)
    assert "[parameters] k: its default 8.0 is outside its range" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--param", "k"), "--param takes NAME=LOW:HIGH"),
        (("--param", "k=3:0.5"), "must go from a number to a greater one"),
        (("--param", "k=a:b"), "--param takes NAME=LOW:HIGH"),
        (("--param", "k=0.5:3:int"), "is a whole number, so its range begins and ends with one"),
        (("--param", "n=1:2"), "asks for no parameter 'n'; it asks for k"),
        (("--param", "k=1:3"), "the bot starts at 0.6, which is outside 1 to 3"),
        (("--param", "k=0.5:3", "--param", "k=0.5:2"), "--param k is given twice"),
        (("--param", "k=0.5:3", "--against", "house:nobody"), "there is no house:nobody"),
        ((), "say what to tune"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_a_line(tmp_path: Path, given: tuple[str, ...], said: str) -> None:
    assert said in " ".join(refused("bot", "tune", PLANTED, *given, cwd=tmp_path).split())


def test_a_bot_that_fails_is_shown_with_its_decision(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        PLANTED.read_text()
        .replace("        if decision", "        1 / (2 - K)\n        if decision")
        .replace("0.6", "2.0")
    )
    said = refused("bot", "tune", bot, "--param", "k=1.0:3", *QUICK, status=1, cwd=tmp_path)
    assert re.search(r"fails at decision 1 in the match of seed '\S+': ZeroDivisionError", " ".join(said.split()))
