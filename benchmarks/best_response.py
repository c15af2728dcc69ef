"""What an opponent gains that has learned to beat the frozen expert: `python -m benchmarks.best_response`.

The response begins as the shipped policy and learns, by the method that this was trained by, against the policy that
the expert searches with, frozen; against the search itself too few deals would be played in the time. It is an
approximate best response: a lower bound of what can be gained. Then it plays the frozen policy, and the whole expert,
on mirrored boards, its best action at each decision; beside it the shipped policy does the same.
"""

import argparse
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.bench import half_interval
from arena.sdk import Action, Bot, Decision
from arena.simulate import simulate
from arena.strength.learning import Table, update
from arena.strength.network import LEAD_POINTS, MONTHS_LEFT, Network
from arena.strength.playouts import choose, duel
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.training import DEALS, RECIPES
from arena.strength.weights import HIDDEN, decode, encode, header, load, quantised
from arena.wire import observation_from_wire
from bots import house
from core_ext import VARIANTS, State
from core_ext.encoding import Encoding

TABLES = 4
RATE = 3e-4
ENTROPY = 2e-3
_SCALE = 256


class Parameters(NamedTuple):
    """A network in floats, as `Table` reads it, and the chances to win that it comes with."""

    weights: NDArray[np.float32]
    equities: NDArray[np.float32]


def parameters_of(network: Network) -> Parameters:
    """What was rounded into the network's whole numbers."""
    words = 4 * (network.actions + 1 + MONTHS_LEFT * len(LEAD_POINTS) + network.action_features)
    whole = np.frombuffer(network.weights[:words], "<i4") / _SCALE**2
    halves = np.frombuffer(network.weights[words:], "<i2") / _SCALE
    policy_bias, value_bias, equities, actions = np.split(
        whole, np.cumsum([network.actions, 1, MONTHS_LEFT * len(LEAD_POINTS)])
    )
    sizes = [HIDDEN * network.features, HIDDEN, HIDDEN * network.actions]
    first, bias, policy, value = np.split(halves, np.cumsum(sizes))
    weights = np.concatenate([first, bias, policy, policy_bias, value, value_bias, actions]).astype(np.float32)
    return Parameters(weights, np.ascontiguousarray(equities.reshape(MONTHS_LEFT, -1), np.float32))


def respond(variant: str, seconds: float, seed: int) -> tuple[Network, int]:
    """Learn for so many seconds of the processor; the response, and how many deals it has played."""
    network, recipe = load(variant), RECIPES[variant]
    weights, equities = parameters_of(network)
    gradient, mean, square = (np.zeros_like(weights) for _ in range(3))
    random = np.random.Generator(np.random.PCG64(seed))
    tables = [
        Table(State.new(variant), int(random.integers(1 << 63)), weights, equities, recipe.unit, recipe.trace, network)
        for _ in range(TABLES)
    ]
    began = time.process_time()
    batches = 0
    while (part := (time.process_time() - began) / seconds) < 1:
        gradient[:] = 0
        for table in tables:
            table.play(DEALS, ENTROPY, 0.0)
            gradient += table.take_gradient()
            table.take_gradient()[:] = 0
        gradient /= np.float32(DEALS * TABLES)
        batches += 1
        update(weights, gradient, mean, square, RATE * min(1.0, batches / 100) * 0.03**part, 0.9, 0.999)
    names = Encoding(State.new(variant)).names
    numbers = quantised(weights, equities.astype(np.float64), names, network.actions)
    return decode(encode(header(variant), numbers), variant)[1], batches * DEALS * TABLES


class ResponseBot(Bot):
    """A network's best action."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def choose(self, decision: Decision) -> Action:
        """The best action of the policy."""
        codes = [action.code for action in decision.legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        return decision.legal[codes.index(choose(State.from_observation(view, 0), self._network, 0, HEAT_OF_BEST))]


def against_expert(variant: str, network: Network, boards: int, seed: str) -> list[float]:
    """The margin of a network's best actions against the expert, a match, by board."""
    response, expert = ResponseBot(network), house("expert")
    seats = State.new(variant).seats
    return [
        sum(
            simulate(
                variant, 1, f"{seed}/{board}", [response if place == seat else expert for place in range(seats)]
            ).margins[seat]
            for seat in range(seats)
        )
        / seats
        for board in range(boards)
    ]


def main() -> None:
    """Print what the response gains a deal, and what the shipped policy does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="of the processor, to learn in")
    parser.add_argument("--boards", type=int, default=40, help="against the expert; a hundred times as many in C")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    months = State.new(args.variant).options.get("months", 12)
    assert isinstance(months, int)
    response, deals = respond(args.variant, args.seconds, args.seed)
    print(f"{args.variant}: learned from {deals} deals in {args.seconds:.0f} s", flush=True)
    shipped = load(args.variant)
    state = State.new(args.variant)
    margins, _ = duel(state, response, 100 * args.boards, args.seed, HEAT_OF_BEST, HEAT_OF_BEST, shipped)
    _say("the response against the frozen policy", margins, months)
    for name, network in (("the response", response), ("the shipped policy", shipped)):
        _say(f"{name} against the expert", against_expert(args.variant, network, args.boards, "response"), months)


def _say(what: str, margins: Sequence[float], months: int) -> None:
    mean, error = np.mean(margins) / months, half_interval(margins) / months
    print(f"{what}: {mean:+.3f} ± {error:.3f} a deal, {len(margins)} boards", flush=True)


if __name__ == "__main__":
    main()
