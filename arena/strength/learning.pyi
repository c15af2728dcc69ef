from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from arena.strength.network import Network
from core_ext.state import State

Floats = NDArray[np.float32]

def parameter_count(features: int, actions: int, action_features: int) -> int:
    """How many numbers a network of this size has.

    They are: first layer, its biases, policy, its biases, value, its bias, weights of what actions do.
    """

@final
class Table:
    """A table at which the weights play against themselves, match after match.

    With a rival they play one seat, another in each match, and the rival's best actions are played in all others.
    """

    def __init__(
        self,
        state: State,
        seed: int,
        weights: Floats,
        equities: Floats,
        unit: float,
        trace: float,
        rival: Network | None = None,
    ) -> None: ...
    @property
    def decisions(self) -> int: ...
    def play(self, deals: int, entropy: float, by_equity: float) -> None:
        """Play so many deals, without the GIL, and add what is learned from them to the gradient."""

    def take_gradient(self) -> Floats:
        """The gradient as it lies in memory: the caller reads it and sets it to zero."""

    def take_results(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """How often each lead was reached by months left, and how many of those matches were won."""

def update(
    weights: Floats,
    gradient: Floats,
    mean: Floats,
    square: Floats,
    rate: float,
    first_decay: float,
    second_decay: float,
) -> None:
    """Take a step of Adam in place."""
