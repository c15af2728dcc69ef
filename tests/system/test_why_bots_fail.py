"""What a bot's author is told when a bot fails: where, and what to do."""

from pathlib import Path

import pytest
from arena_command import arena, refused
from bots_in_tests import CHOOSES, FIRST, write_bot

MATCH = ("match", "play", "./mine.py", "house:random", "--option", "months=1")


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("uncaged", [(), ("--uncaged",)])
@pytest.mark.parametrize("program", ["", "import sys\nsys.exit(0)\n", FIRST.replace("run(", "print(")])
def test_a_bot_that_never_plays_is_asked_whether_it_lacks_its_last_line(
    tmp_path: Path, program: str, uncaged: tuple[str, ...]
) -> None:
    write_bot(tmp_path, "mine", program)
    said = refused(*MATCH, *uncaged, cwd=tmp_path, status=1)
    assert "bot mine ended with status 0 before its Hello (is run(MyBot()) missing at its end?)" in said
    assert "in a cage" not in said, "which has nothing to do with it"


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("place", ["at its start", "in a match", "in a library"])
def test_a_bot_that_wants_the_network_is_told_that_its_cage_has_none(tmp_path: Path, place: str) -> None:
    connects = "__import__('socket').getaddrinfo('example.com', 80)"
    if place == "in a library":
        connects = "__import__('urllib.request').request.urlopen('http://example.com/')"
    program = f"{connects}\n{FIRST}" if place == "at its start" else CHOOSES.format(choose=connects)
    write_bot(tmp_path, "mine", program)
    said = arena(*MATCH, cwd=tmp_path).stderr
    assert {"at its start": "it ran in a cage without a network"}.get(place, "a cage has no network") in said


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("uncaged", [(), ("--uncaged",)])
def test_a_bot_that_loops_for_ever_shows_where_it_was_when_its_time_ended(
    tmp_path: Path, uncaged: tuple[str, ...]
) -> None:
    write_bot(tmp_path, "mine", CHOOSES.format(choose="\n        while True: pass"))
    said = refused(*MATCH, *uncaged, "--decision-ms", "3000", "--bank-ms", "0", cwd=tmp_path, status=1)
    assert "mine forfeited (timeout): decision 1 of seat 0 took" in said
    assert "the bot still thinks about decision 1:\n" in said
    assert "/mine.py" in said
    assert "in choose\n" in said
    assert "fork_server" not in said
    assert "runners.py" not in said


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("uncaged", [(), ("--uncaged",)])
def test_a_check_shows_where_a_bot_loops_for_ever_and_with_which_clock(
    tmp_path: Path, uncaged: tuple[str, ...]
) -> None:
    write_bot(tmp_path, "mine", CHOOSES.format(choose="\n        while True: pass"))
    said = refused("bot", "check", "./mine.py", *uncaged, "--bank-ms", "1000", cwd=tmp_path, status=1)
    assert "./mine.py: timeout: decision 1 of seat 0 took" in said
    assert "(here it had 2 s for each decision and 1 s for a match: --decision-ms, --bank-ms)" in said
    assert "the bot still thinks about decision 1:\n" in said
    assert "in choose\n" in said
    assert "runners.py" not in said


@pytest.mark.usefixtures("bubblewrap")
def test_a_check_shows_the_position_once_and_the_place_in_the_bots_own_file(tmp_path: Path) -> None:
    write_bot(tmp_path, "mine", CHOOSES.format(choose="return {}['x']"))
    said = arena("bot", "check", "./mine.py", cwd=tmp_path).stderr
    assert "./mine.py: bot_error: KeyError: 'x' (decision 1, mine.py line " in said
    assert said.count("legal: ") == 1
    assert "it wrote:\nTraceback (most recent call last):" in said


@pytest.mark.usefixtures("bubblewrap")
def test_what_a_bot_prints_floods_no_terminal(tmp_path: Path) -> None:
    write_bot(tmp_path, "mine", CHOOSES.format(choose="\n        while True: print('x' * 10_000)"))
    said = refused(*MATCH, cwd=tmp_path, status=1)
    assert "mine printed more than 1 MiB:\nits last line: xxx" in said
    assert said.count("xxx…") == 1
    assert max(map(len, said.splitlines())) < 400
