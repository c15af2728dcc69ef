"""Random playouts of koi-koi in the rules core, beside a program in C written by hand for this one game, in turn.

`python -m benchmarks.by_hand` compiles `koikoi.c` with the machine's compiler and prints decisions a second of
processor time, and the core's share of the other's speed: medians of `ROUNDS` rounds. Both play by the default options.
The program shuffles by a small generator, where the core derives the first deals of a match from its seed by ChaCha20.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from core_ext import State, playout

ROUNDS = 9
PLAYOUTS = {"match": 4_000, "deal": 40_000, "anew": 40_000}
"""Playouts a round: of whole matches, of one deal from its first decision on, and of what its dealer knows of that, the
hidden cards being dealt anew each time."""


def compiled(folder: Path) -> Path:
    """The program, compiled as the core is. CalledProcessError, OSError."""
    program = folder / "koikoi"
    source = Path(__file__).with_name("koikoi.c")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O3", "-march=x86-64-v2", "-o", str(program), str(source)], check=True)
    return program


def by_hand(program: Path, what: str, playouts: int) -> tuple[float, float]:
    """Decisions a second, and decisions a playout."""
    out = subprocess.run([str(program), what, str(playouts), "1"], check=True, capture_output=True, text=True).stdout
    decisions, seconds, _ = out.split()
    return int(decisions) / float(seconds), int(decisions) / playouts


def by_core(what: str, playouts: int) -> tuple[float, float]:
    """The same of the rules core."""
    state = State.new("koikoi", seed="by hand")
    view = state.observation(state.current_player)
    began = time.process_time()
    if what == "anew":
        decisions = playout.dealt_anew(view, playouts, 1).decisions
    else:
        decisions = playout.run(state, playouts, 1, whole_match=what == "match").decisions
    return decisions / (time.process_time() - began), decisions / playouts


def main() -> None:
    """Print a line for each kind of playout."""
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for what, playouts in PLAYOUTS.items():
            pairs = [(by_core(what, playouts), by_hand(program, what, playouts)) for _ in range(ROUNDS)]
            core, hand = (median(pair[side][0] for pair in pairs) for side in (0, 1))
            ratio = median(ours[0] / theirs[0] for ours, theirs in pairs)
            print(f"{what}: core {core / 1e6:.1f} M/s, by hand {hand / 1e6:.1f} M/s, {ratio:.2f} of it", flush=True)


if __name__ == "__main__":
    main()
