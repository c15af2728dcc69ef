"""The settings of a node: from a file, from the environment, from the command line."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from arena_command import done, refused, running


def settings(*arguments: str | Path, env: dict[str, str] | None = None) -> dict[str, tuple[str, str]]:
    """Value and origin of each setting."""
    told: dict[str, Any] = json.loads(done("config", "show", *arguments, "--json", env=env))
    return {setting["name"]: (setting["value"], setting["origin"]) for setting in told["settings"]}


def written(folder: Path, text: str) -> Path:
    """A file of settings."""
    file = folder / "arena.toml"
    file.write_text(text)
    return file


def test_each_setting_tells_where_it_comes_from(tmp_path: Path) -> None:
    file = written(tmp_path, 'data = "here"\n\n[serve]\nlisten = ["127.0.0.1:1", "127.0.0.1:2"]\nlease = 5\n')
    told = settings("serve", "--config", file, env={"ARENA_SERVE_LEASE": "7", "ARENA_SERVE_INSECURE": "1"})
    assert told["data"] == ("here", f"{file}, line 1")
    assert told["listen"] == ("127.0.0.1:1, 127.0.0.1:2", f"{file}, line 4")
    assert told["lease"] == ("7.0", "ARENA_SERVE_LEASE")
    assert told["insecure"] == ("True", "ARENA_SERVE_INSECURE")
    assert told["challenges_open"] == ("32", "default")
    assert settings("web", "--config", file)["listen"] == ("127.0.0.1:8080", "default")


def test_a_node_runs_by_its_file_and_what_is_typed_counts_for_more(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        f'data = "{tmp_path}/data"\n[serve]\nlisten = "127.0.0.1:nowhere"\n'
        'metrics = "127.0.0.1:0"\nweb = "127.0.0.1:0"\n[web]\ngames = 0\n',
    )
    with running("serve", "--listen", "127.0.0.1:0", env={"ARENA_CONFIG": str(file)}, cwd=tmp_path) as run:
        run.wait_for(r"metrics at http://127")
        run.wait_for(r"listening on 127.0.0.1:\d+")
        run.wait_for(r"pages at http://127")
    assert (tmp_path / "data" / "store.log").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[serve]\nlisen = "x"', "line 2: [serve] has no setting 'lisen'; did you mean listen?"),
        ('listen = "x"', "line 1: outside of [serve] and [web] there is no setting 'listen'; there are data, redis"),
        ('[serve]\n\nlease = "soon"', "line 3: serve.lease: 'soon' is not a valid float"),
        ("[serve]\nlease = [1, 2]", "line 2: serve.lease takes one value"),
        ('[serve]\ninsecure = "yes"', "line 2: serve.insecure is true or false"),
        ("[web]\ngames = 5_000", "line 2: web.games: 5000 is not in the range"),
        ('[serve]\nlog = "all"', "line 2: serve.log: 'all' is not one of"),
        ("[server]\nlisten = 1", "line 1: outside of [serve] and [web] there is no setting 'server'"),
        ("[serve\n", "is no TOML"),
    ],
)
def test_a_faulty_file_is_refused_with_the_line_and_the_key(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    for command in (("serve",), ("config", "show", "web")):
        assert said in refused(*command, "--config", file, cwd=tmp_path)
    assert os.listdir(tmp_path) == ["arena.toml"]


def test_a_password_is_taken_from_private_files_and_the_environment_alone(tmp_path: Path) -> None:
    url = "redis://arena:secret@127.0.0.1:1/0"
    file = written(tmp_path, f'redis = "{url}"\n')
    file.chmod(0o644)
    assert "is open to other users" in refused("config", "show", "serve", "--config", file)
    file.chmod(0o600)
    told = settings("serve", "--config", file)["redis"]
    assert told == ("redis://arena:***@127.0.0.1:1/0", f"{file}, line 1")
    assert settings("serve", env={"ARENA_REDIS": url})["redis"][1] == "ARENA_REDIS"
    assert "every user of this machine can read a password there" in refused("status", "--redis", url)
