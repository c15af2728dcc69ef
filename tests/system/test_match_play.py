"""`arena match play`: a match on this machine, whatever its bots do."""

import json
from pathlib import Path

import pytest
from arena_command import arena, document, done, refused
from bots_in_tests import BROKEN, FIRST, write_bot
from typer.testing import CliRunner

from arena.cli.app import app
from arena.cli.failures import CheckFailedError
from arena.replays import decode, verify
from arena.seats import watched

SHORT = ("--seed", "7", "--option", "months=1")


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_by_its_path_plays_a_house_bot_and_leaves_a_replay(tmp_path: Path) -> None:
    write_bot(tmp_path, "first", FIRST)
    said = done("match", "play", "./first.py", "house:greedy", *SHORT, cwd=tmp_path)
    assert (tmp_path / "arena-data").stat().st_mode & 0o077 == 0
    (replay,) = (tmp_path / "arena-data" / "replays").iterdir()
    assert f"arena replay show arena-data/replays/{replay.name}" in said
    assert "verified" in done("replay", "verify", replay, cwd=tmp_path)


def test_a_match_is_told_in_one_json_document_and_is_the_same_from_its_seed(tmp_path: Path) -> None:
    match = ("match", "play", "house:random", "house:random", "--option", "months=1")
    told = document(*match, cwd=tmp_path)
    assert told["end"] == "completed"
    assert told["bots"] == ["random-1", "random-2"]
    transcript = json.loads(done("replay", "transcript", told["replay"], cwd=tmp_path))
    assert transcript["result"] == told["results"]
    assert transcript["seed"] == told["seed"]
    assert transcript["options"]["months"] == 1
    again = document(*match, "--seed", told["seed"], cwd=tmp_path)
    assert {**again, "match": told["match"], "replay": told["replay"]} == told


@pytest.mark.usefixtures("bubblewrap")
def test_what_bots_of_one_name_write_is_kept_apart_by_match(tmp_path: Path) -> None:
    written = []
    for folder, how in (("one", ()), ("two", ("--uncaged",))):
        (tmp_path / folder).mkdir()
        write_bot(tmp_path / folder, "bot", f"import sys; print('I am {folder}', file=sys.stderr)\n{FIRST}")
        told = document("match", "play", f"./{folder}/bot.py", "house:random", *how, *SHORT, cwd=tmp_path)
        written.append((tmp_path / "arena-data" / "logs" / told["match"] / "bot.log").read_text())
    assert ["I am one" in text for text in written] == [True, False]
    assert ["I am two" in text for text in written] == [False, True]
    assert "koikoi against random: " in written[1]


def test_house_bots_play_wherever_files_have_the_names_of_modules(tmp_path: Path) -> None:
    for name in ("random", "bots", "core_ext"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('imported from the folder of its user')")
    assert document("match", "play", "house:random", "house:greedy", *SHORT, cwd=tmp_path)["end"] == "completed"


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    ("program", "arguments", "said"),
    [
        (
            BROKEN["hangs"],
            ("house:random", "--decision-ms", "1000", "--bank-ms", "500"),
            "waiting for slow: it has 1 s for a decision, and 0.5 s more in the whole match",
        ),
        (
            "import signal; signal.pause()",
            ("./slow.py", "--start-ms", "1000"),
            "waiting for the bots to connect: each may take 1 s",
        ),
    ],
)
def test_a_match_that_stands_still_says_once_for_whom_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(watched, "NOTICE_AFTER_S", 0.4)
    write_bot(tmp_path, "slow", program)
    result = CliRunner().invoke(app, ["match", "play", "./slow.py", *arguments])
    lines = result.stderr.splitlines()
    assert lines.count(said) == 1, lines
    assert isinstance(result.exception, CheckFailedError)


@pytest.mark.parametrize(
    ("name", "end", "words", "limits"),
    [
        ("crashes", "bot_error", "RuntimeError: I cannot count", ()),
        ("sends-what-is-not-legal", "illegal_action", "decision 1 of seat 0: code 9999 is not legal", ()),
        ("hangs", "timeout", "decision 1 of seat 0 took", ("--decision-ms", "2000", "--bank-ms", "0")),
        ("dies", "bot_error", "ended with status 3 in the middle of the match:", ()),
        ("is-killed", "bot_error", "was killed by signal 40", ()),
        ("dies-before-it-is-asked", "bot_error", "ended with status 7", ()),
        ("ends-at-once", "bot_error", "ended with status 1 before its Hello:\nno thanks", ()),
        ("prints-nonsense", "bot_error", "did not connect within 1 s:\n[31mblah\n", ("--start-ms", "1000")),
    ],
)
def test_a_broken_bot_forfeits_with_a_word_and_the_match_can_be_verified(
    tmp_path: Path, name: str, end: str, words: str, limits: tuple[str, ...]
) -> None:
    bot = write_bot(tmp_path, name, BROKEN[name])
    # No bot that is well can be relied on to connect in so short a time.
    opponent = write_bot(tmp_path, "opponent", BROKEN[name]) if "--start-ms" in limits else "house:random"
    result = arena("match", "play", bot, opponent, "--uncaged", *SHORT, *limits, "--json", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    told = json.loads(result.stdout)
    assert (told["end"], told["offender"], told["placing"]) == (end, 0, [2, 1])
    assert words in told["text"]
    assert f"{name} forfeited ({end}): " in result.stderr
    assert "\x1b" not in result.stderr
    assert verify(decode((tmp_path / told["replay"]).read_bytes())) == ()


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_by_path_runs_in_a_cage_and_what_it_needs_beyond_that_is_told_to_be_had_uncaged(tmp_path: Path) -> None:
    write_bot(tmp_path, "needs", f"import grpc\n{FIRST}")
    match = ("match", "play", "./needs.py", "house:random", *SHORT)
    result = arena(*match, cwd=tmp_path)
    assert result.returncode == 1
    assert "No module named 'grpc'\nit ran in a cage" in result.stderr
    assert "take --uncaged" in result.stderr
    assert document(*match, "--uncaged", cwd=tmp_path)["end"] == "completed"


@pytest.mark.usefixtures("bubblewrap")
def test_a_caged_bot_whose_standard_error_is_empty_leads_nobody_to_look_for_what_it_wrote(tmp_path: Path) -> None:
    for status, is_empty in ((3, True), ("a word", False)):
        write_bot(tmp_path, "ends", f"import sys; sys.exit({status!r})")
        said = refused("match", "play", "./ends.py", "house:random", *SHORT, cwd=tmp_path, status=1)
        assert ("(its standard error is empty)" in said) == is_empty
        assert ("what it wrote: " in said) != is_empty


def test_a_replay_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "arena-data").mkdir()
    (tmp_path / "arena-data" / "replays").write_text("in the way")
    said = refused("match", "play", "house:random", "house:random", *SHORT, cwd=tmp_path)
    assert "arena-data/replays" in said
