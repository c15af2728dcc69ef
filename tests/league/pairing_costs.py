"""What a whole pairing costs, for comparison with another pairing of the same field."""

from collections.abc import Iterable, Sequence

from arena.league import pod_costs
from arena.league.pairing import Contender, Cost, bye_cost, pair_cost
from arena.league.values import Seating


def swiss_cost(contenders: Iterable[Contender], pairing: Seating) -> Cost:
    """What a Swiss pairing of this field costs."""
    bots = {bot.name: bot for bot in contenders}
    byes = [bye_cost(bots[name]) for name in pairing.byes]
    costs = byes + [pair_cost(bots[first], bots[second]) for first, second in pairing.tables]
    return Cost(*map(sum, zip(*costs, strict=True)))


def pods_cost(contenders: Iterable[Contender], sizes: Sequence[int], pairing: Seating) -> pod_costs.Cost:
    """What pods of this field cost."""
    bots = {bot.name: bot for bot in contenders}
    groups = (*pairing.tables, *((name,) for name in pairing.byes))
    return pod_costs.Cost.total(pod_costs.group_cost([bots[name] for name in names], sizes[0]) for names in groups)
