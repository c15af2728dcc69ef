"""How often the sequential test on margins errs: `python tests/league/margin_errors.py [RUNS] [--close]`.

For each kind of luck, of mean 0 and standard deviation 10, it plays tests of 0 against 10 / 3 points at both strengths
and tells the share of wrong verdicts, of which 5 % are accepted, and the mean and the least number of board sets. Then
it does so with a version that crashes on its first boards, which leaves it neither points nor a loss. With `--close`
the tests are of 0 against 1 point instead, a tenth of the standard deviation, on margins that were played.
"""

import json
import math
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from arena.sprt.sequential import Hypotheses, Model, Reading, Verdict, margin_reading

LUCK: dict[str, Callable[[random.Random], float]] = {
    "normal": lambda rng: rng.gauss(0, 10),
    "heavy": lambda rng: rng.gauss(0, 10) / math.sqrt(rng.gammavariate(2.5, 2) / 3),  # Student's t of 5 degrees
    "lumpy": lambda rng: (rng.random() < 0.1) * rng.choice((-1, 1)) * math.sqrt(1_000),
    "skew": lambda rng: 10 * (rng.expovariate(1) - 1),  # a skewness of 2
    "skew the other way": lambda rng: 10 * (1 - rng.expovariate(1)),
    "very skew": lambda rng: 10 * (math.exp(rng.gauss(0, 1)) - math.exp(0.5)) / math.sqrt(math.e * (math.e - 1)),  # 6.2
    "rare losses": lambda rng: _rare(rng),
    "rare gains": lambda rng: -_rare(rng),
}
KINDS = {**LUCK, "koikoi": lambda rng: rng.choice(_played())}
HIGH = 10 / 3
CLOSE = 1.0
PLAYED = Path(__file__).parents[2] / "benchmarks" / "margins.json"
CRASHES = 5


def _rare(rng: random.Random) -> float:
    """A large loss one time in twenty, otherwise a small gain, and a little noise."""
    gain = math.sqrt((10**2 - 2**2) / 19)
    return rng.gauss(0, 2) + (gain if rng.random() < 0.95 else -19 * gain)


@cache
def _played() -> tuple[float, ...]:
    """The mean margins of koi-koi's mirrored boards between two house bots, moved to mean 0 and deviation 10."""
    boards = json.loads(PLAYED.read_text())["koikoi"]["random greedy"]
    margins = [((first[1] - first[0]) + (second[0] - second[1])) / 2 for first, second in boards]
    mean, deviation = statistics.mean(margins), statistics.pstdev(margins)
    return tuple(10 * (margin - mean) / deviation for margin in margins)


def play(luck: str, true: float, seed: str, crashes: int = 0, high: float = HIGH) -> Reading:
    """One test, to its verdict, that begins with so many margins of 0."""
    rng = random.Random(seed)
    margins: Counter[float] = Counter([0.0] * crashes)
    while True:
        margins[true + KINDS[luck](rng)] += 1
        reading = margin_reading(margins, Hypotheses(0, high, Model.POINTS))
        if reading.verdict is not Verdict.OPEN:
            return reading


def main() -> None:
    """Print a line for each kind of luck."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    runs = numbers[0] if numbers else 1_000
    kinds = [*((luck, 0) for luck in LUCK), ("normal", CRASHES)]
    high = HIGH
    if "--close" in sys.argv:
        kinds, high = [("koikoi", 0), ("normal", 0)], CLOSE
    for luck, crashes in kinds:
        said = [f"{luck + (f', {crashes} crashes' if crashes else ''):20}"]
        for true, wrong in ((0.0, Verdict.BETTER), (high, Verdict.NOT_BETTER)):
            readings = [play(luck, true, f"{luck}/{true}/{run}", crashes, high) for run in range(runs)]
            errors = sum(reading.verdict is wrong for reading in readings) / runs
            sets = sum(reading.board_sets for reading in readings) / runs
            least = min(reading.board_sets for reading in readings)
            said.append(f"at {true:4.2f}: {errors:6.1%} {wrong}, {sets:4.0f} board sets, {least} at least")
        print("   ".join(said), flush=True)


if __name__ == "__main__":
    main()
