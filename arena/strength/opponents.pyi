from arena.strength.network import Network
from core_ext import State
from core_ext.vector import Opponent

class PolicyOpponent(Opponent):
    """Plays by a policy at a temperature."""

    def __init__(self, match: State, network: Network, heat: int) -> None:
        """``match`` has the variant, options and seats of the games; ``heat`` is 256 / temperature, as in a Header.

        ValueError for a network of another variant.
        """
