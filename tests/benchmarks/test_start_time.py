"""Where a start's processor time goes, in short; in full it is `python -m benchmarks.start_time`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORT = """\
import json
from benchmarks import start_time
print(json.dumps({row.name: row.value for row in start_time.measure(starts=3, rounds=1)}))
"""


@pytest.mark.usefixtures("bubblewrap")
def test_the_time_of_a_start_is_found_for_the_node_for_bubblewrap_and_for_the_bot() -> None:
    # It tunes its process, which is not to be this one.
    done = subprocess.run([sys.executable, "-c", SHORT], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {name.removeprefix("start_time."): value for name, value in json.loads(done.stdout).items()}
    assert set(found) == {"node", "bubblewrap", "fork_server", "bot"}
    assert found["node"] > 0
    assert found["bubblewrap"] > 0
