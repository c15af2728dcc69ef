from collections.abc import Sequence

PHASES: tuple[str, ...]
"""What a seat can be asked, in all variants, and ``over``."""
ENDINGS: tuple[str, ...]
"""How a deal can end."""

def first_draws(deck: Sequence[int], seats: int) -> tuple[list[tuple[int, int]], int]:
    """Who deals first from this deck: every (seat, card) drawn, and the dealer. DeckError."""
