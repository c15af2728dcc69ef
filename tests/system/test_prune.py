"""What is old is removed, and told before; results stay."""

import os
from pathlib import Path

from arena_command import document, done, league_file, refused


def test_the_replays_of_an_old_league_go_and_its_table_stays(tmp_path: Path) -> None:
    file = league_file(
        tmp_path, ("house:random", "house:greedy"), rounds=1, boards=1, more="options = { months = 1 }\n"
    )
    place = ("--data", tmp_path / "data")
    told = document("league", "run", file, *place)
    listed = document("replay", "list", *place)["replays"]
    assert len(listed) == 2
    assert document("prune", "--replays", "1d", *place) == {"dry_run": False, "leagues": []}
    assert document("league", "run", file, *place) == told


def test_what_bots_wrote_goes_when_nothing_was_added_for_long(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "logs" / "league-spring"
    folder.mkdir(parents=True)
    old, new = folder / "old.log", folder / "new.log"
    old.write_text("twelve bytes")
    new.write_text("new")
    os.utime(old, (1e9, 1e9))
    place = ("--data", tmp_path / "data")
    assert document("prune", "--logs", "30d", "--dry-run", *place) == {"dry_run": True, "logs": 12}
    assert old.exists()
    assert done("prune", "--logs", "30d", *place) == "removed 12 bytes that bots wrote\n"
    assert not old.exists()
    assert new.exists()


def test_nothing_is_removed_without_being_named(tmp_path: Path) -> None:
    assert "give --replays, --matches or --logs" in refused("prune", "--data", tmp_path / "data")
    assert "days, hours or minutes" in refused("prune", "--logs", "long", "--data", tmp_path / "data")
