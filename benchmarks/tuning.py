"""How often the interval of `arena bot tune` holds an optimum that is known: `python -m benchmarks.tuning`.

Tunes `tests/tuning/planted.py`, a bot that plays at random the oftener the further its parameter is from the best, with
one seed after the other.
"""

import argparse
import tempfile
from pathlib import Path

from arena.tuning.boards import Contest
from arena.tuning.parameters import Parameter
from arena.tuning.study import Plan, Tuning

PROGRAM = Path(__file__).parents[1] / "tests" / "tuning" / "planted.py"
BEST, START = 1.7, 0.6


def main() -> None:
    """Print what each seed found, and how many intervals held the best."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--trials", type=int, default=24)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    covered = 0
    for seed in range(args.seeds):
        contest = Contest(str(PROGRAM), str(PROGRAM), "koikoi", {"months": 1}, 2, False)
        plan = Plan(contest, (Parameter("k", 0.5, 3.0),), {"k": START}, str(seed), args.boards)
        with tempfile.TemporaryDirectory() as folder:
            tuning = Tuning(plan, Path(folder) / "study.journal")
            tuning.play(args.trials, args.jobs)
            optimum = tuning.optimum(tuning.surface())
        inside = optimum.low["k"] <= BEST <= optimum.high["k"]
        covered += inside
        print(
            f"seed {seed}: {optimum.best['k']:.2f}, {optimum.low['k']:.2f} to {optimum.high['k']:.2f}"
            f"{'' if inside else ', which does not hold it'}",
            flush=True,
        )
    print(f"{covered} of {args.seeds} intervals hold the best, {BEST}")


if __name__ == "__main__":
    main()
