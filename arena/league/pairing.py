"""Swiss pairing for two seats, without colours: both seats are played at every table.

The objective, each term at its minimum given the terms before it (`Cost`):

1. earlier byes of the bot that gets the bye of an odd field: no second bye while a bot has had none, no third while one
   has had one;
2. rematches: pairs that have met before (a forfeited table was a meeting);
3. repeats: how often such pairs have met beyond the first time;
4. the score of the bot that gets the bye;
5. the sum of score differences inside the pairs, in match points;
6. repeated floats: bots that float in the direction in which they floated the round before;
7. the seeded lot: the smallest sum of the pairs' lots.

A small field looks ahead to the rounds that are left (`look_ahead`), and gives up terms 4 to 7 for them where it must.

A bot floats down when it meets a lower score or has the bye, up when it meets a higher one.

The terms are the digits of one exact integer weight, and one maximum-weight matching finds the optimum. Large score
groups would make that graph dense, so of each only some bots, its *core*, enter it, and the rest are paired among
themselves. Nothing is lost in terms 1 to 6. Let d be the most opponents that a bot has met, and call a bot *free* if
it had no bye and did not float in the last round. In an optimal pairing the bots that a large group pairs with others
are few: two of its partners above (or below) that had not met would rather meet each other, so at most d + 1 partners
are on either side, and with the bye that is f <= 2d + 3. Each can be exchanged at no cost for a free bot of the core
that is not in use and has not met its partner, of which f + d are enough. What remains of the core, at least 2d + 2
bots, has a pairing without a rematch by Dirac's theorem; the rest of the group has one by exchange (`_pair_off`). No
pair need reach across a large group, since both could meet bots inside it instead for the same difference; nor does
the bye, since a free bot of the group has a lower score.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, groupby, islice
from operator import mul
from typing import NamedTuple

import rustworkx

from arena.league.budget import Budget
from arena.league.errors import PairingError
from arena.league.look_ahead import LARGEST_FIELD, STEPS, Matching, lasts, matchings, without
from arena.league.lots import Lots
from arena.league.values import Seating

DOWN, LEVEL, UP = -1, 0, 1

# rustworkx keeps weights as 128-bit integers and works with sums of a few of them.
_WEIGHT_BITS = 120
_MAX_MATCHINGS, _MAX_TRIED = 2_500, 200  # of those that are looked at for the rounds that are left


class Contender(NamedTuple):
    """A bot to be paired, with what its rounds so far left it: `met` counts the meetings with each opponent.

    `short` counts the pods of another size than the division's that it sat in; tables of two seats have none.
    """

    name: str
    score: int = 0
    met: Mapping[str, int] = {}
    byes: int = 0
    floated: int = LEVEL
    short: int = 0


class Cost(NamedTuple):
    """What a pairing costs; the lesser tuple is the better pairing (the lot apart)."""

    earlier_byes: int = 0
    rematches: int = 0
    repeats: int = 0
    bye_score: int = 0
    score_differences: int = 0
    repeated_floats: int = 0


def pair(contenders: Iterable[Contender], lots: Lots, rounds_left: int = 0) -> Seating:
    """Pair a round; the same field and lots give the same pairing in whatever order the field is given.

    `rounds_left` are those after this one. In a small field the pairing is the best after which they can be paired
    without a rematch or a second bye, where the best of all leaves no such rounds and that can be helped.

    Raises PairingError when a name stands in the field twice.
    """
    field = sorted(contenders, key=lambda bot: (-bot.score, lots.of(bot.name)))
    if len({bot.name for bot in field}) != len(field):
        raise PairingError("a bot is in the field twice")
    blocks, rests = _blocks(field)
    pairs = _best_matching(field, blocks, lots) + [pair for group in rests for pair in _pair_off(field, group)]
    places = sorted((min(pair), max(pair)) for pair in pairs)
    if rounds_left and 0 < len(field) < LARGEST_FIELD:
        places[:] = _looking_ahead(field, places, rounds_left, lots)
    names = [bot.name for bot in field]
    tables = tuple((names[place], names[opponent]) for place, opponent in places if opponent < len(names))
    return Seating(tables, tuple(names[place] for place, opponent in places if opponent == len(names)))


def _looking_ahead(
    field: Sequence[Contender], best: Sequence[tuple[int, int]], rounds_left: int, lots: Lots
) -> Sequence[tuple[int, int]]:
    """Return this pairing, or the next best one after which the rounds that are left can be paired without a rematch.

    Pairs are places in the field, and the bye is one more place.
    """
    size = len(field) + len(field) % 2
    graph = [
        frozenset(
            opponent
            for opponent in range(size)
            if opponent != bot and not _have_met(field, min(bot, opponent), max(bot, opponent))
        )
        for bot in range(size)
    ]
    budget = Budget(STEPS)
    if any(opponent not in graph[bot] for bot, opponent in best) or lasts(without(graph, best), rounds_left, budget):
        return best
    prices = {
        (bot, opponent): _price(field, bot, opponent, lots)
        for bot in range(size)
        for opponent in graph[bot]
        if bot < opponent
    }

    def price(matching: Matching) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(prices[pair] for pair in matching), strict=True)))

    enumeration = budget.share(STEPS // 2)
    others = sorted(islice(matchings(graph, enumeration), _MAX_MATCHINGS), key=price)
    budget.give_back(enumeration)
    return next(
        (
            opponent
            for opponent in others[:_MAX_TRIED]
            if budget.remaining > 0 and lasts(without(graph, opponent), rounds_left, budget)
        ),
        best,
    )


def _have_met(field: Sequence[Contender], bot: int, opponent: int) -> bool:
    return field[bot].byes > 0 if opponent == len(field) else field[opponent].name in field[bot].met


def _price(field: Sequence[Contender], place: int, opponent: int, lots: Lots) -> tuple[int, ...]:
    """Return what a pair of places costs, and then its lot."""
    bot = field[place]
    if opponent == len(field):
        return *bye_cost(bot), lots.of_pair(bot.name, "")
    return *pair_cost(bot, field[opponent]), lots.of_pair(bot.name, field[opponent].name)


def pair_cost(bot: Contender, opponent: Contender) -> Cost:
    """What it costs that two bots meet."""
    meetings = bot.met.get(opponent.name, 0)
    difference = bot.score - opponent.score
    floats = 0
    if difference:
        direction = DOWN if difference > 0 else UP
        floats = (bot.floated == direction) + (opponent.floated == -direction)
    return Cost(0, meetings > 0, max(meetings - 1, 0), 0, abs(difference), floats)


def bye_cost(bot: Contender) -> Cost:
    """What it costs that a bot has the bye."""
    return Cost(bot.byes, 0, 0, bot.score, 0, bot.floated == DOWN)


def _blocks(field: Sequence[Contender]) -> tuple[list[list[int]], list[list[int]]]:
    """Return the places that are matched globally, in blocks, and the rests of large groups, paired among themselves.

    Only places of one block may meet. A large score group closes a block and opens the next one, so its core belongs
    to both. The bye is in the last one.
    """
    most_met = max((len(bot.met) for bot in field), default=0)
    core_size = 4 * most_met + 6
    least_rest = 2 * most_met + 4
    blocks: list[list[int]] = [[]]
    rests: list[list[int]] = []
    for _, members in groupby(range(len(field)), key=lambda place: field[place].score):
        group = list(members)
        free = [place for place in group if not field[place].byes and field[place].floated == LEVEL][:core_size]
        if len(free) < core_size or len(group) - core_size < least_rest:
            blocks[-1] += group
            continue
        taken = set(free)
        outside = [place for place in group if place not in taken]
        if len(outside) % 2:
            free.append(outside.pop())
        rests.append(outside)
        blocks[-1] += free
        blocks.append(free)
    blocks[-1] += [len(field)] * (len(field) % 2)
    return blocks, rests


def _best_matching(field: Sequence[Contender], blocks: Iterable[Sequence[int]], lots: Lots) -> list[tuple[int, int]]:
    nodes = list(dict.fromkeys(chain.from_iterable(blocks)))
    number = {place: node for node, place in enumerate(nodes)}
    edges = {pair: _price(field, *pair, lots) for block in blocks for pair in combinations(block, 2)}
    highest = [max(column) for column in zip(*edges.values(), strict=True)]
    values = place_values(highest, len(nodes) // 2, _WEIGHT_BITS)
    weights = [sum(map(mul, digits, values)) for digits in edges.values()]
    top = max(weights, default=0)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(nodes)
    graph.add_edges_from(
        [(number[bot], number[opponent], top - weight) for (bot, opponent), weight in zip(edges, weights, strict=True)]
    )
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(nodes[bot], nodes[opponent]) for bot, opponent in matching]


def place_values(highest: Sequence[int], addends: int, bits: int) -> list[int]:
    """What digits are worth, so that sums of so many numbers compare as the sums of their digits do, in order.

    `highest` is the largest value of each digit. PairingError when the sums may have more bits.
    """
    radices = [digit * addends + 1 for digit in highest]
    needed = math.prod(radices).bit_length()
    if needed > bits:
        raise PairingError(f"the field is too large for exact weights: {needed} bits")
    return [math.prod(radices[place + 1 :]) for place in range(len(radices))]


def _pair_off(field: Sequence[Contender], places: Sequence[int]) -> list[tuple[int, int]]:
    """Pair bots of one score, in the order of their lots, without a rematch.

    Two that have met exchange partners with another pair. That is always possible here: with d meetings a bot at
    most, at most d pairs refuse both ways of exchanging, and there are at least d + 2 pairs.
    """
    pairs = list(zip(places[::2], places[1::2], strict=True))
    for position in range(len(pairs)):
        bot, opponent = pairs[position]
        if _have_met(field, bot, opponent):
            swap, partner, released = next(
                (index, partner, released)
                for index, (first, second) in enumerate(pairs)
                for partner, released in ((first, second), (second, first))
                if index != position and not _have_met(field, bot, partner) and not _have_met(field, opponent, released)
            )
            pairs[position], pairs[swap] = (bot, partner), (opponent, released)
    return pairs
