"""Looking ahead in a small Swiss: whether the rounds that are left can still be paired without a rematch.

In a field that nearly everybody meets, a pairing can use up the last opponents of others. The bots and who may still
meet whom make a graph (a bye is a meeting with one more node), and each round that is left takes a perfect matching
out of it.
"""

from collections.abc import Iterator, Sequence

from arena.league.budget import Budget

LARGEST_FIELD = 16
"""Bots (and the bye) beyond which no look is taken: rounds enough to run out of opponents are rare there."""
STEPS = 80_000
"""What a look may take in all, in pairs tried: a third of a second. Where it is spent, the pairing stands."""
_STEPS_OF_ONE = 12_000
"""What the look after one pairing may take."""

Matching = Sequence[tuple[int, int]]
Graph = Sequence[frozenset[int]]
"""Those that each node may meet."""


def matchings(graph: Graph, budget: Budget) -> Iterator[Matching]:
    """Return every perfect matching of the graph, pairs and their nodes ascending, until the budget is spent."""

    def search(free: tuple[int, ...]) -> Iterator[Matching]:
        if not free:
            yield ()
            return
        first, *others = free
        for partner in others:
            if partner in graph[first]:
                if not budget.spend():
                    return
                for following in search(tuple(node for node in others if node != partner)):
                    yield ((first, partner), *following)

    return search(tuple(range(len(graph))))


def without(graph: Graph, matching: Matching) -> Graph:
    """What is left of the graph once these have met."""
    met = {node: {opponent} for pair in matching for node, opponent in (pair, pair[::-1])}
    return [others - met.get(node, set()) for node, others in enumerate(graph)]


def lasts(graph: Graph, rounds: int, budget: Budget) -> bool:
    """Return whether so many rounds can be paired, or all but certainly can.

    At most as many are asked for as the node with the fewest others has of them. Where each may meet at least half of
    the others, that is taken for granted, and where the budget does not suffice to tell.
    """
    fewest = min(map(len, graph))
    if 2 * fewest >= len(graph):
        return True
    part = budget.share(_STEPS_OF_ONE)

    def search(graph: Graph, rounds: int) -> bool:
        if rounds == 0:
            return True
        for matching in matchings(graph, part):
            if search(without(graph, matching), rounds - 1):
                return True
        return part.remaining < 0

    result = search(graph, min(rounds, fewest))
    budget.give_back(part)
    return result
