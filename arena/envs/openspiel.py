"""The variants as OpenSpiel games: importing this module registers ``python_hanafuda_koikoi`` and so on.

A match begins with two chance nodes, which choose one of 1,048,576 seeds: chance is explicit, and a history plays the
same match anywhere. Parameters of a game: ``players``; ``options``, the variant's as JSON; ``seed``, the text that
the seeds begin with. With the seed text ``S`` and the chance outcomes a and b, the match is that of the arena's seed
``S/a/b``.
"""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    text = "arena.envs.openspiel needs pyspiel: pip install 'hanafuda-arena[openspiel]'"
    raise ModuleNotFoundError(text, name=error.name) from error

from arena.envs.encoding import Encoding, encoding
from arena.sdk.tensors import CARDS
from core_ext import State, variant_info
from core_ext.cards import cards_text
from core_ext.tensors import encode
from core_ext.variants.registry import VARIANTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

OUTCOMES = 1024
"""The outcomes of each chance node."""
CHANCE_NODES = 2
"""They choose the seed."""
_CHANCE = tuple((outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES))
_MAX_RESULT = 1e12
_MAX_DECISIONS = 100_000


def game_type(variant: str) -> Any:
    """What OpenSpiel is told of a variant."""
    least, highest, default = variant_info(variant).seats
    return pyspiel.GameType(
        short_name=f"python_hanafuda_{variant}",
        long_name=f"Hanafuda: {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=highest,
        min_num_players=least,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": default, "options": "", "seed": "openspiel"},
    )


class HanafudaGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A variant. CoreError for options and numbers of players that there are not."""

    def __init__(self, variant: str, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.variant = variant
        self.seed = params.get("seed", "openspiel")
        self.options = json.loads(params.get("options") or "{}")
        self.encoding: Encoding = encoding(variant, params.get("players"))
        State.new(variant, self.options, 0, self.encoding.seats)
        super().__init__(
            game_type(variant),
            pyspiel.GameInfo(
                num_distinct_actions=len(self.encoding.actions),
                max_chance_outcomes=OUTCOMES,
                num_players=self.encoding.seats,
                min_utility=-_MAX_RESULT,
                max_utility=_MAX_RESULT,
                utility_sum=None,
                max_game_length=_MAX_DECISIONS,
            ),
            params,
        )

    def new_initial_state(self) -> "HanafudaState":
        """A match before its seed is chosen."""
        return HanafudaState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "HanafudaObserver | None":
        """An observer of a seat's view; None of another type of observation: what all see, or what was seen before."""
        if params:
            raise ValueError(f"an observation of {self.variant} has no parameters, not {sorted(params)}")
        if iig_obs_type is not None and (
            iig_obs_type.perfect_recall
            or not iig_obs_type.public_info
            or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            return None
        return HanafudaObserver(self.encoding)


class _MatchHolder:
    """A match that is cloned where OpenSpiel copies what holds it."""

    def __init__(self, match: State | None = None) -> None:
        self.match = match

    def __deepcopy__(self, memo: dict[int, Any]) -> "_MatchHolder":
        return _MatchHolder(None if self.match is None else self.match.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        if self.match is None:
            return _MatchHolder, ()
        match = self.match
        return _holder_again, (match.variant, dict(match.options), match.seed, match.seats, match.actions())


def _holder_again(variant: str, options: dict[str, Any], seed: bytes, seats: int, actions: list[int]) -> _MatchHolder:
    match = State.new(variant, options, seed, seats)
    match.apply_all(actions)
    return _MatchHolder(match)


class HanafudaState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A match under way, or its seed being chosen."""

    def __init__(self, game: HanafudaGame) -> None:
        super().__init__(game)
        self._variant, self._options, self._seed = game.variant, game.options, game.seed
        self._seats = game.encoding.seats
        self._chosen: tuple[int, ...] = ()
        self._holder = _MatchHolder()

    @property
    def match(self) -> State | None:
        """The match; None until its seed is chosen."""
        return self._holder.match

    def current_player(self) -> int:
        """Return the seat that is asked, or chance's."""
        match = self._holder.match
        if match is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if match.is_over else match.current_player

    def _legal_actions(self, player: int) -> list[int]:
        match = self._holder.match
        return match.legal_actions() if match is not None and player == match.current_player else []

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """All parts of a seed are equally likely."""
        return list(_CHANCE)

    def _apply_action(self, action: int) -> None:
        if self._holder.match is not None:
            self._holder.match.apply(action)
            return
        self._chosen += (action,)
        if len(self._chosen) == CHANCE_NODES:
            seed = "/".join([self._seed, *map(str, self._chosen)])
            self._holder.match = State.new(self._variant, self._options, seed, self._seats)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return variant_info(self._variant).actions[action]

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._holder.match is not None and self._holder.match.is_over

    def returns(self) -> list[float]:
        """Return the results by seat, 0 until the match is over."""
        if self._holder.match is None or not self._holder.match.is_over:
            return [0.0] * self._seats
        return [float(result) for result in self._holder.match.returns()]

    def __str__(self) -> str:
        seed = "/".join([self._seed, *map(str, self._chosen)])
        match = self._holder.match
        return f"seed {seed}" if match is None else f"seed {seed}, state {match.state_hash()}"


class HanafudaObserver:
    """A seat's view: ``cards``, ``numbers`` and ``action_mask``, as ``encoding`` names them, in one float32 tensor."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        cards, numbers, actions = len(encoding.planes) * CARDS, len(encoding.numbers), len(encoding.actions)
        self._cards = np.zeros((len(encoding.planes), CARDS), np.uint8)
        self._mask = np.zeros(actions, np.int8)
        self.tensor: NDArray[np.float32] = np.zeros(cards + numbers + actions, np.float32)
        self.dict = {
            "cards": self.tensor[:cards].reshape(len(encoding.planes), CARDS),
            "numbers": self.tensor[cards : cards + numbers],
            "action_mask": self.tensor[cards + numbers :],
        }

    def set_from(self, state: HanafudaState, player: int) -> None:
        """Writes what the seat sees; all zeros until there is a match."""
        match, seen = state.match, self.dict
        if match is None:
            self.tensor.fill(0)
            return
        encode(match, player, self._encoding.layout, self._cards, seen["numbers"], self._mask)
        seen["cards"][:] = self._cards
        seen["action_mask"][:] = self._mask

    def string_from(self, state: HanafudaState, player: int) -> str:
        """What the seat sees, as text."""
        if state.match is None:
            return "nothing yet"
        view = state.match.observation(player)
        zones = [f"{zone.kind}.{zone.seat} {zone.count} {cards_text(zone.cards)}" for zone in view.zones]
        counters = [f"{counter.name}.{counter.seat} {counter.value}" for counter in view.counters]
        head = f"month {view.month}.{view.attempt}, dealer {view.dealer}, turn {view.turn}, {view.phase}"
        return "; ".join([head, *zones, *counters])


def _register() -> None:
    for variant in VARIANTS:
        made = type(f"Hanafuda{variant.capitalize()}Game", (HanafudaGame,), {"__init__": _init_of(variant)})
        pyspiel.register_game(game_type(variant), made)


def _init_of(variant: str) -> Callable[..., None]:
    def __init__(self: HanafudaGame, params: dict[str, Any] | None = None) -> None:  # noqa: N807 -- of the class made
        HanafudaGame.__init__(self, variant, params)

    return __init__


_register()
