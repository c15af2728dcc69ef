"""An arena goes on under a newer version: from data folders of the past, and node by node while it plays."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from arena_command import document, done, process_output, refused, running, until
from one_league import Unbroken, file_in, held
from several_nodes import redis_server
from store_of_the_past import NAMES, unpack

from arena.store.keys import SCHEMA

OLDER = [sys.executable, Path(__file__).parent / "older_arena.py"]


def tables(told: dict[str, Any]) -> dict[str, list[list[object]]]:
    """Of each division: names, match points and game points."""
    return {
        division["variant"]: [
            [row["name"], row["match_points"], row["game_points"]] for row in division["table"]["standings"]
        ]
        for division in told["divisions"]
    }


@pytest.mark.parametrize("name", NAMES)
def test_leagues_of_every_schema_are_as_they_were(name: str, tmp_path: Path) -> None:
    old = unpack(name, tmp_path / "data")
    for league, kept in old.tables.items():
        told = document("league", "show", league, "--data", old.folder)
        assert tables(told) == kept
        assert told["state"] == ("running" if league == "kept" else "finished")


@pytest.mark.parametrize("name", [NAMES[0], *NAMES[-2:]])
def test_a_league_that_an_older_version_was_killed_in_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    old = unpack(name, tmp_path / "data")
    told = document("league", "run", old.league_file, "--data", old.folder)
    assert told["state"] == "finished"
    for division in told["divisions"]:
        assert division["matches"] == 12
        assert [row["played"] for row in division["table"]["standings"]] == [6] * 4


def test_a_store_that_went_back_is_opened_by_the_version_before(tmp_path: Path) -> None:
    where = ("--data", tmp_path / "data")
    done("bot", "create", "ann", *where)
    assert document("migrate", "--to", str(SCHEMA - 1), *where)["schema"] == SCHEMA - 1
    with process_output([*OLDER, "bot", "list", *where], cwd=None, env={}) as run:
        run.wait_for("ann")
        assert run.end() == 0
    assert document("migrate", *where)["schema"] == SCHEMA
    with process_output([*OLDER, "bot", "list", *where], cwd=None, env={}) as run:
        run.wait_for(f"error: the store holds key schema {SCHEMA}; this version knows schema {SCHEMA - 1}")
    assert "but a backup" in refused("migrate", "--to", "1", *where)


def test_nodes_are_upgraded_one_after_the_other_while_a_league_is_played(tmp_path: Path, unbroken: Unbroken) -> None:
    file = file_in(tmp_path)
    with redis_server(tmp_path) as url:
        where = ("--redis", url)
        with (
            held(tmp_path, 3),
            process_output([*OLDER, "league", "run", "--uncaged", file, *where], cwd=tmp_path, env={}) as older,
        ):
            older.wait_for("round 3/4")
            assert document("migrate", *where)["schema"] == SCHEMA - 1
            with running("serve", "--listen", "127.0.0.1:0", *where, "--data", tmp_path / "data") as newer:
                newer.wait_for("older nodes run")
                newer.wait_for("listening on")
                # The store opens for the older version still.
                with process_output([*OLDER, "bot", "create", "ann", *where], cwd=None, env={}) as command:
                    assert command.end() == 0
                assert older.process.poll() is None
                older.process.send_signal(signal.SIGTERM)
                older.end()
                until(lambda: document("migrate", *where)["schema"] == SCHEMA, "the store has the new schema")
                newer.wait_for(f"the store has key schema {SCHEMA}|listening on")
        assert document("league", "run", "--uncaged", file, *where, "--data", tmp_path / "data") == unbroken.told
        assert "differs by case" in refused("bot", "create", "Ann", *where)
