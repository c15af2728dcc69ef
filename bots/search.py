"""Plays every legal action many times over, on deals that it cannot tell from the real one, and takes the best.

On each determinization every action is played on with the same dice (common random numbers), at random, to the
end of the deal. Random opponents punish nothing, so what `greedy` thinks of a card counts as well; whether to go on
after a yaku is decided by the playouts alone. The budget counts playouts, never time: play is reproducible.
"""

import argparse
import sys

from arena.sdk import Action, Bot, Decision, run
from arena.wire import observation_from_wire
from bots.greedy import judge
from core_ext import Observation, State, playout

PLAYOUTS = 1_200
"""Playouts a decision."""
DEPTH = 4
"""Playouts of each action on each determinization."""
PRIOR = 2.0
"""How much a point of greedy's judgement counts beside a point of mean margin."""
POINT = 0.02
"""What a point of greedy's judgement counts in the last month, in chances to win the match."""
MARGIN = 1 / 1024
"""What a point of mean margin counts there: it decides between equal chances."""


class SearchBot(Bot):
    """Determinized flat Monte-Carlo search from the observation alone."""

    max_matches = 256

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts = playouts

    def choose(self, decision: Decision) -> Action:
        """The action with the best mean; of equal ones the first."""
        return decision.legal[0] if len(decision.legal) == 1 else self.search(decision)

    def search(self, decision: Decision) -> Action:
        """The action with the best mean, looked for even where there is one alone."""
        legal = decision.legal
        codes = [action.code for action in legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        values = self.values(view, decision.random.getrandbits(62))
        if legal[0].word not in ("stop", "koi"):
            weight = POINT if is_last_month(view) else PRIOR * max(1, decision.counter("multiplier"))
            worth = judge(decision)
            values = [value + weight * worth(action) for value, action in zip(values, legal, strict=True)]
        return legal[max(range(len(legal)), key=values.__getitem__)]

    def values(self, view: Observation, seed: int) -> list[float]:
        """What each legal action is worth by this bot's budget, as `evaluate` says it."""
        return evaluate(view, self._playouts, seed)


def evaluate(view: Observation, playouts: int, seed: int) -> list[float]:
    """What each legal action is worth to the seat by random play, in the order of `view.legal`.

    The margin of the deal in points; in the last month the chance to win the match, with a little for the margin.
    """
    last = is_last_month(view)
    rounds = max(1, playouts // (DEPTH * len(view.legal)))
    values = [0.0] * len(view.legal)
    for dice in range(seed, seed + rounds):
        state = State.from_observation(view, dice)
        for index, code in enumerate(view.legal):
            values[index] += _worth(state, code, view.seat, dice, last)
    return [value / rounds for value in values]


def is_last_month(view: Observation) -> bool:
    """Whether the match ends with this deal."""
    return view.month == view.options.get("months", 12)


def _worth(state: State, code: int, seat: int, dice: int, last: bool) -> float:
    """What an action leads to on one determinization."""
    following = state.clone()
    following.apply(code)
    gains = [float(now - before) for now, before in zip(following.balances(), state.balances(), strict=True)]
    chance = 0.0
    if following.is_over:
        results = following.returns()
        best = max(results)
        chance = (results[seat] == best) / results.count(best)
    elif (following.month, following.attempt) == (state.month, state.attempt):
        played = playout.run(following, DEPTH, dice, last)
        gains = [gain + total / DEPTH for gain, total in zip(gains, played.sums, strict=True)]
        chance = played.wins[seat] / DEPTH
    margin = gains[seat] - (sum(gains) - gains[seat]) / (len(gains) - 1)
    return chance + MARGIN * margin if last else margin


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    args, remaining = parser.parse_known_args(sys.argv[1:])
    run(SearchBot(args.playouts), remaining)
