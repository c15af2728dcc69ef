from arena.strength.network import Network
from core_ext.playout import PlayoutResult
from core_ext.state import State

def run(state: State, network: Network, n: int, seed: int, whole_match: bool = False, heat: int = 256) -> PlayoutResult:
    """n ways to play on from a state by the policy, without the GIL: to the end of the deal, or of the match.

    Every seat acts on what it may see alone. ``heat`` is 256 / temperature. ``wins`` add up each seat's chance to win
    the match: by its lead and the months left where the playouts end with the deal (of more than two seats: how often
    it leads). MatchOverError; ValueError for weights of another variant.
    """

def choose(state: State, network: Network, seed: int, heat: int = 256) -> int:
    """The code that the asked seat takes by the policy, from what it may see alone. MatchOverError."""

def duel(
    state: State,
    network: Network,
    boards: int,
    seed: int,
    heat: int,
    other_heat: int,
    other_network: Network | None = None,
) -> tuple[list[float], list[float]]:
    """Boards between two heats (a negative one plays at random), each heat once in every seat against the other.

    The other plays by its own network where one is given.

    Returns, a board each, the first's mean margin in points and its share of the match points.
    """
