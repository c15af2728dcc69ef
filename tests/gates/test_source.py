"""The checks of `make check`, as tests: what they say counts."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["buf", "lint", "proto"],
        ["buf", "format", "--diff", "--exit-code", "proto"],
        ["buf", "breaking", "proto", "--against", "proto/hanafuda/arena/v1.binpb"],
    ],
    ids=" ".join,
)
def test_the_source_passes(command: list[str]) -> None:
    tool = shutil.which(command[0], path=BIN)
    assert tool, f"{command[0]} is not installed beside {sys.executable}"
    done = subprocess.run([tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
