"""What each bot adds to the cost of any pods: prices that leave as little as can be of what the groups cost.

They solve, about, the dual of the linear programme that chooses groups so that each bot is in one, by a subgradient
ascent. Whatever prices it reaches, all pods cost the sum of the prices and what these leave of the pods' costs, so the
least that is left of any pod gives a bound. It is close where meetings decide, which the gaps between scores cannot
see.
"""

from collections.abc import Sequence

import numpy as np

from arena.league.pod_costs import Ints

_PATIENCE = 12  # steps without a gain before they are made shorter
_SHORTER = 0.7


def bot_prices(
    groups: Sequence[Ints], costs: Sequence[Ints], times: Sequence[int], known: int, unit: int, steps: int
) -> Ints:
    """A price for each bot, of pods of which `times[i]` are among `groups[i]` (rows of bots) at `costs[i]`.

    `known` is the cost of some pods, and `unit` the step of cost by which the ascent of so many `steps` is scaled.
    """
    bots = max(int(rows.max()) for rows in groups) + 1
    scaled = [cost / unit for cost in costs]
    goal = known / unit
    prices = np.zeros(bots)
    best, best_prices, since, pace = -np.inf, prices, 0, 1.0
    for _ in range(steps):
        total = float(prices.sum())
        often = np.zeros(bots)
        for rows, cost, count in zip(groups, scaled, times, strict=True):
            left = cost - prices[rows].sum(axis=1)
            cheapest = np.argpartition(left, count - 1)[:count]
            total += float(left[cheapest].sum())
            often += np.bincount(rows[cheapest].ravel(), minlength=bots)
        since += 1
        if total > best:
            best, best_prices, since = total, prices, 0
        elif since > _PATIENCE:
            pace, since, prices = pace * _SHORTER, 0, best_prices
            continue
        ascent = 1 - often
        length = float(ascent @ ascent)
        if length == 0:
            break
        prices = prices + pace * (goal - total) / length * ascent
    return np.floor(best_prices * unit).astype(np.int64)
