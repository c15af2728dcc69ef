"""PettingZoo's AEC environment: every seat is an agent, asked in the order of play."""

from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.envs.action_spaces import LegalActions
from arena.envs.encoding import encoding
from arena.envs.rewards import Rewards
from core_ext import State
from core_ext.errors import IllegalActionError

Observation = dict[str, Any]


def aec_env(
    variant: str,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    raw: bool = False,
    max_cycles: int | None = None,
) -> "AECEnv[str, Observation, int | None]":
    """A match as PettingZoo's agents play it, with the wrappers that check how it is used, or ``raw`` without them.

    The agents are ``seat_0`` and so on. After ``max_cycles`` decisions a match is truncated. UnknownVariantError,
    OptionError, SeatsError, and ValueError for a number of cycles that is none.
    """
    env = HanafudaAEC(variant, seats, options, max_cycles=max_cycles)
    return env if raw else wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class HanafudaAEC(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]  # PettingZoo has no types
    """A match. An observation has ``cards``, ``numbers`` and ``action_mask``, as ``encoding`` names them.

    ``reset(seed=7)`` deals the match of the arena's seed ``7``; ``reset(options={"seed": TEXT})`` that of any seed.
    Rewards add up to the results of a match that is not truncated. An illegal action raises IllegalActionError and
    changes nothing.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "hanafuda_v1", "is_parallelizable": False}  # noqa: RUF012 -- PettingZoo's own name

    def __init__(
        self,
        variant: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        """UnknownVariantError, OptionError, SeatsError; ValueError for a render mode or cycles that there are not."""
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"a match has at least one cycle, not {max_cycles}")
        self.max_cycles = max_cycles
        if render_mode not in (None, "ansi"):
            raise ValueError(f"a match is rendered as 'ansi', not {render_mode!r}")
        self.render_mode = render_mode
        self.encoding = encoding(variant, seats)
        self._options = dict(options or {})
        State.new(variant, self._options, seats=self.encoding.seats)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.encoding.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = self.encoding.observation_space()
        self._action_spaces = {
            agent: LegalActions(len(self.encoding.actions), self._legal) for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random()
        self.agents: list[str] = []
        self.match: State

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The variant's action codes."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a match: that of ``options["seed"]``, else of ``seed``, else of one drawn after the last ``seed``."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        else:
            seed = int(self._random.integers(1 << 62))
        text = (options or {}).get("seed", str(seed))
        self.match = State.new(self.encoding.variant, self._options, text, self.encoding.seats)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._gains = Rewards(self.match)
        self._cycles = 0
        self._select()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat sees now."""
        return self.encoding.observe(self.match, self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """Plays the selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalActionError(-1, f"an action is wanted; legal is {' '.join(self.match.legal_texts())}")
        match, rewards, totals = self.match, self.rewards, self._cumulative_rewards
        match.apply(action)
        totals[agent] = 0.0
        for name, gain in zip(self.possible_agents, self._gains.gains(match), strict=True):
            rewards[name] = gain
            totals[name] += gain
        self._cycles += 1
        self._select()

    def render(self) -> str | None:
        """The view of everybody, as text."""
        if self.render_mode is None:
            return None
        return str(self.match.spectate())

    def close(self) -> None:
        """Nothing is held open."""

    def _legal(self) -> list[int]:
        return self.match.legal_actions()

    def _select(self) -> None:
        """Selects the agent that is asked; when the match is over or truncated, all of them have ended."""
        seat = self.match.current_player
        if seat < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[seat]
        if self._cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
