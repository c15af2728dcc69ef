"""How a variant's views and actions are written as arrays."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.sdk.tensors import CARDS, ENCODING_VERSION, PHASES, layout_of
from core_ext import State, variant_info
from core_ext.table import PHASES as CORE_PHASES
from core_ext.tensors import Layout, encode

assert PHASES == CORE_PHASES


class Encoding(NamedTuple):
    """The names of everything that an environment of this variant and number of seats gives and takes.

    ``planes`` name the rows of ``cards``, ``numbers`` the entries of ``numbers``, ``actions`` the action codes.
    """

    variant: str
    version: int
    rules_version: int
    seats: int
    planes: tuple[str, ...]
    numbers: tuple[str, ...]
    actions: tuple[str, ...]
    layout: Layout

    def observation_space(self) -> spaces.Dict:
        """``cards`` (planes by 48, 0 or 1), ``numbers`` (float32) and ``action_mask`` (1 where an action is legal)."""
        return spaces.Dict(
            {
                "cards": spaces.Box(0, 1, (len(self.planes), CARDS), np.uint8),
                "numbers": spaces.Box(-np.inf, np.inf, (len(self.numbers),), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
            }
        )

    def observe(self, state: State, seat: int) -> dict[str, NDArray[Any]]:
        """What the seat sees; the mask is all zeros unless the seat is asked."""
        cards = np.empty((len(self.planes), CARDS), np.uint8)
        numbers = np.empty(len(self.numbers), np.float32)
        mask = np.empty(len(self.actions), np.int8)
        encode(state, seat, self.layout, cards, numbers, mask)
        return {"cards": cards, "numbers": numbers, "action_mask": mask}


@lru_cache
def encoding(variant: str, seats: int | None = None) -> Encoding:
    """The encoding of a variant at a table of so many seats, by default its usual number.

    UnknownVariantError, SeatsError.
    """
    seats = State.new(variant, seats=seats).seats
    info = variant_info(variant)
    layout = layout_of(variant, seats)
    return Encoding(
        variant,
        ENCODING_VERSION,
        info.rules_version,
        seats,
        layout.plane_names,
        layout.number_names,
        info.actions,
        Layout(seats, layout.planes, layout.counters),
    )
