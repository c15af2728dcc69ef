"""The rules core on one core: playouts in C, the loop from Python, deals from a seed, replays."""

import random
import time
from collections.abc import Callable
from statistics import median

from arena.bench import Result
from arena.match.model import End, MatchResult, MatchSpec
from arena.replays import ReplayRecord, from_match, verify
from core_ext import VARIANTS, State, parse_seed, playout, variant_info
from core_ext.enumerate import hand_counts

REPEATS = 5
_PLAYOUTS = 4_000
_MATCHES = 100
_DEALS = 50_000
_REPLAYS = 300


def measure() -> list[Result]:
    """Medians over `REPEATS` runs of each."""
    return [result for variant in VARIANTS for result in _of(variant)]


def _of(variant: str) -> list[Result]:
    played = [_played(variant, number) for number in range(_REPLAYS)]

    def apply() -> int:
        for record, codes in played:
            State.new(variant, seed=record.seed).apply_all(codes)
        return len(played)

    def check() -> int:
        for record, _ in played:
            assert not verify(record)
        return len(played)

    return [
        *_enumeration(variant),
        Result(f"core.playout.{variant}", _rate(lambda: _playouts(variant)), "decisions/s"),
        Result(f"core.python.{variant}", _rate(lambda: _python(variant)), "decisions/s"),
        Result(f"core.deal.{variant}", _rate(lambda: _deals(variant)), "deals/s"),
        Result(f"core.apply.{variant}", _rate(apply), "matches/s"),
        Result(f"replay.verify.{variant}", _rate(check), "matches/s"),
    ]


def _enumeration(variant: str) -> list[Result]:
    """Every hand that can be dealt, read once, where hands are declared."""
    if not variant_info(variant).dealt_hands:
        return []
    began = time.perf_counter()
    hand_counts(variant)
    return [Result(f"core.enumerate.{variant}", time.perf_counter() - began, "s")]


def _played(variant: str, number: int) -> tuple[ReplayRecord, list[int]]:
    """The replay of a match that is played to its end at random, and its actions' codes."""
    seed = parse_seed(str(number))
    state = State.new(variant, seed=seed)
    dice = random.Random(1)
    choices = bytearray()
    while legal := state.legal_actions():
        choices.append(dice.randrange(len(legal)))
        state.apply(legal[choices[-1]])
    spec = MatchSpec(f"bench-{number}", variant, seed, tuple(f"seat-{seat}" for seat in range(state.seats)))
    zeros = (0,) * state.seats
    result = MatchResult(End.COMPLETED, -1, state.returns(), zeros, bytes(choices), (), zeros)
    return from_match(spec, result), state.actions()


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
    return playout.standing_deals(State.new(variant, seed="bench"), _DEALS)
