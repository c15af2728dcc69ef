"""The learned bots: playouts by the policy, a decision of the expert, an analysis, the luck of a match.

On one core in the processor's time, on two threads by the clock.
"""

import random
import time
from collections.abc import Callable
from statistics import median

from arena.analysis import analyse, luck_of
from arena.bench import Result, say
from arena.match.model import End, MatchResult, MatchSpec
from arena.replays import ReplayRecord, from_match
from arena.strength.playouts import choose, run
from arena.strength.weights import load
from bots.expert import PLAYOUTS, search_of
from core_ext import VARIANTS, Observation, State, parse_seed

REPEATS = 5
_PLAYOUTS = 200
_VIEWS = 40


def measure() -> list[Result]:
    """Medians over `REPEATS` runs of each."""
    return [result for variant in VARIANTS for result in _of(variant)]


def _of(variant: str) -> list[Result]:
    say(variant)
    record, views = _played(variant)
    state = State.new(variant, seed="bench")
    network = load(variant)
    results = [
        Result(
            f"playout.policy.{variant}",
            median(_rate(lambda: run(state, network, _PLAYOUTS, 1, True).decisions) for _ in range(REPEATS)),
            "decisions/s",
        )
    ]
    for threads, ending, clock in ((1, "", time.process_time), (2, ".2", time.perf_counter)):
        began = clock()
        playouts = sum(_search(view, threads) for view in views)
        spent = clock() - began
        results += [
            Result(f"expert.decision.{variant}{ending}", spent / len(views), "s"),
            Result(f"expert.playouts.{variant}{ending}", playouts / spent, "playouts/s"),
        ]
    return [
        *results,
        Result(f"analyse.match.{variant}", _seconds(lambda: analyse(record)), "s"),
        Result(f"luck.match.{variant}", median(_seconds(lambda: luck_of(record)) for _ in range(REPEATS)), "s"),
    ]


def _played(variant: str) -> tuple[ReplayRecord, list[Observation]]:
    """A match by the policy, and what its seats saw where they had a choice, at every stage of its deals."""
    state = State.new(variant, seed="bench")
    choices = bytearray()
    views = []
    rng = random.Random(1)
    while not state.is_over:
        legal = state.legal_actions()
        if len(legal) > 1:
            views.append(state.observation(state.current_player))
        code = choose(state, load(variant), rng.getrandbits(60))
        choices.append(legal.index(code))
        state.apply(code)
    names = tuple(f"seat-{seat}" for seat in range(state.seats))
    spec = MatchSpec("bench", variant, parse_seed("bench"), names)
    result = MatchResult(End.COMPLETED, -1, state.returns(), (), bytes(choices), (), ())
    return from_match(spec, result), rng.sample(views, min(_VIEWS, len(views)))


def _search(view: Observation, threads: int) -> int:
    search = search_of(view, 1)
    search.run(PLAYOUTS[view.variant], threads)
    return search.played[0]


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _rate(work: Callable[[], int]) -> float:
    began = time.process_time()
    return work() / (time.process_time() - began)
