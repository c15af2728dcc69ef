"""A short form of the chaos run; `python tests/system/chaos.py` is the long one."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chaos_checks import Blow, unexplained

BLOWS = 4
BOTS = 6


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.timeout(400)
def test_leagues_survive_blows_to_nodes_bots_and_the_store(tmp_path: Path) -> None:
    script = Path(__file__).with_name("chaos.py")
    short = ("--bots", str(BOTS), "--rounds", "2", "--lease", "3", "--variants", "koikoi")
    command = [sys.executable, script, "--blows", str(BLOWS), *short, "--folder", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{BLOWS} blows" in run.stdout
    assert re.search(r"versions were sent in and qualified; [1-9]\d* blows came in the middle of it", run.stdout)
    assert all(kind in run.stdout for kind in ("kill bot", "kill node", "stop node", "kill store"))


@pytest.mark.parametrize(
    ("said_at", "stopped", "explained"),
    [(20, (), True), (40, (), False), (40, ("taker", 22, 39), True), (40, ("other", 22, 39), False), (9, (), False)],
)
def test_a_lost_lease_is_explained_by_a_blow_to_its_owner_before_it_was_taken(
    said_at: int, stopped: tuple[str, int, int] | tuple[()], explained: bool
) -> None:
    pids = {"owner": 1, "taker": 2, "other": 3}
    blows = [Blow("stop node", "node", pids["owner"], began=11, ended=20, lease_s=5)]
    if stopped:
        name, began, ended = stopped
        blows.append(Blow("stop node", "node", pids[name], began, ended, lease_s=5))
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(said_at))
    line = f"{when},000 WARNING jobs: host.2.aa takes over league:a:b step 1, whose lease ran out, from host.1.bb"
    assert list(unexplained(line, blows)) == ([] if explained else [line])
