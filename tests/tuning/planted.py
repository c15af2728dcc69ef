"""A bot whose best parameter is known: the further `k` is from 1.7, the oftener it plays at random."""

from arena.sdk import Bot, parameter, run
from bots.greedy import judge

BEST = 1.7
K = parameter("k", 0.6)


class Planted(Bot):
    def choose(self, decision):
        if decision.random.random() < min(1.0, abs(K - BEST)):
            return decision.random.choice(decision.legal)
        return max(decision.legal, key=judge(decision))


run(Planted())
