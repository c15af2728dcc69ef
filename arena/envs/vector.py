"""Thousands of games stepped at once, in C, behind Gymnasium's vector interface."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arena.envs.action_spaces import LegalActionsOfAll
from arena.envs.arrays import Arrays
from arena.envs.encoding import encoding
from arena.strength.opponents import PolicyOpponent
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import header, load
from core_ext import State
from core_ext.vector import Games, Opponent

LEVELS = ("level1", "level2", "level3", "level4", "level5", "level6")
OPPONENTS = ("random", *LEVELS, "policy")
"""The opponents that play in C: the house bots that choose at random or by the learned policy, without searching."""


class VectorEnv(GymnasiumVectorEnv[dict[str, NDArray[Any]], NDArray[np.int64], Any]):
    """``num_envs`` matches of a variant.

    Without ``opponents`` every seat is the caller's (self-play): an observation is that of the seat that is asked,
    which ``infos["seat"]`` names; the reward is that of the seat that acted, ``infos["rewards"]`` has every seat's.
    With ``opponents="random"``, or ``"level1"`` to ``"level6"`` and ``"policy"`` as those house bots play, the caller
    has one seat of each match, another one in each match that follows, and the reward is what that seat gained
    until it is asked again.

    Rewards are in the unit of the variant's results and add up to them over a match. A match that ends is followed by
    the next in the same step; ``infos["final_obs"]`` has what the seat that acted last saw then. ``infos["legal"]``
    lists the legal actions, of which ``infos["legal_counts"]`` says how many; ``sample`` draws from them in C.

    With ``copy=False`` observations and infos are the arrays that the next step writes into: ``arrays``, the caller's
    where they are given.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 -- Gymnasium's own name

    def __init__(
        self,
        variant: str,
        num_envs: int,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        opponents: str | None = None,
        *,
        threads: int = 1,
        copy: bool = True,
        arrays: Arrays | None = None,
    ) -> None:
        """UnknownVariantError, OptionError, SeatsError; ValueError for opponents, a number of games or of threads that
        there is not, TypeError or ValueError for ``arrays`` of another shape, type or layout.
        """
        if opponents is not None and opponents not in OPPONENTS:
            raise ValueError(f"opponents are None or one of {', '.join(OPPONENTS)}, not {opponents!r}")
        self.encoding = encoding(variant, seats)
        self.num_envs = num_envs
        self.games = Games(
            variant,
            options,
            seats,
            num_envs,
            self.encoding.layout,
            None if opponents is None else 0,
            threads,
            _opponent(variant, seats, options, opponents),
        )
        self.arrays = Arrays.empty(self.encoding, num_envs) if arrays is None else arrays
        self.games.bind(*self.arrays)
        self.copy = copy
        self.single_observation_space = self.encoding.observation_space()
        self.single_action_space = spaces.Discrete(len(self.encoding.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.Space[Any] = LegalActionsOfAll(len(self.encoding.actions), num_envs, self.sample)
        self._actions = np.zeros(num_envs, np.int64)
        self._not_truncated = np.zeros(num_envs, np.bool_)
        self._nothing_legal = np.zeros(len(self.encoding.actions), np.int8)
        self._final_obs = np.empty(num_envs, object)  # all None
        self._ended = np.zeros(0, np.intp)
        self._is_self_play = opponents is None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins every match anew; the same seed gives the same matches. Without one they are drawn at random."""
        if isinstance(seed, list):
            raise ValueError("one seed is for all matches: each has its own, which follows from it")
        super().reset(seed=seed)
        self.games.reset(int(self.np_random.integers(1 << 63)))
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays an action for each match.

        IllegalActionError names the match and what is legal, TypeError and ValueError tell of an array that does not
        fit; nothing is played.
        """
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {actions.dtype}")
        ended = self.games.step(np.ascontiguousarray(actions, np.int64))
        infos = self._infos()
        done = self.arrays.done.view(np.bool_)
        if ended:
            infos |= self._final(done)
        reward = self.arrays.reward
        if self.copy:
            return self._observations(), reward.copy(), done.copy(), self._not_truncated.copy(), infos
        return self._observations(), reward, done, self._not_truncated, infos

    def sample(self) -> NDArray[np.int64]:
        """A legal action of each match, all equally likely; the array is written again by the next call."""
        self.games.sample(self._actions)
        return self._actions

    def _observations(self) -> dict[str, NDArray[Any]]:
        seen: dict[str, NDArray[Any]] = {
            "cards": self.arrays.cards,
            "numbers": self.arrays.numbers,
            "action_mask": self.arrays.action_mask,
        }
        return deepcopy(seen) if self.copy else seen

    def _infos(self) -> dict[str, Any]:
        infos = {"seat": self.arrays.seats, "legal": self.arrays.legal, "legal_counts": self.arrays.legal_counts}
        if self._is_self_play:
            infos["rewards"] = self.arrays.rewards
        return deepcopy(infos) if self.copy else infos

    def _final(self, done: NDArray[np.bool_]) -> dict[str, Any]:
        games = done.nonzero()[0]
        if self.copy:
            self._final_obs = np.empty(self.num_envs, object)  # all None
        else:
            self._final_obs[self._ended] = None
            self._ended = games
        for game in games.tolist():
            cards, numbers = self.arrays.final_cards[game], self.arrays.final_numbers[game]
            if self.copy:
                cards, numbers = cards.copy(), numbers.copy()
            self._final_obs[game] = {"cards": cards, "numbers": numbers, "action_mask": self._nothing_legal}
        return {"final_obs": self._final_obs, "_final_obs": done.copy() if self.copy else done}


def _opponent(
    variant: str, seats: int | None, options: Mapping[str, object] | None, name: str | None
) -> Opponent | None:
    """What plays the other seats, None where it plays at random. UnknownVariantError, OptionError, SeatsError."""
    if name in (None, "random"):
        return None
    heat = header(variant).heats[LEVELS.index(name)] if name in LEVELS else HEAT_OF_BEST
    return PolicyOpponent(State.new(variant, options, seats=seats), load(variant), heat)
