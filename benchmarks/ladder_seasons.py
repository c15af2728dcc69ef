"""What many short seasons do to a ladder's ratings: `python -m benchmarks.ladder_seasons [LADDERS]`.

Four bots, 200 Elo from one to the next, play 300 rounds of one board, in one season or in many. For each it prints how
far the first is rated above the last, which is truly 600, with the standard error over the ladders.
"""

import argparse
import math
import random
from statistics import fmean, stdev

from arena.league.columns import Columns
from arena.league.ladder import ladder_ratings
from arena.league.ladder_terms import Start
from arena.league.ratings import Strengths
from arena.league.values import Entrant
from benchmarks.simulated_leagues import Format, ladder, league, names_of

BOTS, ROUNDS, APART = 4, 300, 200.0
SEASONS = (1, 3, 10, 30)


def apart_after(seasons: int, rng: random.Random) -> float:
    """Return by how much the first is rated above the last when all rounds were played in so many seasons."""
    names = names_of(BOTS)
    entrants = [Entrant(name) for name in names]
    start: dict[str, Start] = {}
    for _ in range(seasons):
        outcomes, _ = league(ladder(APART)(BOTS, rng), Format(BOTS, ROUNDS // seasons, 1), rng)
        rated = ladder_ratings(Strengths(Columns([outcomes])).ratings(), entrants, start)
        start = {name: Start(rating.mu, max(rating.sigma, 0.01)) for name, rating in rated.items()}
    return start[names[-1]].mu - start[names[0]].mu


def main() -> None:
    """Print a line for each number of seasons."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ladders", type=int, nargs="?", default=10, help="ladders of each kind (default 10)")
    asked = parser.parse_args()
    for seasons in SEASONS:
        found = [apart_after(seasons, random.Random(f"{seasons}/{number}")) for number in range(asked.ladders)]
        error = stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.nan
        print(
            f"{seasons} x {ROUNDS // seasons} rounds: {fmean(found):.0f} ± {error:.0f} of {APART * (BOTS - 1):.0f} Elo"
        )


if __name__ == "__main__":
    main()
