"""The text of the matching games' action codes, in code order; see ``notation.pxd`` for the codes by name."""

from core_ext.cards import CARD_NAMES


def _play_text(card: int, how: int) -> str:
    """A hand card and what it takes: nothing, card ``how - 1`` of its month, or (its own index) all three others."""
    if how == 0:
        return CARD_NAMES[card]
    month = card // 4 * 4
    if how - 1 == card - month:
        taken = [same_month for same_month in range(month, month + 4) if same_month != card]
    else:
        taken = [month + how - 1]
    return f"{CARD_NAMES[card]}*{','.join(CARD_NAMES[same_month] for same_month in taken)}"


MATCHING_ACTIONS = (
    *(_play_text(card, how) for card in range(48) for how in range(5)),
    *(f"*{name}" for name in CARD_NAMES),
    "stop",
    "koi",
    "cancel",
    "pass",
    "declare",
)
"""Text by code: 240 ways to play, 48 choices for the turned card, five words."""
