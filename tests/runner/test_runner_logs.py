"""The logs of a bot that runs by itself can be read and stay within bounds, and its rules are told in words."""

import os
from pathlib import Path

from arena.runner.match_log import MatchLog, prune
from arena.runner.program_log import ProgramLog
from arena.runner.rules import described, rules_of
from hanafuda.arena.v1 import match_pb2, play_pb2
from hanafuda.arena.v1.view_pb2 import Event


def test_what_a_program_writes_takes_no_more_than_two_files_of_the_limit(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path / "program.log", limit=1_000)
    log.begin()
    for number in range(100):
        assert log.write(b"%050d\n" % number)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["program.log", "program.log.1"]
    assert all(0 < file.stat().st_size <= 1_000 for file in tmp_path.iterdir())
    assert log.file.read_bytes().endswith(b"99\n")
    assert log.tail.endswith(b"98\n" + b"%050d\n" % 99)
    log.begin()
    assert log.tail == b""
    assert log.file.read_bytes().endswith(b"99\n"), "the next program's output follows"


def test_a_log_that_cannot_be_written_is_told_and_what_is_said_last_is_known(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path / "program.log")
    log.file.mkdir()
    assert not log.write(b"words")
    assert log.tail == b"words"


def test_the_oldest_logs_of_matches_go_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "program.log").write_text("what the program wrote\n")
    (tmp_path / "other.log").write_text("somebody's\n")
    for place, file in enumerate(tmp_path.iterdir()):
        os.utime(file, (place, place))
    for number in range(5):
        log = MatchLog(tmp_path, play_pb2.MatchStart(match_id=f"match-{number}", variant="koikoi", bots=("a", "b")))
        log.close()
        os.utime(log.file, (100 + number, 100 + number))
    prune(tmp_path, limit=2)
    kept = {file.name for file in tmp_path.iterdir()}
    assert kept == {"program.log", "other.log", "match-3.log", "match-4.log"}


def test_what_happened_stands_in_a_match_log_as_sentences(tmp_path: Path) -> None:
    log = MatchLog(tmp_path, play_pb2.MatchStart(match_id="m", variant="koikoi", bots=("mine", "house:greedy")))
    events = [
        Event(kind="deal", seat=0, cards=(4, 9), values=(2, 1)),
        Event(kind="play", seat=1, cards=(6,), taken=(4, 6)),
        Event(kind="turn", seat=1, cards=(16,)),
        Event(kind="yaku", seat=1, cards=(8, 32), name="hanami", values=(5,)),
        Event(kind="stop", seat=1, values=(5,)),
        Event(kind="score", seat=1, name="hanami", values=(5,)),
        Event(kind="total", seat=1, values=(5, 0, 2, 0)),
        Event(kind="month_end", seat=1, name="stop", values=(0, 10)),
        Event(kind="match_end", seat=-1, values=(0, 10)),
    ]
    log.ended(match_pb2.MatchEnd(match_id="m", results=(0, 10), placing=(2, 1), events=events))
    assert log.file.read_text().splitlines()[3:-1] == [
        "  month 2, deal 2, field 2A 3R, mine plays first",
        "  house:greedy plays 2x, takes 2A",
        "  house:greedy turns 5A",
        "  house:greedy makes hanami with 3L 9A, 5",
        "  house:greedy stops with 5",
        "  hanami 5",
        "  5 × 2 = 10",
        "  house:greedy stops and wins the month: mine 0 : house:greedy 10",
        "  the match is over: mine 0 : house:greedy 10",
    ]


def test_rules_say_of_challenges_what_they_ask_of_them_and_no_more() -> None:
    def takes(**rules: object) -> str:
        return described(rules_of({"takes": rules}, "bot.toml"))["takes"]

    assert takes() == "every challenge"
    assert takes(not_bots=["slow-*"]) == "every challenge but those of slow-*"
    assert takes(variants=["koikoi"], bots=["a"], min_decision_ms=500, changed_options=False) == (
        "challenges of a in koikoi, with at least 500 ms a decision, default options only"
    )
    assert takes(max_decision_ms=900, min_bank_ms=5) == (
        "every challenge, with at most 900 ms a decision, a bank of at least 5 ms"
    )
