"""The logs of a bot that runs by itself stay within bounds."""

import os
from pathlib import Path

from arena.runner.match_log import MatchLog, prune
from arena.runner.program_log import ProgramLog
from hanafuda.arena.v1 import play_pb2


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
    prune(tmp_path, most=2)
    kept = {file.name for file in tmp_path.iterdir()}
    assert kept == {"program.log", "other.log", "match-3.log", "match-4.log"}
