from collections.abc import Sequence

from core_ext.state import State

PLANE_KINDS: tuple[str, ...]

class Layout:
    """Which planes and counters a seat's view is written as."""

    planes: int
    numbers: int
    seats: int

    def __init__(self, seats: int, planes: Sequence[tuple[str, int]], counters: Sequence[tuple[str, int]]) -> None:
        """``planes`` are kinds of PLANE_KINDS, ``counters`` names of COUNTER_NAMES, each with its seat counted from the
        viewer (-1 for the table's). ValueError for a kind, a name or a seat that there is not.

        Before the counters come month, attempt, each of PHASES as 0 or 1, dealer and turn by seat as 0 or 1, the sizes
        of the hands by seat, and that of the stock.
        """

def encode(state: State, seat: int, layout: Layout, planes: object, numbers: object, mask: object = None) -> None:
    """Writes what the seat sees into ``planes`` (uint8, ``layout.planes`` by 48) and ``numbers`` (float32).

    A ``mask`` (int8, by action code) gets 1 where an action is legal for the seat, which it is only when it is asked.

    It is made from what the seat may know alone. A counter that the view lacks is written as -1. SeatsError;
    ValueError for arrays of another shape, type or layout, or read-only ones, before anything is written.
    """

def encode_decisions(
    state: State,
    packed: bytes,
    decisions: int,
    layout: Layout,
    planes: object,
    numbers: object,
    masks: object,
    seats: object,
    actions: object,
) -> None:
    """Writes the decisions that follow a state, which plays them, into the first rows of the arrays.

    The choices are packed as ``State.pack_choices`` packs them. ``planes`` uint8 and ``numbers`` float32 as those of
    ``encode``, of the seat that decides; ``masks`` int8, 1 where an action is legal; ``seats`` int8; ``actions`` int16.
    Raises what ``State.apply_packed`` raises; ValueError for arrays of another shape, type or layout.
    """
