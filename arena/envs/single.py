"""Gymnasium's environment: one seat of a match, bots in the others."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.envs.action_spaces import LegalActions
from arena.envs.encoding import encoding
from arena.envs.rewards import Rewards
from arena.match.model import MatchSpec
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.sdk import Bot
from arena.seats.in_process import LocalDecision, match_of
from bots import house
from core_ext import State, parse_seed
from core_ext.errors import IllegalActionError, MatchOverError, SeatsError

ENV_IDS = {
    "hanafuda/Koikoi-v1": "koikoi",
    "hanafuda/Koikoi45-v1": "koikoi45",
    "hanafuda/Kyogi-v1": "kyogi",
    "hanafuda/Hachihachi-v1": "hachihachi",
    "hanafuda/Sangohana-v1": "sangohana",
}
"""The variant of each environment that ``gymnasium.make`` knows."""


class HanafudaEnv(gymnasium.Env[dict[str, NDArray[Any]], np.int64]):
    """A match from the learner's seat; ``opponent``, a house bot's name or a bot of the SDK, has every other seat.

    The learner's seat is ``seat``, or another one in each match that follows. An observation has ``cards``, ``numbers``
    and ``action_mask``, as ``encoding`` names them; the reward is what the learner gained until it is asked again, and
    all of them add up to its result. ``reset(seed=7)`` deals the match of the arena's seed ``7``,
    ``reset(options={"seed": TEXT})`` that of any seed. An illegal action raises IllegalActionError and changes
    nothing; with ``illegal="first"``, for algorithms that know no masks, the first legal action is played in its place.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 -- Gymnasium's own name

    def __init__(
        self,
        variant: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        opponent: str | Bot = "random",
        seat: int | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        """UnknownVariantError, OptionError, SeatsError; ValueError for another argument that there is not."""
        if render_mode not in (None, "ansi"):
            raise ValueError(f"a match is rendered as 'ansi', not {render_mode!r}")
        self.render_mode = render_mode
        self.encoding = encoding(variant, seats)
        self._options = dict(options or {})
        State.new(variant, self._options, seats=self.encoding.seats)
        if seat is not None and not 0 <= seat < self.encoding.seats:
            raise SeatsError(f"there is no seat {seat}")
        self._opponent = house(opponent.removeprefix("house:")) if isinstance(opponent, str) else opponent
        if illegal not in ("raise", "first"):
            raise ValueError(f"illegal is 'raise' or 'first', not {illegal!r}")
        self._illegal = illegal
        self._fixed_seat = seat
        self._matches = -1
        self.observation_space: spaces.Space[Any] = self.encoding.observation_space()
        self.action_space = LegalActions(len(self.encoding.actions), self._legal)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Deals a match: that of ``options["seed"]``, else of ``seed``, else of one drawn after the last ``seed``.

        A match that ends before the learner is asked is followed by the next one.
        """
        super().reset(seed=seed)
        text = (options or {}).get("seed", seed)
        self._matches = 0 if seed is not None else self._matches + 1
        while True:
            self._deal(str(int(self.np_random.integers(1 << 62))) if text is None else text)
            if not self.match.is_over:
                return self._observe(), self._info()
            text = None
            self._matches += 1

    def step(self, action: np.int64 | int) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Plays the action, and the others' until the learner is asked again or the match is over."""
        if self.match.is_over:
            raise MatchOverError("the match is over: reset the environment")
        codes = self.match.legal_actions()
        if action not in codes and self._illegal == "first":
            action = codes[0]
        if action not in codes:
            legal = " ".join(f"{self.match.action_text(code)} ({code})" for code in codes)
            raise IllegalActionError(int(action), f"action {action} is not legal; legal is {legal}")
        self._referee.answer(Answer(int(action), 0.0))
        self._play_on()
        gain = self._gains.gains(self.match)[self.seat]
        return self._observe(), gain, self.match.is_over, False, self._info()

    def render(self) -> str | None:
        """What the learner sees, as text."""
        return None if self.render_mode is None else str(self.match.observation(self.seat))

    def _deal(self, seed: str | int) -> None:
        seats = self.encoding.seats
        self.seat = self._matches % seats if self._fixed_seat is None else self._fixed_seat
        opponent = type(self._opponent).__name__
        names = tuple("learner" if seat == self.seat else opponent for seat in range(seats))
        spec = MatchSpec("training", self.encoding.variant, parse_seed(seed), names, self._options)
        self._referee = Referee(spec)
        self.match = self._referee.state
        self._gains = Rewards(self.match)
        self._match_of_seat = [match_of(spec, seat) for seat in range(seats)]
        for seat, match in enumerate(self._match_of_seat):
            if seat != self.seat:
                self._opponent.started(match)
        self._play_on()

    def _play_on(self) -> None:
        """Let the opponents play until the learner is asked, or the match is over."""
        while self._referee.turn >= 0:
            question = self._referee.ask()
            if question.seat == self.seat:
                return
            decision = LocalDecision(question, self._match_of_seat[question.seat])
            self._referee.answer(Answer(decision.code_of(self._opponent.choose(decision)), 0.0))

    def _legal(self) -> list[int]:
        return self.match.legal_actions()

    def _observe(self) -> dict[str, NDArray[Any]]:
        return self.encoding.observe(self.match, self.seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat}
        if self.match.is_over:
            info["results"] = self.match.returns()
        return info


def register_envs() -> None:
    """Makes the environments known to ``gymnasium.make`` and, stepped at once in C, to ``gymnasium.make_vec``."""
    for name, variant in ENV_IDS.items():
        gymnasium.register(
            name,
            entry_point="arena.envs.single:HanafudaEnv",
            vector_entry_point="arena.envs.vector:VectorEnv",
            kwargs={"variant": variant},
        )
