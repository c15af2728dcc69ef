"""The house bot `search` with a budget of time: `python timed_search.py MILLISECONDS` for each decision.

It writes a line of JSON to its standard error for each decision: how many determinizations it has searched, and what
that took by the clock and of a processor, in seconds.
"""

import json
import sys
import time

from arena.sdk import Action, Decision, run
from bots.search import DEPTH, SearchBot, evaluate
from core_ext import Observation


class TimedSearch(SearchBot):
    """Goes through determinizations until its time is over, also where there is one legal action alone."""

    def __init__(self, budget_s: float) -> None:
        super().__init__()
        self._budget_s = budget_s
        self._until = 0.0
        self._searched = 0

    def choose(self, decision: Decision) -> Action:
        """The action with the best mean."""
        began, worked = time.perf_counter(), time.process_time()
        self._until = began + self._budget_s
        action = self.search(decision)
        took = {
            "determinizations": self._searched,
            "clock_s": time.perf_counter() - began,
            "processor_s": time.process_time() - worked,
        }
        print(json.dumps(took), flush=True)
        return action

    def values(self, view: Observation, seed: int) -> list[float]:
        """What each action is worth by the determinizations that the time allows, one at the least."""
        sums = [0.0] * len(view.legal)
        count = 0
        while not count or time.perf_counter() < self._until:
            values = evaluate(view, DEPTH * len(view.legal), seed + count)
            sums = [before + value for before, value in zip(sums, values, strict=True)]
            count += 1
        self._searched = count
        return [total / count for total in sums]


if __name__ == "__main__":
    run(TimedSearch(float(sys.argv[1]) / 1000))
