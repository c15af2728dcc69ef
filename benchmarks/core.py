"""The rules core on one core: playouts in C, the loop from Python, deals from a seed, replays."""

import random
import time
from collections.abc import Callable
from statistics import median

from benchmarks import Result
from core_ext import VARIANTS, State, deck, playout

REPEATS = 5
_PLAYOUTS = 4_000
_MATCHES = 100
_DEALS = 100_000
_REPLAYS = 300


def measure() -> list[Result]:
    """Medians over `REPEATS` runs of each."""
    return [result for variant in VARIANTS for result in _of(variant)]


def _of(variant: str) -> list[Result]:
    matches = [State.new(variant, seed=str(seed)) for seed in range(_REPLAYS)]
    for state in matches:
        _play(state)
    codes = [state.actions() for state in matches]
    choices = [state.choices() for state in matches]
    seeds = [str(seed) for seed in range(_REPLAYS)]
    hashes = [state.state_hash() for state in matches]

    def apply() -> int:
        for seed, match in zip(seeds, codes, strict=True):
            State.new(variant, seed=seed).apply_all(match)
        return len(codes)

    def verify() -> int:
        for seed, match, expected in zip(seeds, choices, hashes, strict=True):
            state = State.new(variant, seed=seed)
            state.apply_choices(match)
            assert state.state_hash() == expected
        return len(choices)

    return [
        Result(f"core.playout.{variant}", _rate(lambda: _playouts(variant)), "decisions/s"),
        Result(f"core.python.{variant}", _rate(lambda: _python(variant)), "decisions/s"),
        Result(f"core.deal.{variant}", _rate(lambda: _deals(variant)), "deals/s"),
        Result(f"core.apply.{variant}", _rate(apply), "matches/s"),
        Result(f"replay.verify.{variant}", _rate(verify), "matches/s"),
    ]


def _rate(work: Callable[[], int]) -> float:
    """The median number of units a second that `work` does; it returns how many it did."""
    rates = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        units = work()
        rates.append(units / (time.perf_counter() - began))
    return median(rates)


def _playouts(variant: str) -> int:
    return playout.run(State.new(variant, seed="bench"), _PLAYOUTS, 1, whole_match=True).decisions


def _python(variant: str) -> int:
    return sum(_play(State.new(variant, seed=str(seed))) for seed in range(_MATCHES))


def _play(state: State) -> int:
    """Random play as anybody would write it; how many decisions."""
    choose = random.choice
    decisions = 0
    while state.current_player >= 0:
        state.apply(choose(state.legal_actions()))
        decisions += 1
    return decisions


def _deals(variant: str) -> int:
    raise NotImplementedError
