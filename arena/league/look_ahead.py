"""Looking ahead in a small Swiss: whether the rounds that are left can still be paired without a rematch.

In a field that nearly everybody meets, a pairing can use up the last opponents of others. The bots and who may still
meet whom make a graph (a bye is a meeting with one more node), and each round that is left takes a perfect matching
out of it.
"""

from collections.abc import Iterator, Sequence

LARGEST_FIELD = 16
"""Bots (and the bye) beyond which no look is taken: rounds enough to run out of opponents are rare there."""
_STEPS = 2_000

Matching = Sequence[tuple[int, int]]
Graph = Sequence[frozenset[int]]
"""Those that each node may meet."""


def matchings(graph: Graph) -> Iterator[Matching]:
    """Every perfect matching of the graph, pairs and their nodes in ascending order."""

    def search(free: tuple[int, ...]) -> Iterator[Matching]:
        if not free:
            yield ()
            return
        first, *rest = free
        for other in rest:
            if other in graph[first]:
                for following in search(tuple(node for node in rest if node != other)):
                    yield ((first, other), *following)

    return search(tuple(range(len(graph))))


def without(graph: Graph, matching: Matching) -> Graph:
    """What is left of the graph once these have met."""
    met = {node: {other} for pair in matching for node, other in (pair, pair[::-1])}
    return [others - met.get(node, set()) for node, others in enumerate(graph)]


def lasts(graph: Graph, rounds: int) -> bool:
    """Whether so many rounds can be paired, or all but certainly can.

    At most as many are asked for as the node with the fewest others has of them. Where each may meet at least half of
    the others, that is taken for granted, and where `_STEPS` matchings do not tell.
    """
    least = min(map(len, graph))
    if 2 * least >= len(graph):
        return True
    left = _STEPS

    def search(graph: Graph, rounds: int) -> bool:
        nonlocal left
        if rounds == 0:
            return True
        for matching in matchings(graph):
            left -= 1
            if left <= 0 or search(without(graph, matching), rounds - 1):
                return True
        return False

    return search(graph, min(rounds, least))
