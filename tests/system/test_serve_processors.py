"""How many caged bots think at the same time."""

from pathlib import Path

import pytest
from arena_command import done, league_file, league_is_over, refused, until
from one_node import node

from arena.scratch import scratch_folder

# Says when it began to think and when it had an answer, by a clock that all processes of a machine share. It computes
# all the time: a bot that sleeps for long loses its place to another, and a busy machine makes short sleeps long.
THINKS = """\
import sys, time
from arena.sdk import Bot, run

class Thinks(Bot):
    def choose(self, decision):
        began = time.monotonic()
        enough = time.process_time() + 0.02
        while time.process_time() < enough:
            pass
        print("thought", began, time.monotonic(), file=sys.stderr, flush=True)
        return decision.legal[0]

run(Thinks())
"""


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("processors", [1, 3])
def test_as_many_caged_bots_think_at_once_as_a_node_is_told(tmp_path: Path, processors: int) -> None:
    (tmp_path / "thinks.py").write_text(THINKS)
    file = league_file(tmp_path, 4 * ["./thinks.py"], rounds=1, more="options = { months = 1 }\n")
    with node(tmp_path, "--processors", str(processors)):
        done("league", "open", file, cwd=tmp_path)
        done("league", "start", "spring", cwd=tmp_path)
        until(lambda: league_is_over(tmp_path), "the league is over")
    said = [line.split() for log in tmp_path.rglob("*.log") for line in log.read_text().splitlines()]
    thoughts = [(float(words[1]), float(words[2])) for words in said if words[0] == "thought"]
    at_once = [sum(began <= moment < ended for began, ended in thoughts) for moment, _ in thoughts]
    assert max(at_once) == processors


def test_a_benchmark_of_cages_says_in_a_line_why_there_can_be_none() -> None:
    with scratch_folder() as folder:
        folder.chmod(0o755)  # root's bubblewrap runs as another user
        bubblewrap = folder / "bwrap"
        bubblewrap.write_text("#!/bin/sh\necho 'no namespaces here' >&2\nexit 1\n")
        bubblewrap.chmod(0o755)
        [line] = refused("bench", "cage", env={"PATH": f"{folder}:/usr/bin:/bin"}).splitlines()
    assert line == "error: no cage: bubblewrap ended with status 1: no namespaces here"
