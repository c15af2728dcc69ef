"""The drawings of the cards, as `drawings.svg` beside this file has them. A card is 100 wide and 164 high."""

import re
from pathlib import Path

WIDTH, HEIGHT = 100, 164

_DRAWING = re.compile(r'^<(g|symbol) id="([\w-]+)"[^>]*>(.*)</\1>$', re.MULTILINE)
_DRAWINGS = _DRAWING.findall(Path(__file__).with_name("drawings.svg").read_text("utf-8"))

MOTIFS: dict[str, str] = {name: drawing for kind, name, drawing in _DRAWINGS if kind == "g"}
"""What several cards share: plants, figures and ribbons, by the names under which faces use them."""
FACES: dict[str, str] = {name: drawing for kind, name, drawing in _DRAWINGS if kind == "symbol"}
"""The forty-eight faces by the names of their cards: which motifs stand where, without paper and rim."""
