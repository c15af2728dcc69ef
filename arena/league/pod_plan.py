"""Looking ahead in a small field of pods: this round is planned together with those that are left.

In a field in which nearly everybody meets, pods that are good now can use up the opponents of later rounds. So all
rounds are seated in turn, each with the meetings of the others counted as if they had been (`pod_descent`), until none
gains; then one of them is shaken, and so on. Later rounds have no scores yet: of them only byes, pods of other sizes
and repeats count.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from arena.league.budget import Budget
from arena.league.pairing import LEVEL, Contender
from arena.league.pod_costs import Cost, Group, PodCosts, group_cost
from arena.league.pod_descent import descend, shaken

LARGEST_FIELD = 16
"""Bots beyond which no plan is made: it would take longer, and repeats are rare there."""
MAX_ROUNDS = 16
"""How many later rounds a plan has: each makes all others dearer, and by then everybody has met everybody."""
_SHAKES = 40
_UNITS_OF_A_POD = 1_500
"""What it takes to price a pod of a plan once, in the units of `Budget`."""

Pods = list[Group]
Key = tuple[int, ...]


def planned(
    field: Sequence[Contender], pods: Pods, usual: int, rounds_left: int, random: Random, budget: Budget
) -> Pods:
    """Return these pods, or those of the best plan of all rounds that are left, if it has fewer repeats in all.

    `usual` is the size of the division's pods; later rounds have as many pods of each size as this one. The plan is the
    best that was found before the budget was spent.
    """
    plan = _Plan(field, usual, random, budget)
    best = plan.improved([pods, *(shaken(pods, random) for _ in range(rounds_left))], first=1)
    if plan.repeats(best) == plan.fewest_repeats(best):
        return pods
    key, vain = plan.key(best), 0
    while vain < _SHAKES and budget.remaining > 0:
        candidate = list(best)
        index = random.randrange(len(candidate))
        candidate[index] = shaken(candidate[index], random)
        candidate = plan.improved(candidate)
        candidate_key = plan.key(candidate)
        vain = 0 if candidate_key < key else vain + 1
        if candidate_key <= key:
            best, key = candidate, candidate_key
    return best[0]


class _Plan:
    """How plans, the groups of this round and of each later one, are priced and improved."""

    def __init__(self, field: Sequence[Contender], usual: int, random: Random, budget: Budget) -> None:
        self._now = field
        self._later = [bot._replace(score=0, floated=LEVEL) for bot in field]
        self._usual = usual
        self._random = random
        self._budget = budget

    def key(self, rounds: Sequence[Pods]) -> Key:
        """Return the terms of `Cost`, this round's before those of the later ones, and repeats summed over all."""
        self._budget.spend(_UNITS_OF_A_POD * sum(map(len, rounds)))
        now = self._cost(rounds[0], self._now)
        later = Cost.total(
            self._cost(rounds[number], self._bots_after(rounds[:number])) for number in range(1, len(rounds))
        )
        ours = now.earlier_byes, now.earlier_short, later.earlier_byes, later.earlier_short
        return *ours, now.repeats + later.repeats, now.bye_scores, now.spread, now.repeated_floats

    def repeats(self, rounds: Sequence[Pods]) -> int:
        """The repeats of all rounds, squared as in `Cost`."""
        return self.key(rounds)[4]

    def fewest_repeats(self, rounds: Sequence[Pods]) -> int:
        """Less than this no rounds of such pods have, since each meeting is one of some two bots."""
        meetings = sum(len(pod) * (len(pod) - 1) // 2 for pods in rounds for pod in pods)
        counts = [bot.met.get(opponent.name, 0) for bot, opponent in combinations(self._now, 2)]
        return sum(sorted(count**2 for met in counts for count in range(met, met + len(rounds)))[:meetings])

    def improved(self, rounds: Sequence[Pods], first: int = 0) -> list[Pods]:
        """Return the rounds from the first to improve on, each seated anew for the others until that gains nothing."""
        best = list(rounds)
        key = self.key(best)
        while True:
            candidate = list(best)
            for number in reversed(range(first, len(candidate))):
                if self._budget.remaining <= 0:
                    break
                candidate[number] = self._seated_anew(candidate, number)
            candidate_key = self.key(candidate)
            if candidate_key >= key or self._budget.remaining <= 0:
                return min((key, best), (candidate_key, candidate), key=lambda priced: priced[0])[1]
            best, key = candidate, candidate_key

    def _seated_anew(self, rounds: Sequence[Pods], number: int) -> Pods:
        bots = self._bots_after([pods for index, pods in enumerate(rounds) if index != number])
        if number == 0:
            # Byes and odd pods of this round go by the past alone.
            bots = [bot._replace(met=later.met) for bot, later in zip(self._now, bots, strict=True)]
        sizes = [len(pod) for pod in rounds[number]]
        self._budget.spend(PodCosts.units(len(bots), sizes) + _UNITS_OF_A_POD * sum(map(len, rounds)))
        return descend(PodCosts(bots, sizes, self._usual), rounds[number], 0, self._random, self._budget)

    def _cost(self, pods: Pods, bots: Sequence[Contender]) -> Cost:
        return Cost.total(group_cost([bots[bot] for bot in pod], self._usual) for pod in pods)

    def _bots_after(self, rounds: Sequence[Pods]) -> list[Contender]:
        """Return the bots as a later round sees them after these rounds."""
        met = [Counter(bot.met) for bot in self._later]
        byes = [bot.byes for bot in self._later]
        short = [bot.short for bot in self._later]
        for pods in rounds:
            for pod in pods:
                for bot in pod:
                    met[bot].update(self._later[opponent].name for opponent in pod if opponent != bot)
                    byes[bot] += len(pod) == 1
                    short[bot] += len(pod) not in (1, self._usual)
        rows = zip(self._later, met, byes, short, strict=True)
        return [bot._replace(met=met, byes=byes, short=short) for bot, met, byes, short in rows]
