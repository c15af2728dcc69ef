"""The arrays that many games are written into."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.envs.encoding import Encoding
from arena.sdk.tensors import CARDS

MAX_LEGAL = 64
"""No seat ever has more legal actions."""


class Arrays(NamedTuple):
    """What ``Games.bind`` takes; the first axis is the game."""

    cards: NDArray[np.uint8]
    numbers: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    legal: NDArray[np.uint16]
    legal_counts: NDArray[np.uint8]
    seats: NDArray[np.int8]
    reward: NDArray[np.float64]
    rewards: NDArray[np.float64]
    done: NDArray[np.uint8]
    final_cards: NDArray[np.uint8]
    final_numbers: NDArray[np.float32]

    @classmethod
    def empty(cls, encoding: Encoding, count: int) -> "Arrays":
        """Arrays for ``count`` games."""

        def array(kind: type[np.generic], *shape: int) -> NDArray[Any]:
            return np.zeros((count, *shape), kind)

        planes, numbers = (len(encoding.planes), CARDS), len(encoding.numbers)
        return cls(
            cards=array(np.uint8, *planes),
            numbers=array(np.float32, numbers),
            action_mask=array(np.int8, len(encoding.actions)),
            legal=array(np.uint16, MAX_LEGAL),
            legal_counts=array(np.uint8),
            seats=array(np.int8),
            reward=array(np.float64),
            rewards=array(np.float64, encoding.seats),
            done=array(np.uint8),
            final_cards=array(np.uint8, *planes),
            final_numbers=array(np.float32, numbers),
        )
