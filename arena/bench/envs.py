"""Environments for learning on one core, and those of PettingZoo and OpenSpiel beside them."""

import itertools
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import pyspiel

import arena.envs.openspiel  # noqa: F401 -- registers the games
from arena.bench import Result, export, say
from arena.envs import VectorEnv, aec_env
from core_ext import VARIANTS

REPEATS = 5
_GAMES = (1024, 64)
_VECTOR_STEPS = 200_000
_AEC_STEPS = 3_000
_OPENSPIEL_STEPS = 2_000


def measure() -> list[Result]:
    """Medians over `REPEATS` runs of each, in steps/s of the processor's time; `threads` in steps/s of the clock's."""
    from pettingzoo.classic import texas_holdem_v4  # its deck of cards comes with PettingZoo's extra of that name

    results = []
    for variant in VARIANTS:
        say(f"the environments of {variant}")
        results += _of(variant)
    say("Texas hold'em of PettingZoo and gin rummy of OpenSpiel")
    results += [
        Result("envs.aec.texas_holdem_v4", _aec(texas_holdem_v4.raw_env()), "steps/s"),
        Result("envs.aec.texas_holdem_v4.wrapped", _aec(texas_holdem_v4.env()), "steps/s"),
        Result("envs.openspiel.gin_rummy", _openspiel("gin_rummy"), "steps/s"),
    ]
    return [*results, *export.measure()]


def _of(variant: str) -> list[Result]:
    threads = [_vector(variant, _GAMES[0], number, time.perf_counter) for number in (1, 2)]
    return [
        *(
            Result(f"envs.vector.{variant}" + (f".{games}" if games != _GAMES[0] else ""), rate, "steps/s")
            for games in _GAMES
            for rate in [_vector(variant, games, 1, time.process_time)]
        ),
        Result(f"envs.vector.{variant}.threads", threads[1] / threads[0], "ratio"),
        Result(f"envs.aec.{variant}", _aec(aec_env(variant, raw=True)), "steps/s"),
        Result(f"envs.aec.{variant}.wrapped", _aec(aec_env(variant)), "steps/s"),
        Result(f"envs.openspiel.{variant}", _openspiel(f"python_hanafuda_{variant}"), "steps/s"),
    ]


def _vector(variant: str, games: int, threads: int, clock: Callable[[], float]) -> float:
    env = VectorEnv(variant, games, threads=threads, copy=False)
    env.reset(seed=1)

    def step() -> None:
        env.step(env.sample())

    return _rate(step, games, _VECTOR_STEPS // games, clock)


def _aec(env: Any) -> float:
    """Agents' steps, each with its observation and a random legal action."""
    env.reset(seed=1)
    rng = random.Random(1)

    def step() -> None:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
        else:
            env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))

    return _rate(step, 1, _AEC_STEPS, time.process_time)


def _openspiel(name: str) -> float:
    """Decisions, each with the tensor, the mask and a random legal action."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    states: list[Any] = [game.new_initial_state()]

    def step() -> None:
        state = states[0]
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        if state.is_terminal():
            states[0] = game.new_initial_state()
            return
        state.observation_tensor(state.current_player())
        state.legal_actions_mask()
        state.apply_action(rng.choice(state.legal_actions()))

    return _rate(step, 1, _OPENSPIEL_STEPS, time.process_time)


def _rate(step: Callable[[], object], units: int, steps: int, clock: Callable[[], float]) -> float:
    rates = []
    for _ in range(REPEATS):
        began = clock()
        for _ in itertools.repeat(None, steps):
            step()
        rates.append(units * steps / (clock() - began))
    return median(rates)
