"""Parameters, as a bot's program gets them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = 'from arena.sdk import parameter\nprint(parameter("k", 1.0), parameter("n", 4))\n'


def values(folder: Path, **env: str) -> str:
    (folder / "bot.py").write_text(PROGRAM)
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, folder / "bot.py"],
        env={"PYTHONPATH": root, **env},
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()


@pytest.mark.parametrize(
    ("manifest", "given", "expected"),
    [
        ("", {}, "1.0 4"),
        ("[parameters]\nk = { default = 2, low = 1, high = 3 }\n", {}, "2.0 4"),
        ("[parameters]\nk = { default = 2, low = 1, high = 3 }\n", {"k": 2.5, "n": 7}, "2.5 7"),
        ("", {"n": 7.5}, ""),
        ("", {"k": "fast"}, ""),
    ],
)
def test_a_parameter_is_as_it_is_tuned_else_as_declared_else_the_default(
    tmp_path: Path, manifest: str, given: dict[str, object], expected: str
) -> None:
    if manifest:
        (tmp_path / "bot.toml").write_text(manifest)
    assert values(tmp_path, ARENA_PARAMETERS=json.dumps(given)) == expected
