"""A league that is killed goes on: same pairings, nothing lost, nothing counted twice, the same table."""

import json
import os
import signal
from pathlib import Path

import psutil
from arena_command import DEADLINE_S, arena, children, document, done, refused, running, standings_of, until
from one_league import Unbroken, file_in, held


def test_a_league_counts_every_match_once(unbroken: Unbroken) -> None:
    standings = standings_of(unbroken.told)
    assert unbroken.told["matches"] == 4 * 2
    assert sum(row["played"] for row in standings) == 2 * unbroken.told["matches"]
    assert sorted(row["byes"] for row in standings) == [1, 1, 2]


def test_a_league_killed_twice_ends_as_if_it_had_not_been(tmp_path: Path, unbroken: Unbroken) -> None:
    for number in (1, 3):
        file = file_in(tmp_path)
        with held(tmp_path, number), running("league", "run", "--uncaged", file, "--data", tmp_path / "data") as run:
            run.wait_for(f"round {number}/4")
            os.kill(run.process.pid, signal.SIGKILL)
            assert run.end() == -signal.SIGKILL
    assert document("league", "run", file_in(tmp_path), "--data", tmp_path / "data") == unbroken.told


def test_after_ctrl_c_the_same_command_goes_on(tmp_path: Path, unbroken: Unbroken) -> None:
    file = file_in(tmp_path)
    with held(tmp_path, 3), running("league", "run", "--uncaged", file, "--data", tmp_path / "data") as run:
        run.wait_for("round 3/4")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
        assert run.lines[-1] == "league spring stopped; the same command continues where it was"
        assert not any("Traceback" in line for line in run.lines)
    stopped = document("league", "show", "spring", "--data", tmp_path / "data")
    assert stopped["state"] == "running"
    shown = " ".join(done("league", "show", "spring", "--data", tmp_path / "data").split())
    assert "no node works on this round" in shown
    assert ": `arena league run FILE --data" in shown
    assert "`, with the league's file, or `arena serve --data" in shown
    again = arena("league", "run", file_in(tmp_path), "--data", tmp_path / "data", "--json")
    assert f"\nspring: goes on after {stopped['matches']} matches\n" in again.stderr
    assert "\nspring: round 3/4, 0 matches" not in again.stderr
    assert json.loads(again.stdout) == unbroken.told


def test_a_league_whose_server_and_bots_are_killed_goes_on_by_itself(tmp_path: Path, unbroken: Unbroken) -> None:
    with running("league", "run", "--uncaged", file_in(tmp_path), "--data", tmp_path / "data") as run:
        with held(tmp_path, 3):
            run.wait_for("round 3/4")
            servers, bots = children(run, "valkey-server"), children(run, "bots.")
            assert len(servers) == 1
            for process in (*servers, *bots):
                process.kill()
        run.wait_for("round 4/4")
        assert run.end() == 0
    assert document("league", "run", file_in(tmp_path), "--data", tmp_path / "data") == unbroken.told


def test_killing_the_arena_ends_its_server_and_its_bots_and_meanwhile_its_folder_is_taken(tmp_path: Path) -> None:
    file = file_in(tmp_path)
    with held(tmp_path, 3), running("league", "run", "--uncaged", file, "--data", tmp_path / "data") as run:
        run.wait_for("round 3/4")
        said = refused("league", "run", file, "--data", tmp_path / "data")
        assert f"in use by the arena with process id {run.process.pid}" in said
        until(lambda: children(run, "holds.py"), "the bot by its path is started")
        processes = [child for name in ("valkey-server", "bots.", "holds.py") for child in children(run, name)]
        assert len(processes) >= 1 + 1
        os.kill(run.process.pid, signal.SIGKILL)
        run.end()
        _, alive = psutil.wait_procs(processes, timeout=DEADLINE_S)
        assert not alive


def test_a_finished_league_run_again_shows_its_table_and_plays_nothing(unbroken: Unbroken) -> None:
    shown = done("league", "run", unbroken.file, "--data", unbroken.data)
    assert all(name in shown for name in ("bot-1", "bot-2", "bot-3", "Verify one: arena replay verify"))


def test_a_changed_file_under_a_known_name_is_refused_and_changes_nothing(tmp_path: Path, unbroken: Unbroken) -> None:
    said = refused("league", "run", file_in(tmp_path, rounds=5), "--data", unbroken.data)
    assert "'spring' exists and its file has changed" in said
    assert document("league", "show", "spring", "--data", unbroken.data) == unbroken.told
