"""The preview of every page that has none of its own."""

from arena.web.language import ENGLISH, Language
from arena.web.previews.sheet import FAN_CARDS, MARGIN, SOFT, fan, sheet, text


def site(language: Language = ENGLISH) -> str:
    """Draw what stands for the site."""
    body = [
        fan(),
        text(MARGIN, 330, language.gettext("Bots play hanafuda here"), 72, weight="700"),
        text(
            MARGIN,
            400,
            language.gettext("Leagues of five Japanese flower-card games, live and card by card"),
            32,
            SOFT,
        ),
    ]
    return sheet("".join(body), FAN_CARDS, language)
