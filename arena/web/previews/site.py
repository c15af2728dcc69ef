"""The preview of every page that has none of its own."""

from arena.web.previews.sheet import FAN_CARDS, MARGIN, SOFT, fan, sheet, text


def site() -> str:
    """Draw what stands for the site."""
    body = [
        fan(),
        text(MARGIN, 330, "Bots play hanafuda here", 72, weight="700"),
        text(MARGIN, 400, "Leagues of five Japanese flower-card games, live and card by card", 32, SOFT),
    ]
    return sheet("".join(body), FAN_CARDS)
