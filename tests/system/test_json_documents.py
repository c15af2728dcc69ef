"""`--json`: one document on standard output and nothing else, also where a command fails."""

import json
from pathlib import Path
from typing import Any

import pytest
from arena_command import arena, document, done
from bots_in_tests import BROKEN, write_bot


def failed(*arguments: str | Path, cwd: Path, status: int) -> dict[str, Any]:
    """Run a command that fails; its document. What it says to people is the same."""
    result = arena(*arguments, "--json", cwd=cwd)
    assert result.returncode == status, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    assert told["ok"] is False
    if "error" in told:
        assert told["error"] in result.stderr
    return told


@pytest.mark.parametrize("content", [b"", b"Not an archive.\n", bytes(range(256)) * 9])
def test_a_file_that_is_no_archive_or_replay_is_told_as_a_failed_check(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    told = failed("league", "verify", "file", cwd=tmp_path, status=1)
    assert told["error"].startswith("file cannot be proved: this is not an archive of a league")
    [told] = failed("replay", "verify", "file", cwd=tmp_path, status=1)["replays"]
    assert (told["replay"], told["ok"]) == ("file", False)
    assert told["error"].startswith("file: ")


def test_replays_are_told_one_by_one(tmp_path: Path) -> None:
    match = ("match", "play", "house:greedy", "house:random", "--seed", "7", "--option", "months=1")
    played = document(*match, cwd=tmp_path)
    (tmp_path / "other").write_text("Not a replay.\n")
    told = document("replay", "verify", played["replay"], cwd=tmp_path)
    assert told["ok"] is True
    [one] = told["replays"]
    assert (one["variant"], one["bots"], one["results"]) == ("koikoi", played["bots"], played["results"])
    told = failed("replay", "verify", "other", played["replay"], cwd=tmp_path, status=1)
    assert [each["ok"] for each in told["replays"]] == [False, True]


def test_bots_owners_and_leagues_are_made_and_changed_with_documents(tmp_path: Path) -> None:
    owner = document("owner", "create", "alice", cwd=tmp_path)
    assert (owner["owner"], owner["token"][:4]) == ("alice", "hfo_")
    bot = document("bot", "create", "ann", "--owner", "alice", cwd=tmp_path)
    assert (bot["bot"], bot["token"][:4]) == ("ann", "hfa_")
    (tmp_path / "spring.toml").write_text(
        'name = "spring"\nrounds = 1\nboards = 1\noptions = { months = 1 }\nentries = ["house:greedy"]\n'
    )
    made = document("league", "open", "spring.toml", cwd=tmp_path)
    assert (made["league"], made["state"], made["entrants"], made["changed"]) == ("spring", "open", ["greedy"], False)
    entered = document("league", "enter", "spring", "house:random", cwd=tmp_path)
    assert (entered["bot"], entered["variants"], entered["already_entered"]) == ("random", ["koikoi"], False)
    assert document("league", "enter", "spring", "house:random", cwd=tmp_path)["already_entered"] is True
    started = document("league", "start", "spring", cwd=tmp_path)
    assert started == {"league": "spring", "state": "running", "before": "open"}
    table = document("league", "table", "spring", cwd=tmp_path)
    assert table["league"] == "spring"
    assert "after 0 rounds" in done("league", "table", "spring", cwd=tmp_path)
    assert document("league", "cancel", "spring", cwd=tmp_path)["state"] == "cancelled"


def test_the_machine_is_told_as_a_document(tmp_path: Path) -> None:
    told = document("doctor", cwd=tmp_path)
    assert told["ok"] is True
    assert told["problems"] == []
    assert told["store"]["has_leagues"] is False
    assert told["cores"] >= 1
    assert failed("doctor", "--redis", "unix:///nowhere", cwd=tmp_path, status=1)["problems"]


@pytest.mark.usefixtures("bubblewrap")
def test_a_bot_is_checked_and_submitted_with_documents(tmp_path: Path) -> None:
    write_bot(tmp_path, "bad", BROKEN["crashes"])
    result = arena("bot", "check", "./bad.py", "--json", cwd=tmp_path)
    assert result.returncode == 1
    told = json.loads(result.stdout)
    assert told["ok"] is False
    assert "I cannot count" in told["steps"][-1]["fault"] + told["output"]
    arena("bot", "new", "mine", cwd=tmp_path)
    told = document("bot", "check", "mine", cwd=tmp_path)
    assert (told["ok"], told["variant"]) == (True, "koikoi")
    assert all(step["fault"] == "" for step in told["steps"])
    told = document("bot", "submit", "mine", cwd=tmp_path)
    assert (told["bot"], told["status"], len(told["version"])) == ("mine", "qualified", 64)


@pytest.mark.parametrize(
    "command",
    [
        ("league", "run", "none.toml"),
        ("league", "show", "spring"),
        ("league", "upcoming"),
        ("league", "verify", "none.zip"),
        ("replay", "verify", "none"),
        ("match", "play", "house:random", "./none"),
        ("match", "test", "house:random", "./none"),
        ("simulate", "--variant", "kyogo"),
        ("tables", "koikoi", "--years", "1"),
    ],
)
def test_wrong_use_is_told_as_a_document_too(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert failed(*command, cwd=tmp_path, status=2)["error"]


def test_a_forfeit_is_told_by_the_match_itself(tmp_path: Path) -> None:
    write_bot(tmp_path, "bad", BROKEN["crashes"])
    result = arena("match", "play", "house:random", "./bad.py", "--json", cwd=tmp_path)
    assert result.returncode == 1
    told = json.loads(result.stdout)
    assert (told["bots"][told["offender"]], told["replay"][-8:]) == ("bad", ".hreplay")
    assert "bad forfeited" in result.stderr
