"""A league that is killed goes on: same pairings, nothing lost, nothing counted twice, the same table."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from arena_command import Running, arena, done, league_file, refused, running

BOTS = ["house:random", "house:greedy", "house:random", "house:greedy", "house:random"]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The result of a league that nobody disturbs."""
    folder = tmp_path_factory.mktemp("unbroken")
    return run_to_the_end(folder)


def file_in(folder: Path) -> Path:
    return league_file(folder, BOTS, rounds=3, boards=3)


def run_to_the_end(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(done("league", "run", file_in(folder), "--data", folder / "data", "--json"))
    return document


def children(run: Running, name: str) -> list[psutil.Process]:
    """The processes of the run whose command line holds `name`."""
    found = []
    for child in psutil.Process(run.process.pid).children(recursive=True):
        try:
            if any(name in part for part in child.cmdline()):
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


def test_a_league_counts_every_match_once(unbroken: dict[str, Any]) -> None:
    # Five bots: two tables and a bye in each of three rounds, three boards a table, each in both orders of the seats.
    assert unbroken["matches"] == 3 * 2 * 3 * 2
    assert sum(row["played"] for row in unbroken["table"]["standings"]) == 2 * unbroken["matches"]
    assert sum(row["byes"] for row in unbroken["table"]["standings"]) == 3


def test_a_league_killed_twice_ends_as_if_it_had_not_been(tmp_path: Path, unbroken: dict[str, Any]) -> None:
    for moment in ("round 1/3", "round 2/3"):
        with running("league", "run", file_in(tmp_path), "--data", tmp_path / "data") as run:
            run.wait_for(moment)
            os.kill(run.process.pid, signal.SIGKILL)
            assert run.end() == -signal.SIGKILL
    assert run_to_the_end(tmp_path) == unbroken


def test_a_league_whose_server_and_bots_are_killed_goes_on_by_itself(tmp_path: Path, unbroken: dict[str, Any]) -> None:
    with running("league", "run", file_in(tmp_path), "--data", tmp_path / "data") as run:
        run.wait_for("round 2/3")
        servers, bots = children(run, "valkey-server"), children(run, "bots.greedy")
        assert (len(servers), len(bots)) == (1, 2)
        for process in (*servers, *bots):
            process.kill()
        run.wait_for("round 3/3")
        assert run.end() == 0
    assert run_to_the_end(tmp_path) == unbroken


def test_killing_the_arena_ends_its_server_and_its_bots(tmp_path: Path) -> None:
    with running("league", "run", file_in(tmp_path), "--data", tmp_path / "data") as run:
        run.wait_for("round 2/3")
        processes = children(run, "valkey-server") + children(run, "bots.")
        # The bot that had the bye of round 1 has not been needed yet.
        assert len(processes) >= 1 + 4
        os.kill(run.process.pid, signal.SIGKILL)
        run.end()
        _, alive = psutil.wait_procs(processes, timeout=10)
        assert not alive


def test_a_second_arena_is_refused_a_data_folder_in_use_by_name(tmp_path: Path) -> None:
    file = file_in(tmp_path)
    with running("league", "run", file, "--data", tmp_path / "data") as run:
        run.wait_for("round 1/3")
        said = refused("league", "run", file, "--data", tmp_path / "data")
        assert f"in use by the arena with process id {run.process.pid}" in said


def test_a_finished_league_run_again_shows_its_table_and_plays_nothing(tmp_path: Path) -> None:
    first = run_to_the_end(tmp_path)
    again = arena("league", "run", file_in(tmp_path), "--data", tmp_path / "data")
    assert again.returncode == 0
    assert "bot-1" in again.stdout
    assert run_to_the_end(tmp_path) == first


def test_a_changed_file_under_a_known_name_is_refused(tmp_path: Path) -> None:
    run_to_the_end(tmp_path)
    changed = league_file(tmp_path, BOTS, rounds=4, boards=3)
    assert "'spring' exists and its file has changed" in refused("league", "run", changed, "--data", tmp_path / "data")
