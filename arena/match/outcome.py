"""How a match came out, read off its last state."""

from collections.abc import Sequence

from arena.match.model import End
from core_ext import ALL, State


def end_of(state: State) -> End:
    """Return how a match that is over ended: as SAFEGUARD where its last event says so."""
    last = state.events(ALL, state.event_count - 1)[0]
    return End.SAFEGUARD if last.name == "safeguard" else End.COMPLETED


def results_of(state: State) -> tuple[int, ...]:
    """Return the final results; of a match that is not over, the balances as they stand."""
    return state.returns() if state.is_over else state.balances()


def placing(results: Sequence[int], offender: int = -1) -> tuple[int, ...]:
    """Return the places by seat, 1 for the best; equal seats share the better place, the offender alone is last."""
    others = [result for seat, result in enumerate(results) if seat != offender]
    return tuple(
        len(results) if seat == offender else 1 + sum(rival > result for rival in others)
        for seat, result in enumerate(results)
    )
