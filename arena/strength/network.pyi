from typing import final

LEAD_POINTS: tuple[int, ...]
MONTHS_LEFT: int

def weights_size(features: int, actions: int, action_features: int) -> int:
    """How many bytes the weights of a network of this size have."""

@final
class Network:
    """The weights of one variant: what native playouts and searches read.

    WeightsError where the bytes are not as many as the sizes ask for.
    """

    def __init__(
        self, variant: str, features: int, actions: int, action_features: int, unit: int, weights: bytes
    ) -> None: ...
    @property
    def variant(self) -> str: ...
    @property
    def features(self) -> int: ...
    @property
    def actions(self) -> int: ...
    @property
    def action_features(self) -> int: ...
    @property
    def unit(self) -> int:
        """How many points a value of 1 stands for."""

    @property
    def weights(self) -> bytes: ...
    def win_chance(self, months_left: int, lead: int) -> float:
        """The chance to win a match of two with this lead in points and so many months still to be dealt."""
