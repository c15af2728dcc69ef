"""A match as one moving picture: a GIF of the tables after each move."""

import io
from collections.abc import Iterator
from functools import cache

import resvg_py
from PIL import Image

from arena.replays import ReplayRecord
from arena.web.cards import symbols
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.viewer.document import document
from arena.web.viewer.picture import CARD, FONTS, JAPANESE_FONTS, TALL, Drawing, drawing_of, room_of
from arena.web.viewer.scene import scene

_MOVE_MS, _SETTLED_MS = 900, 3_000
_SAMPLES = 12
"""The tables from which the colours are chosen, which all tables share."""
_COLORS = 255


def gif(record: ReplayRecord, viewer: int = 0, month: int | None = None, language: Language = ENGLISH) -> bytes:
    """Draw a match, or one month of it, from a seat's side, over and over; where a month is settled it waits longer.

    Raises IndexError where the match has no such month, and ReplayError where it cannot be played again.
    """
    doc = document(record, language=language)
    deals = {number for number, deal in enumerate(doc["deals"]) if month in (None, deal["month"])}
    moves = [number for number, step in enumerate(doc["steps"]) if step["deal"] in deals]
    if not moves:
        raise IndexError(f"the match has the months {doc['deals'][0]['month']} to {doc['deals'][-1]['month']}")
    scenes = [scene(doc, move, viewer) for move in moves]
    room = room_of(doc, scenes)
    fonts = JAPANESE_FONTS if language is JAPANESE else FONTS
    tables = [_table(drawing_of(doc, step_scene, room, language), fonts) for step_scene in scenes]
    colors = _colors(tables)
    frames: Iterator[Image.Image] = (table.quantize(palette=colors, dither=Image.Dither.NONE) for table in tables)
    durations = [_MOVE_MS if doc["steps"][move]["decision"] else _SETTLED_MS for move in moves]
    durations[-1] = _SETTLED_MS
    made = io.BytesIO()
    next(frames).save(made, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    return made.getvalue()


def has_fonts() -> bool:
    """Whether names can be written: on a machine without fonts, pictures have the cards alone."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" font-family="{FONTS}">'
    written = _rendered(f'{svg}<text x="2" y="15" font-size="15">A</text></svg>')
    return written.getchannel("A").getextrema() != (0, 0)


def _table(drawing: Drawing, fonts: str) -> Image.Image:
    """A table; its cards are put on what lies below them, as drawing each anew would take ten times as long."""
    table = _rendered(drawing.svg(fonts, cards=False))
    for name, x, y in drawing.cards:
        table.alpha_composite(_card(name), (round(x), round(y)))
    return table.convert("RGB")


@cache
def _card(name: str) -> Image.Image:
    size = f'width="{CARD}" height="{TALL:g}"'
    return _rendered(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{symbols([name])}<use href="#{name}" {size}/></svg>'
    )


def _rendered(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=svg))).convert("RGBA")


def _colors(tables: list[Image.Image]) -> Image.Image:
    chosen = tables[:: max(1, len(tables) // _SAMPLES)]
    wide, high = chosen[0].size
    sheet = Image.new("RGB", (wide, high * len(chosen)))
    for place, table in enumerate(chosen):
        sheet.paste(table, (0, high * place))
    return sheet.quantize(_COLORS, method=Image.Quantize.MEDIANCUT)
