from arena.strength.network import Network
from core_ext.state import State

HEAT_OF_BEST: int
"""The heat from which on the best action is taken."""

class Policy:
    """The policy of a network for the rules, options and seats of a state.

    ValueError for weights of another variant.
    """

    def __init__(self, state: State, network: Network) -> None: ...
    @property
    def network(self) -> Network: ...

def policy_of(state: State, network: Network) -> Policy:
    """The policy for a state, made once for all with the same rules, options and seats. ValueError as `Policy`."""
