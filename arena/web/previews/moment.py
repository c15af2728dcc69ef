"""The preview of a moment of a match: its table, and who plays."""

import re
from typing import Any

from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.previews.sheet import ACROSS, GLOW, HIGH, INK, SOFT, sheet, text
from arena.web.viewer.picture import FONTS, JAPANESE_FONTS, drawing_of
from arena.web.viewer.scene import Document

_EDGE = 20
_WIDEST = 800
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def moment(document: Document, scene: dict[str, Any], language: Language = ENGLISH) -> str:
    """Draw the table of a step, and beside it who plays and how it ended."""
    drawing = drawing_of(document, scene, language=language)
    table = drawing.svg(JAPANESE_FONTS if language is JAPANESE else FONTS)
    size = _SIZE.search(table)
    assert size is not None  # every drawing says its size
    wide, high = float(size[1]), float(size[2])
    scale = min((HIGH - 2 * _EDGE) / high, _WIDEST / wide)
    placed = table.replace("<svg ", f'<svg x="{_EDGE}" y="{(HIGH - high * scale) / 2:g}" ', 1).replace(
        size[0], f'width="{wide * scale:g}" height="{high * scale:g}"', 1
    )
    text_x = _EDGE + wide * scale + 36
    room = ACROSS - text_x - _EDGE
    month = language.gettext("month %(month)s", month=scene["deal"]["month"])
    variant = [] if language is JAPANESE else [document["variant"]]
    body = [
        placed,
        text(text_x, 90, document["title"], 52, room=room, weight="700"),
        text(text_x, 132, " · ".join([*variant, month]), 28, SOFT, room=room),
    ]
    order = sorted(range(len(document["names"])), key=lambda seat: (document["placing"][seat], seat))
    for place, seat in enumerate(order):
        y = 208 + 84 * place
        color = GLOW if document["placing"][seat] == 1 else INK
        body.append(text(text_x, y, document["names"][seat], 34, color, room=room, weight="700"))
        body.append(text(text_x, y + 36, f"{document['results'][seat]:d}", 28, SOFT))
    return sheet("".join(body), language=language)
