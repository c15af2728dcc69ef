"""What a whole pairing costs, for comparison with another pairing of the same field."""

from collections.abc import Iterable, Sequence

from arena.league import pod_costs
from arena.league.pairing import Contender, Cost, Pairing, bye_cost, pair_cost
from arena.league.pods import PodPairing


def swiss_cost(contenders: Iterable[Contender], pairing: Pairing) -> Cost:
    """What a Swiss pairing of this field costs."""
    bots = {bot.name: bot for bot in contenders}
    bye = [] if pairing.bye is None else [bye_cost(bots[pairing.bye])]
    return Cost.total(bye + [pair_cost(bots[first], bots[second]) for first, second in pairing.tables])


def pods_cost(contenders: Iterable[Contender], sizes: Sequence[int], pairing: PodPairing) -> pod_costs.Cost:
    """What pods of this field cost."""
    bots = {bot.name: bot for bot in contenders}
    groups = (*pairing.pods, *((name,) for name in pairing.byes))
    return pod_costs.Cost.total(pod_costs.group_cost([bots[name] for name in names], sizes[0]) for names in groups)
