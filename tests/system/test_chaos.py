"""A short form of the chaos run; `python tests/system/chaos.py` is the long one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

BLOWS = 4
BOTS = 6


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.timeout(400)
def test_leagues_survive_blows_to_nodes_bots_and_the_store(tmp_path: Path) -> None:
    script = Path(__file__).with_name("chaos.py")
    short = ("--bots", str(BOTS), "--rounds", "2", "--lease", "3", "--variants", "koikoi,hachihachi")
    command = [sys.executable, script, "--blows", str(BLOWS), *short, "--folder", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{BLOWS} blows" in run.stdout
    assert re.search(r"versions were sent in and qualified; [1-9]\d* blows came in the middle of it", run.stdout)
    assert all(kind in run.stdout for kind in ("kill bot", "kill node", "stop node", "kill store"))
