"""The cards as SVG: 48 faces, two backs, and corner marks for learners."""

from arena.web.cards.sprite import SYMBOLS, card_svg, deck, deck_css, symbols

__all__ = ["SYMBOLS", "card_svg", "deck", "deck_css", "symbols"]
