"""A ladder by its commands: it goes on whatever is killed, its pages say how it stands, and its seasons are proved."""

import json
import os
import re
import signal
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from arena_command import DEADLINE_S, children, document, done, pages_port, refused, running, until

ROUNDS, TABLES, BOARDS = 5, 2, 2
LADDER = f"""
name = "evening"
rounds = {ROUNDS}
boards = {BOARDS}
options = {{ months = 2 }}
entries = ["house:random", "house:greedy", "house:level1", "house:level2"]
[ladder]
tables = {TABLES}
"""
SERVE = ("serve", "--listen", "127.0.0.1:0")


def test_a_ladder_goes_on_whatever_is_killed_and_each_of_its_seasons_is_proved(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(LADDER)
    assert "Ladder evening is open: koikoi, season 1." in done("ladder", "open", "evening.toml", cwd=tmp_path)
    with running(*SERVE, cwd=tmp_path) as run:
        run.wait_for(rf"round 2 of {ROUNDS} begins")
        for process in children(run, "valkey-server"):
            process.kill()
        os.kill(run.process.pid, signal.SIGKILL)
        run.end()
    with running(*SERVE, cwd=tmp_path) as run:
        run.wait_for(rf"round 4 of {ROUNDS} begins")
        os.kill(run.process.pid, signal.SIGKILL)
        run.end()
    with running(*SERVE, cwd=tmp_path) as run:
        run.wait_for("ladder evening: season 2 has begun")
        run.wait_for(rf"ladder.evening.2, koikoi: round 2 of {ROUNDS} begins")
        done("ladder", "close", "evening", cwd=tmp_path)
        until(lambda: document("ladder", "show", "evening", cwd=tmp_path)["state"] == "closed", "the ladder is closed")
    [listed] = document("ladder", "list", cwd=tmp_path)["ladders"]
    assert (listed["state"], len(listed["rows"])) == ("closed", 4)
    with running("web", "--listen", "127.0.0.1:0", cwd=tmp_path) as run:
        pages_say_how_it_stands(pages_port(run), listed)
    numbers = range(1, listed["season"] + 1)
    seasons = [document("league", "show", f"ladder.evening.{number}", cwd=tmp_path) for number in numbers]
    assert {season["state"] for season in seasons} == {"finished"}
    assert seasons[0]["matches"] == ROUNDS * TABLES * BOARDS * 2, "none is lost, none counted twice"
    assert sum(row["boards"] for row in listed["rows"]) == sum(season["matches"] for season in seasons)
    for number in (1, numbers[-1]):
        done("league", "export", f"ladder.evening.{number}", f"{number}.zip", cwd=tmp_path)
        assert f"league ladder.evening.{number} holds" in done("league", "verify", f"{number}.zip", cwd=tmp_path)


def get(port: int, path: str) -> tuple[int, str]:
    """What a page's server answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


def pages_say_how_it_stands(port: int, told: dict[str, Any]) -> None:
    """The ladder's page, its JSON, and the pages that lead to it."""
    status, page = get(port, "/ladders/evening")
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert status == 200
    assert f"closed after season {told['season']}" in words
    shown = json.loads(get(port, "/api/v1/ladders/evening")[1])["ladder"]
    assert shown == told
    assert len(re.findall(r"level1 \d+ ± \d+", words)) == 1
    for path in ("/ladders", "/", "/leagues/ladder.evening.1"):
        assert 'href="/ladders/evening"' in get(port, path)[1]
    assert "ladder.evening" not in get(port, "/leagues")[1], "seasons are no leagues that anybody made"
    assert [get(port, path)[0] for path in ("/ladders/morning", "/ladders/a%20b")] == [404, 404]


def test_a_file_is_opened_by_the_command_that_it_is_for(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(LADDER)
    (tmp_path / "cup.toml").write_text(LADDER.partition("[ladder]")[0].replace("evening", "cup"))
    for verb in ("open", "run"):
        said = refused("league", verb, "evening.toml", cwd=tmp_path)
        assert "evening.toml:7: ladder: a file with a ladder is for `arena ladder open evening.toml`" in said
    said = refused("ladder", "open", "cup.toml", cwd=tmp_path)
    assert "file cup.toml has no [ladder]: as a league, `arena league open cup.toml` is for it" in said
    done("ladder", "open", "evening.toml", cwd=tmp_path)
    assert "no ladder named 'morning'" in refused("ladder", "show", "morning", cwd=tmp_path)
    assert "'morning'" in refused("ladder", "close", "morning", cwd=tmp_path)


def test_what_a_ladder_cannot_do_is_said_of_a_ladder(tmp_path: Path) -> None:
    (tmp_path / "evening.toml").write_text(LADDER)
    assert "ladder file nothing.toml: No such file" in refused("ladder", "open", "nothing.toml", cwd=tmp_path)
    done("ladder", "open", "evening.toml", cwd=tmp_path)
    assert "no bot named 'mine'" in refused("ladder", "enter", "evening", "mine", cwd=tmp_path)
    (tmp_path / "mine").mkdir()
    assert "say ./mine" in refused("ladder", "enter", "evening", "mine", cwd=tmp_path)
    done("bot", "create", "live", cwd=tmp_path)
    assert "ladder evening has mirrored boards" in refused("ladder", "enter", "evening", "live", cwd=tmp_path)
    assert "there is no bot '' on ladder evening" in refused("ladder", "leave", "evening", "", cwd=tmp_path)
    assert "begins at a node" in done("ladder", "show", "evening", cwd=tmp_path)
    assert "ends with the round" in done("ladder", "close", "evening", cwd=tmp_path)
    assert "was closed before" in done("ladder", "close", "evening", cwd=tmp_path)
    assert "arena ladder open FILE" in refused("ladder", "enter", "evening", "house:search", cwd=tmp_path)
    done("ladder", "open", "evening.toml", cwd=tmp_path)
    assert "search has entered" in done("ladder", "enter", "evening", "house:search", cwd=tmp_path)
