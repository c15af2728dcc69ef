"""Where a decision's processor time goes, in short; in full it is `python -m benchmarks.decision_time`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORT = """\
import json
from benchmarks import decision_time
print(json.dumps({row.name: row.value for row in decision_time.measure(asked=2, rounds=1, seconds=0.1)}))
"""


@pytest.mark.usefixtures("bubblewrap")
def test_the_time_of_a_decision_is_found_for_caged_bots_for_connected_ones_and_for_the_match_alone() -> None:
    # It tunes its process, which is not to be this one.
    done = subprocess.run([sys.executable, "-c", SHORT], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {name.removeprefix("decision_time."): value for name, value in json.loads(done.stdout).items()}
    looking, freezing = found.pop("caged.node.looking"), found.pop("caged.frozen.node.freezing")
    caged = {"caged.node", "caged.node.kernel", "caged.bots", "caged.frozen.node", "caged.frozen.bots"}
    assert set(found) == {*caged, "match", "connected.node", "connected.echo"}
    assert all(value > 0 for name, value in found.items() if name != "caged.node.kernel")
    assert found["caged.node.kernel"] >= 0
    assert looking < found["caged.node"]
    assert freezing < found["caged.frozen.node"]
