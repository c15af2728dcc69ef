"""`arena bot run`: a bot that stays at an arena by its owner's rules, with real nodes, processes and kills."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arena_command import Running, arena, document, done, refused, running, until
from bots_in_tests import FIRST
from one_node import create, node

MANIFEST = """[bot]
name = "mine"
command = ["python", "bot.py"]

[run]
at_once = 2
look_s = 0.2
"""
TAKES = """
[run.takes]
bots = ["other"]
min_decision_ms = 1500
"""
SENDS = """
[run.sends]
opponents = ["house:random"]
every_s = 0.2
options = { months = 1 }
"""
OVER = r"match (\S+) is over: .*; (\S+\.log)"

STOPS_ONCE = FIRST.replace(
    "        return",
    "        if decision.number == 2 and not os.path.exists('ended'):\n"
    "            open('ended', 'w').close()\n"
    "            os._exit(3)\n"
    "        return",
)
"""Ends in the middle of its first match."""


def write(folder: Path, rules: str, program: str = FIRST) -> Path:
    (folder / "mine").mkdir(exist_ok=True)
    (folder / "mine" / "bot.py").write_text(program)
    (folder / "mine" / "bot.toml").write_text(MANIFEST + rules)
    token = folder / "mine.token"
    token.touch(0o600)
    token.write_text(create(folder, "mine"))
    return token


def begin(folder: Path, address: str, token: Path) -> "contextmanager[Running]":
    return running("bot", "run", "mine", "--server", address, "--token", f"@{token}", cwd=folder)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with node(tmp_path) as (_, address):
        yield address


def test_it_sends_challenges_and_writes_a_log_of_each_match_that_can_be_read(tmp_path: Path, address: str) -> None:
    token = write(tmp_path, SENDS)
    with begin(tmp_path, address, token) as bot:
        match, log = bot.wait_for(OVER).groups()
        bot.process.send_signal(signal.SIGTERM)
        assert bot.end() == 0
    text = (tmp_path / log).read_text()
    assert text.splitlines()[0].endswith(f"match {match}: koikoi, months = 1")
    assert "seat 0 of mine : house:random" in text
    assert re.search(
        r"^1\. month 1, play\n  hand .* · field .* · pile .*\n  answers \S+ after \d+ ms$", text, re.MULTILINE
    )
    assert re.search(r"over, completed: mine \d+ : house:random \d+, place [12]$", text, re.MULTILINE)
    assert re.search(r"^  house:random plays \S+", text, re.MULTILINE)
    assert any("challenged house:random: match " in line for line in bot.lines)
    assert re.search(r" is over: mine \d+ : house:random \d+; ", "\n".join(bot.lines))


def test_it_takes_the_challenges_of_its_rules_and_says_why_not_of_others(tmp_path: Path, address: str) -> None:
    token = write(tmp_path, TAKES)
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "bot.py").write_text(FIRST)
    challenges = {}
    for name in ("other", "stranger"):
        file = tmp_path / f"{name}.token"
        file.touch(0o600)
        file.write_text(create(tmp_path, name))
        challenges[name] = ("match", "challenge", name, "mine", "--server", address, "--token", f"@{file}")
    run = ("bot", "run", "others/bot.py", "--server", address, "--token")
    with (
        begin(tmp_path, address, token) as bot,
        running(*run, f"@{tmp_path / 'other.token'}", "--logs", "other", cwd=tmp_path) as other,
        running(*run, f"@{tmp_path / 'stranger.token'}", "--logs", "stranger", cwd=tmp_path) as stranger,
    ):
        for each in (bot, other, stranger):
            each.wait_for("connected to ")
        done(*challenges["stranger"], cwd=tmp_path)
        bot.wait_for(r"declined match \w+ \(stranger : mine\): stranger is not among the bots that it plays")
        done(*challenges["other"], "--decision-ms", "1000", cwd=tmp_path)
        bot.wait_for(r"declined match \w+ \(other : mine\): 1000 ms a decision are less than 1500")
        match = done(*challenges["other"], "--option", "months=1", cwd=tmp_path).strip()
        bot.wait_for(f"match {match} is over")
        shown = document("match", "show", match, cwd=tmp_path)
        assert shown["end"] == "completed"
        ended = [one["end"] for one in document("match", "list", cwd=tmp_path)["matches"]]
        assert sorted(ended) == ["abandoned", "abandoned", "completed"]


def test_a_program_that_ends_is_started_again_and_its_match_goes_on(tmp_path: Path, address: str) -> None:
    token = write(tmp_path, SENDS, STOPS_ONCE)
    with begin(tmp_path, address, token) as bot:
        bot.wait_for("the program ended with status 3; it is started again in 0.5 s")
        until(lambda: len([line for line in bot.lines if "connected to " in line]) == 2, "it is connected again")
        bot.wait_for(OVER)
        assert any(re.search(r"match \S+ goes on: koikoi", line) for line in bot.lines)


PIPED = FIRST.replace("run(MyBot())", "from arena.sdk.stdio import StdioClient\nStdioClient(MyBot(), print).run()")
"""Speaks over its standard input and output alone, as the starters in Rust, Go and C do."""


def test_a_program_that_speaks_over_its_standard_input_and_output_plays_in_a_process_for_each_match(
    tmp_path: Path, address: str
) -> None:
    token = write(tmp_path, SENDS, PIPED)
    with begin(tmp_path, address, token) as bot:
        bot.wait_for("the program speaks over its standard input and output: one is started for each match")
        bot.wait_for(r"is over: mine \d+ : house:random \d+; ")
        bot.wait_for(r"is over: mine \d+ : house:random \d+; ")
        bot.process.send_signal(signal.SIGTERM)
        assert bot.end() == 0
    ends = PIPED.replace("        return", "        os._exit(3)\n        return", 1)
    (tmp_path / "mine" / "bot.py").write_text(ends)
    with begin(tmp_path, address, token) as bot:
        bot.wait_for(r"match \S+: the bot failed: the program ended with status 3")


def test_a_keeper_that_is_killed_takes_its_program_with_it_and_goes_on_when_it_is_started_again(
    tmp_path: Path, address: str
) -> None:
    says_pid = FIRST.replace("run(MyBot())", "print('pid', os.getpid(), flush=True)\nrun(MyBot())")
    token = write(tmp_path, SENDS, says_pid)
    output = tmp_path / "bot-logs" / "program.log"
    with begin(tmp_path, address, token) as bot:
        bot.wait_for("begins: koikoi, mine : house:random")
        program = int(re.search(r"pid (\d+)", output.read_text())[1])
        os.kill(bot.process.pid, signal.SIGKILL)
        bot.end()
        until(lambda: not Path(f"/proc/{program}").exists() or is_dead(program), "its program has ended")
    with begin(tmp_path, address, token) as bot:
        bot.wait_for("connected to ")
        bot.wait_for(OVER)


def is_dead(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


def test_a_node_that_is_killed_is_waited_for(tmp_path: Path, short_path: Path) -> None:
    socket = f"unix:{short_path / 'node'}"
    with running("serve", "--listen", socket, cwd=tmp_path) as first:
        first.wait_for("listening on ")
        token = write(tmp_path, SENDS)
        with begin(tmp_path, socket, token) as bot:
            bot.wait_for(OVER)
            os.kill(first.process.pid, signal.SIGKILL)
            first.end()
            bot.wait_for(f"lost the connection to {socket}: ")
            played = len(bot.lines)
            with running("serve", "--listen", socket, cwd=tmp_path) as second:
                second.wait_for("listening on ")
                until(lambda: any("connected to " in line for line in bot.lines[played:]), "it is connected again")
                until(lambda: any(re.search(OVER, line) for line in bot.lines[played:]), "it plays on")


LEAGUE = """name = "{name}"
rounds = 1
board_sets = "field"
boards = 2
options = {{ months = 1 }}
entries = ["house:random", "house:greedy"]
"""


def test_it_enters_the_leagues_of_its_filter(tmp_path: Path, address: str) -> None:
    token = write(tmp_path, '\n[[run.enters]]\nleagues = ["cup-*"]\nvariants = ["koikoi"]\n')
    for name in ("cup-1", "other"):
        (tmp_path / f"{name}.toml").write_text(LEAGUE.format(name=name))
        done("league", "open", f"{name}.toml", cwd=tmp_path)
    call = ("bot", "run", "mine", "--server", address, "--token", f"@{token}", "--dry-run")
    said = done(*call, cwd=tmp_path)
    assert "would enter league cup-1 (koikoi)" in said
    assert "other" not in said
    assert "nothing was sent" in said
    with begin(tmp_path, address, token) as bot:
        bot.wait_for(r"entered league cup-1 \(koikoi\)")
        done("league", "start", "cup-1", cwd=tmp_path)
        bot.wait_for(OVER)
    assert "mine" not in done("league", "show", "other", cwd=tmp_path)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("at_most = 3", "bot.toml: [run]: there is no key `at_most`"),
        ("[run.takes]\nvariants = ['poker']", "[run.takes]: there is no variant 'poker'; there are koikoi, "),
        ("[run.takes]\nmin_decision_ms = 'long'", "Expected `int`, got `str` - at `takes.min_decision_ms`"),
        ("[run.sends]\nopponents = []", "[run.sends]: opponents is empty"),
        ("[run.sends]\nopponents = ['a']\noptions = { months = 0 }", "[run.sends]: option months: 0 is not allowed"),
        ("[run", "bot.toml: "),
    ],
)
def test_rules_that_cannot_be_kept_are_refused_with_their_key(tmp_path: Path, rules: str, said: str) -> None:
    (tmp_path / "bot.py").write_text(FIRST)
    (tmp_path / "bot.toml").write_text(f"[run]\n{rules}\n" if not rules.startswith("[run]") else rules)
    call = ("bot", "run", "./bot.py", "--config", "bot.toml", "--server", "localhost:1", "--token", "hfa_x")
    assert said in refused(*call, cwd=tmp_path)


def test_a_program_that_does_not_run_is_shown_at_once(tmp_path: Path, address: str) -> None:
    token = write(tmp_path, "", "import nothing_of_this_name")
    result = arena("bot", "run", "mine", "--server", address, "--token", f"@{token}", cwd=tmp_path)
    assert result.returncode == 1
    assert "the program ended with status 1 before its Hello:" in result.stderr
    assert "ModuleNotFoundError: No module named 'nothing_of_this_name'" in result.stderr


def test_an_arena_that_does_not_take_the_bot_ends_it(tmp_path: Path, address: str) -> None:
    (tmp_path / "bot.py").write_text(FIRST)
    result = arena("bot", "run", "./bot.py", "--server", address, "--token", "hfa_wrong", cwd=tmp_path)
    assert result.returncode == 1
    assert "the arena does not take the bot: " in result.stderr


def test_a_challenge_is_played_by_a_program_of_this_machine_in_any_language(
    tmp_path: Path, address: str, nodejs: str
) -> None:
    token = write(tmp_path, "")
    done("bot", "new", "js", "--language", "javascript", cwd=tmp_path)
    there = ("--server", address, "--token", f"@{token}", "--option", "months=1")
    told = document("match", "challenge", "./js/bot.js", "house:random", *there, cwd=tmp_path)
    assert (told["status"], told["bots"], told["end"]) == ("over", ["mine", "house:random"], "completed")
    assert "  answers " in (tmp_path / "bot-logs" / f"{told['match']}.log").read_text()
    (tmp_path / "js" / "bot.js").write_text("#!/usr/bin/env node\nthrow new Error('no bot')\n")
    said = refused("match", "challenge", "./js/bot.js", "house:random", *there, cwd=tmp_path, status=1)
    assert "the program ended with status 1 before its Hello:" in said
    assert "Error: no bot" in said


def test_a_program_in_another_language_stays_at_the_arena(tmp_path: Path, address: str, nodejs: str) -> None:
    token = write(tmp_path, SENDS)
    done("bot", "new", "js", "--language", "javascript", cwd=tmp_path)
    call = ("bot", "run", "./js/bot.js", "--config", "mine/bot.toml", "--server", address, "--token", f"@{token}")
    with running(*call, cwd=tmp_path) as run:
        run.wait_for(OVER)
        run.wait_for(OVER)
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 0
