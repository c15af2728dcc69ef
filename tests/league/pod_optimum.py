"""Pods against the optimum that scipy's integer programming finds on the same objective, over random states.

`python tests/league/pod_optimum.py [STATES]`: by default 200 states of up to 30 bots; a line for each that is not the
optimum, and exit status 1 if there was one.
"""

import random
import sys
import time
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import scipy  # which loads its parts when they are used
from pairing_costs import pods_cost

from arena.league.lots import Lots
from arena.league.pairing import Contender
from arena.league.pod_costs import Cost, floated
from arena.league.pods import layout, pods
from arena.league.results import by_place
from arena.league.values import Seating

SIZES = ((3,), (3, 4), (4, 3), (4,), (3, 2))
STATES = 200


def optimum(field: list[Contender], sizes: tuple[int, ...]) -> Cost:
    """The least cost of any pods: term by term, each held at its optimum for the terms after it."""
    found = layout(len(field), sizes)
    wanted = {size: found.count(size) for size in sizes if size in found}
    if len(field) > sum(found):
        wanted[1] = len(field) - sum(found)
    groups = [group for size in wanted for group in combinations(field, size)]
    terms = np.array([plain_cost(group, sizes[0]) for group in groups])
    place = {bot.name: row for row, bot in enumerate(field)}
    cover = np.zeros((len(field) + len(wanted), len(groups)))
    for column, group in enumerate(groups):
        cover[[place[bot.name] for bot in group], column] = 1
        cover[len(field) + list(wanted).index(len(group)), column] = 1
    sides = np.array([1] * len(field) + list(wanted.values()))
    best: list[int] = []
    for term in range(terms.shape[1]):
        held = [scipy.optimize.LinearConstraint(cover, sides, sides)]
        held += [
            scipy.optimize.LinearConstraint(terms[:, [at]].T, -np.inf, value + 0.5)
            for at, value in enumerate(best)
            if value
        ]
        solved = scipy.optimize.milp(
            terms[:, term],
            constraints=held,
            integrality=np.ones(len(terms)),
            bounds=scipy.optimize.Bounds(0, 1),
            options={"mip_rel_gap": 0},
        )
        assert solved.success, solved.message
        chosen = solved.x > 0.5
        assert (cover[:, chosen].sum(axis=1) == sides).all()
        best.append(int(terms[chosen, term].sum()))
        if best[-1] == 0:
            # No term is below 0, so no group that adds to this one can take part.
            free = terms[:, term] == 0
            terms, cover = terms[free], cover[:, free]
    return Cost(*best)


def plain_cost(group: tuple[Contender, ...], usual: int) -> tuple[int, ...]:
    """The six terms of a pod, or of a bye, each counted by itself."""
    if len(group) == 1:
        [bot] = group
        return bot.byes**2, 0, 0, bot.score, 0, bot.floated == -1
    repeated = 0
    for bot in group:
        below = sum(other.score < bot.score for other in group)
        above = sum(other.score > bot.score for other in group)
        repeated += (bot.floated == -1 and below > (len(group) - 1) / 2) + (
            bot.floated == 1 and above > (len(group) - 1) / 2
        )
    scores = sorted(bot.score for bot in group)
    return (
        0,
        sum(bot.short**2 for bot in group if len(group) != usual),
        sum(one.met.get(other.name, 0) ** 2 for one, other in combinations(group, 2)),
        0,
        scores[-1] - scores[0],
        repeated,
    )


def play_pods(
    rng: random.Random, bots: int, sizes: tuple[int, ...], rounds: int, *, absent: float = 0.0, draws: float = 0.1
) -> Iterator[tuple[list[Contender], Seating]]:
    """Each round of an event of bots of different strength; a bot may miss a round now and then."""
    names = [f"bot{index}" for index in range(bots)]
    strength = {name: rng.gauss(0, 1) for name in names}
    state = {name: Contender(name, 0, {}) for name in names}
    for number in range(1, rounds + 1):
        field = [state[name] for name in names if rng.random() >= absent]
        pairing = pods(field, sizes, Lots("event", str(number)))
        yield field, pairing
        after = {name: state[name]._replace(floated=0) for name in names}
        for name in pairing.byes:
            bot = state[name]
            after[name] = bot._replace(score=bot.score + 12, byes=bot.byes + 1, floated=-1)
        for pod in pairing.tables:
            luck = [(0,) if rng.random() < draws else (strength[name] + rng.gauss(0, 1),) for name in pod]
            scores = [state[name].score for name in pod]
            for name, won in zip(pod, by_place(luck), strict=True):
                bot = state[name]
                after[name] = bot._replace(
                    score=bot.score + won * (6 if len(pod) == 2 else 1),
                    met={**bot.met, **{other: bot.met.get(other, 0) + 1 for other in pod if other != name}},
                    floated=floated(bot.score, scores),
                    short=bot.short + (len(pod) != sizes[0]),
                )
        state = after


def random_state(rng: random.Random, most_bots: int = 30) -> tuple[list[Contender], tuple[int, ...]]:
    """A field in the middle of an event, or with a history that no event leads to."""
    sizes = rng.choice(SIZES)
    bots = rng.randint(5, most_bots)
    rounds = rng.randint(1, 9)
    if rng.random() < 0.5:
        *_, (field, _) = play_pods(rng, bots, sizes, rounds, absent=rng.choice((0.0, 0.1)))
        return field, sizes
    names = [f"bot{index}" for index in range(bots)]
    met: dict[str, dict[str, int]] = {name: {} for name in names}
    for _ in range(rounds):
        order = rng.sample(names, bots)
        for at in range(0, bots, sizes[0]):
            for one, other in combinations(order[at : at + sizes[0]], 2):
                met[one][other] = met[other][one] = met[one].get(other, 0) + 1
    step = rng.choice((1, 3, 6))
    return [
        Contender(
            name,
            step * rng.randrange(2 * rounds + 1),
            met[name],
            rng.choice((0, 0, 0, 1, 2)),
            rng.choice((-1, 0, 0, 1)),
            rng.choice((0, 0, 1)),
        )
        for name in names
    ], sizes


def main(states: int) -> int:
    worse = 0
    seconds = 0.0
    for number in range(states):
        field, sizes = random_state(random.Random(number))
        began = time.perf_counter()
        found = pods_cost(field, sizes, pods(field, sizes, Lots("seed", str(number))))
        seconds += time.perf_counter() - began
        best = optimum(field, sizes)
        if found != best:
            worse += 1
            print(f"state {number}: {len(field)} bots in pods of {sizes}: {found}, optimum {best}", flush=True)
    print(f"{states} states, {worse} not at the optimum; {seconds / states:.3f} s a pairing")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else STATES))
