"""A short form of the chaos run; `python tests/system/chaos.py` is the long one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from chaos_checks import Blow, unexplained
from chaos_faults import FAULTS
from chaos_stores import STORES

QUICK = [name for name, fault in FAULTS.items() if fault.quick]


@pytest.mark.timeout(400)
@pytest.mark.usefixtures("bubblewrap")
def test_leagues_survive_what_happens_to_nodes_bots_cages_pages_the_store_and_the_lines_between_them(
    tmp_path: Path,
) -> None:
    script = Path(__file__).with_name("chaos.py")
    short = ("--bots", "4", "--rounds", "1", "--lease", "2", "--variants", "koikoi", "--options", "months = 4")
    command = [sys.executable, script, "--faults", "quick", "--together", "0", *short]
    run = subprocess.run([*command, "--folder", tmp_path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    for name in QUICK:
        assert f"  {name}: " in run.stdout, run.stdout
    assert "the same leagues were played undisturbed" in run.stdout
    # Two versions play in cages; others are sent in meanwhile.
    assert int(re.findall(r"(\d+) versions were sent in and qualified", run.stdout)[0]) > 2


def test_every_fault_is_dealt_on_some_kind_of_store() -> None:
    for name, fault in FAULTS.items():
        assert fault.stores, name
        assert fault.stores <= set(STORES), name


@pytest.mark.parametrize(
    ("said_at", "stopped", "explained"),
    [(20, (), True), (40, (), False), (40, ("taker", 22, 39), True), (40, ("other", 22, 39), False), (9, (), False)],
)
def test_a_lost_lease_is_explained_by_a_blow_to_its_owner_before_it_was_taken(
    said_at: int, stopped: tuple[str, int, int] | tuple[()], explained: bool
) -> None:
    pids = {"owner": 1, "taker": 2, "other": 3}
    blows = [Blow("stop node", frozenset({pids["owner"]}), began=11, ended=20, lease_s=5)]
    if stopped:
        name, began, ended = stopped
        blows.append(Blow("stop node", frozenset({pids[name]}), began, ended, lease_s=5))
    message = "host.2.aa takes over league:a:b step 1, whose lease ran out, from host.1.bb"
    event = {
        "event": "take_over",
        "job": "league:a:b step 1 (fence 2)",
        "seconds": said_at,
        "node": "host.2.aa",
        "previous": "host.1.bb",
        "message": message,
    }
    assert list(unexplained([event], blows)) == ([] if explained else [message])


@pytest.mark.parametrize(
    ("job", "after_s", "explained"), [("r1.t1.b1.a", 1, True), ("r1.t1.b1.a", 60, False), ("r1.t1.b2.a", 1, False)]
)
def test_a_lost_lease_is_explained_by_a_hand_over_of_that_job_that_failed(
    job: str, after_s: int, explained: bool
) -> None:
    strayed = f"league:a:b match {job} (fence 1) could not be handed over, and waits for its lease to run out: deadline"
    message = "host.2.aa takes over league:a:b match r1.t1.b1.a (fence 3), whose lease ran out, from host.2.aa"
    lost = {"event": "take_over", "seconds": 100, "node": "host.2.aa", "previous": "host.2.aa", "message": message}
    lost["job"] = "league:a:b match r1.t1.b1.a (fence 3)"
    told = {"event": "log", "seconds": 100 + after_s, "message": strayed}
    assert list(unexplained([lost, told], [])) == ([] if explained else [message])


@pytest.mark.parametrize(("said_at", "explained"), [(20, True), (40, False)])
def test_a_killed_node_explains_the_leases_of_jobs_that_it_was_handing_over(said_at: int, *, explained: bool) -> None:
    killed = Blow("kill node", frozenset({1}), began=11, ended=16, lease_s=4, kills=True)
    assert killed.explains(2, said_at, said_at) is explained
    assert killed.explains(1, said_at, said_at)
