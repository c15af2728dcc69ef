from typing import NamedTuple

from core_ext.observation import Observation
from core_ext.state import State

class PlayoutResult(NamedTuple):
    """``sums``: what each seat's balance gained, summed. ``wins``: how often it gained most; a tie is shared."""

    playouts: int
    decisions: int
    sums: tuple[int, ...]
    wins: tuple[float, ...]

def run(state: State, n: int, seed: int, whole_match: bool = False) -> PlayoutResult:
    """n uniformly random ways to play on from a state, without the GIL: to the end of the deal, or of the match.

    Decks to come are the state's own; the state stays as it is. With ``whole_match`` a win is the best final result.
    MatchOverError when nothing is left to play.
    """

def dealt_anew(observation: Observation, n: int, seed: int) -> PlayoutResult:
    """n uniformly random ways to play on from what a seat knows, to the end of the deal, without the GIL.

    Before each of them the hidden cards are dealt anew, as they may be for the seat; where no way to deal them is found
    there is a playout less. ObservationError when the seat is not asked, and when no deal fits.
    """

def standing_deals(state: State, n: int) -> int:
    """Deal the state's months 1 to n from its seed, in C, and return how many stand, the others being dealt again."""
