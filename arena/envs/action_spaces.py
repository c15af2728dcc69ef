"""Action spaces that draw legal actions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray


class LegalActions(spaces.Discrete):
    """A variant's action codes; ``sample`` without a mask draws one of those that are legal now."""

    def __init__(self, actions: int, legal: Callable[[], list[int]]) -> None:
        """``legal`` lists the legal codes, none when nobody is asked."""
        super().__init__(actions)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A legal action; with a mask or probabilities, one of theirs, as in Gymnasium."""
        if mask is not None or probability is not None:
            return np.int64(super().sample(mask, probability))
        return np.int64(self.np_random.choice(self._legal() or range(int(self.n))))


class LegalActionsOfAll(spaces.MultiDiscrete):
    """The action codes of many games; ``sample`` without a mask draws one that is legal now in each."""

    def __init__(self, actions: int, games: int, draw: Callable[[], NDArray[np.int64]]) -> None:
        """``draw`` draws a legal code for each game."""
        super().__init__(np.full(games, actions))
        self._draw = draw

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """A legal action for each game; with masks or probabilities, one of theirs, as in Gymnasium."""
        if mask is not None or probability is not None:
            return np.asarray(super().sample(mask, probability), np.int64)
        return self._draw().copy()
