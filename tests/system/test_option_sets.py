"""A named set of options, wherever options are given."""

from pathlib import Path

from arena_command import document, done, refused

LEAGUE = """name = "steam"
rounds = 1
boards = 2
options = { set = "steam", months = 1, points.inoshikacho = 5 }
entries = ["house:greedy", "house:random"]
"""


def test_a_match_and_a_league_are_played_by_a_set_and_proved(tmp_path: Path) -> None:
    match = ("match", "play", "house:search", "house:random", "--option", "set=steam", "--option", "months=1")
    told = document(*match, "--seed", "7", cwd=tmp_path)
    assert "verified" in done("replay", "verify", told["replay"], cwd=tmp_path)
    assert "koi_scoring = count" in " ".join(done("replay", "show", told["replay"], cwd=tmp_path).split())
    (tmp_path / "steam.toml").write_text(LEAGUE)
    done("league", "run", "steam.toml", cwd=tmp_path)
    done("league", "export", "steam", "steam.zip", cwd=tmp_path)
    # `points.inoshikacho` is given as it is by default: a replay names only what differs, which is no contradiction.
    assert "ok" in done("league", "verify", "steam.zip", cwd=tmp_path)


def test_a_set_that_there_is_not_is_refused_in_its_line(tmp_path: Path) -> None:
    (tmp_path / "steam.toml").write_text(LEAGUE.replace('"steam", m', '"stream", m'))
    said = refused("league", "run", "steam.toml", status=2, cwd=tmp_path)
    assert "steam.toml:4: options.set: option set: koikoi has no set 'stream'; it takes steam" in said
    said = refused("match", "play", "house:greedy", "house:random", "--option", "set=stream", status=2, cwd=tmp_path)
    assert "koikoi has no set 'stream'; it takes steam" in said


def test_the_tables_name_the_sets(tmp_path: Path) -> None:
    assert "--option set=steam: " in done("tables", "koikoi", cwd=tmp_path)
    (steam,) = document("tables", "koikoi", cwd=tmp_path)["sets"]
    assert (steam["name"], steam["options"]["koi_scoring"]) == ("steam", "count")
    assert document("tables", "kyogi", cwd=tmp_path)["sets"] == []
