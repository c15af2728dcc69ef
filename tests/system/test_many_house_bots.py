"""A league of many house bots: they take a process for each processor, not for each entry."""

import json
import os
from pathlib import Path

from arena_command import children, league_file, running, standings_of, until
from bots_in_tests import HOLDS, write_bot
from one_league import held

ENTRIES = 40


def test_many_house_bots_share_as_many_processes_as_there_are_processors(tmp_path: Path) -> None:
    bots = [str(write_bot(tmp_path, "holds", HOLDS)), *["house:level1"] * (ENTRIES - 1)]
    file = league_file(tmp_path, bots, rounds=1, boards=1, more="options = { months = 1 }\nper_decision_ms = 600000\n")
    with running("league", "run", "--uncaged", file, "--json", "--data", tmp_path / "data") as run:
        with held(tmp_path, 1):
            until(lambda: children(run, "bots.worker"), "house bots think")
            assert len(children(run, "bots.")) <= len(os.sched_getaffinity(0))
        assert run.end() == 0
    assert sum(row["played"] for row in standings_of(json.loads(run.lines[-1]))) == 2 * ENTRIES
