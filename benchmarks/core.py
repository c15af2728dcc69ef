"""The rules core on one core: playouts in C, the loop from Python, deals from a seed, replays."""

import random
import time
from collections.abc import Callable
from statistics import median

from arena.match.model import End
from arena.replays import ReplayRecord, verify
from benchmarks import Result
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
    matches = [State.new(variant, seed=str(number)) for number in range(_REPLAYS)]
    packed = [_played(state) for state in matches]
    codes = [state.actions() for state in matches]
    records = [_record(variant, number, state, *packed[number]) for number, state in enumerate(matches)]

    def apply() -> int:
        for number, match in enumerate(codes):
            State.new(variant, seed=str(number)).apply_all(match)
        return len(codes)

    def check() -> int:
        for record in records:
            assert verify(record).ok
        return len(records)

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


def _record(variant: str, number: int, state: State, packed: bytes, running_hash: str) -> ReplayRecord:
    """The replay of a match that was played to its end."""
    return ReplayRecord(
        match_id=f"bench-{number}",
        variant=variant,
        rules_version=state.rules_version,
        options={},
        names=tuple(f"seat-{seat}" for seat in range(state.seats)),
        versions=("",) * state.seats,
        seed=parse_seed(str(number)),
        packed=packed,
        decisions=len(state.actions()),
        clock_ms=(),
        end=End.COMPLETED,
        offender=-1,
        results=state.returns(),
        running_hash=running_hash,
    )


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


def _played(state: State) -> tuple[bytes, str]:
    """Plays a match to its end at random; its choices and their hash, as a replay keeps them."""
    dice = random.Random(1)
    start = state.clone()
    choices = bytearray()
    while legal := state.legal_actions():
        choices.append(dice.randrange(len(legal)))
        state.apply(legal[choices[-1]])
    return start.pack_choices(bytes(choices))


def _deals(variant: str) -> int:
    return playout.standing_deals(State.new(variant, seed="bench"), _DEALS)
