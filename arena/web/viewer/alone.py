"""A match as one piece of HTML that needs no server and no network: the table at every move, with a slider."""

import json
import re
import secrets
from collections.abc import Iterator
from html import escape
from typing import Any

from arena.replays import ReplayRecord
from arena.web.cards import symbols
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.viewer.document import document
from arena.web.viewer.picture import picture, room_of
from arena.web.viewer.scene import Document, last_step, scene
from core_ext import variant_info

_GROUND = '<rect width="100%"'
"""With this, behind the cards that it uses, a picture begins to be drawn."""
_USED = re.compile(r'<use href="#([^"]+)"')
_EVERY_MS = 900
_ACROSS = 560
"""A table that a phone has room for, and that a larger page can enlarge."""
# Drawn, because many fonts lack the signs.
_PLAY, _PAUSE = "M2 1l9 5-9 5z", "M2 1h3v10h-3zM7 1h3v10h-3z"
_SIGN = (
    f'<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path fill="currentColor" d="{_PLAY}"/></svg>'
)
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>body {{ margin: 1rem auto; max-width: 44rem; padding: 0 .6rem; font-family: sans-serif; color: #231c19;
background: #fffdf8; accent-color: #a92a1d }} h1 {{ font-size: 1.2rem; overflow-wrap: anywhere }}
[data-move] svg {{ width: 100%; height: auto; border-radius: 6px }}
@media (prefers-color-scheme: dark) {{ body {{ color: #f3eadf; background: #191512; accent-color: #f0735f }} }}
</style></head>
<body><h1>{title}</h1>
{fragment}
</body></html>
"""
# The last table is shown where no script runs, as in a notebook that is not trusted.
_FRAGMENT = """<div id="{id}" style="max-width:{wide}">
<svg width="0" height="0" style="position:absolute" aria-hidden="true">{cards}</svg>
{tables}
<div style="display:flex;gap:.6em;align-items:center;margin:.4em 0">
<button type="button" aria-label="{play}">{sign}</button>
<input type="range" min="0" max="{last}" value="{last}" style="flex:1" aria-label="{move}">
<output style="min-width:5em">{last} / {last}</output></div>
<div style="min-height:6em">
{said}
</div>
<p><b>{score}</b></p></div>
<script>(() => {{
  const box = document.getElementById({id_text}), moves = box.querySelectorAll("[data-move],[data-said]");
  const range = box.querySelector("input"), output = box.querySelector("output");
  const button = box.querySelector("button");
  let timer = 0;
  const show = () => {{
    moves.forEach((one) => {{ one.hidden = (one.dataset.move ?? one.dataset.said) !== range.value; }});
    output.textContent = `${{range.value}} / ${{range.max}}`;
  }};
  const sign = (path, word) => {{
    button.querySelector("path").setAttribute("d", path);
    button.setAttribute("aria-label", word);
  }};
  const stop = () => {{ clearInterval(timer); timer = 0; sign(...{play_text}); }};
  const go = () => {{
    if (timer) return stop();
    if (range.value === range.max) range.value = 0;
    sign(...{pause_text});
    timer = setInterval(() => {{
      range.value = Number(range.value) + 1;
      show();
      if (range.value === range.max) stop();
    }}, {every});
  }};
  range.addEventListener("input", show);
  button.addEventListener("click", go);
  {start}
}})();</script>"""


def table_at(record: ReplayRecord, move: int | None = None, viewer: int = 0, language: Language = ENGLISH) -> str:
    """Draw the table after so many moves, by default the last, from a seat's side, as an SVG file.

    Raises IndexError where the match has no such move, and ReplayError where it cannot be played again.
    """
    doc = document(record, language=language)
    last = last_step(doc)
    shown_move = last if move is None else move
    if not 0 <= shown_move <= last:
        raise IndexError(f"the match has the moves 0 to {last}, not {shown_move}")
    return picture(doc, scene(doc, shown_move, viewer), language=language)


def fragment(record: ReplayRecord, viewer: int = 0, *, plays: bool = False, language: Language = ENGLISH) -> str:
    """Return the match as HTML to stand in a page or a notebook; it begins to play by itself with `plays`.

    What the pictures share stands once. Raises ReplayError where the match cannot be played again.
    """
    doc = document(record, language=language)
    last = last_step(doc)
    used: dict[str, None] = {}
    tables, sentences = [], []
    scenes = [scene(doc, move, viewer) for move in range(last + 1)]
    room = room_of(doc, scenes, _ACROSS)
    for move, step_scene in enumerate(scenes):
        start, ground, drawn = picture(doc, step_scene, room, language, _ACROSS).partition(_GROUND)
        used.update(dict.fromkeys(_USED.findall(drawn)))
        hidden = "" if move == last else " hidden"
        tables.append(f'<div data-move="{move}"{hidden}>{start[: start.index(">") + 1]}{ground}{drawn}</div>')
        sentences.append(f'<div data-said="{move}"{hidden}>{"<br>".join(_sentences(doc, step_scene))}</div>')
    score = ", ".join(f"{name} {points}" for name, points in zip(record.names, record.results, strict=True))
    how = "" if record.offender < 0 else f" {doc['end']}"
    play = language.pgettext("script", "Play")
    identity = f"match-{secrets.token_hex(4)}"
    return _FRAGMENT.format(
        id=identity,
        wide="44rem" if plays else "35rem",
        id_text=json.dumps(identity),
        cards=symbols(list(used)),
        tables="\n".join(tables),
        said="\n".join(sentences),
        last=last,
        every=_EVERY_MS,
        score=escape(
            f"{_game(record, language)}{language.text(': ')}{score}{language.pgettext('sentence end', '.')}{how}"
        ),
        move=language.gettext("Move"),
        sign=_SIGN,
        play=play,
        play_text=json.dumps([_PLAY, play]),
        pause_text=json.dumps([_PAUSE, language.pgettext("script", "Pause")]),
        start="range.value = 0; show(); go();" if plays else "",
    )


def _sentences(doc: Document, scene: dict[str, Any]) -> Iterator[str]:
    """Yield what happened since the move before, a sentence a line."""
    for seat, parts in scene["lines"]:
        who = f"<b>{escape(doc['names'][seat])}</b> " if seat >= 0 else ""
        yield who + "".join(escape(_part(doc, part)) for part in parts)


def _part(doc: Document, part: str | dict[str, Any]) -> str:
    if isinstance(part, str):
        return part
    return str(part["name"]) if "name" in part else " ".join(doc["cards"][card] for card in part["cards"])


def page(record: ReplayRecord, viewer: int = 0, language: Language = ENGLISH) -> str:
    """Return the match as a file of HTML that plays by itself. Raises ReplayError where it cannot be played again."""
    title = escape(f"{' – '.join(record.names)}{language.text(', ')}{_game(record, language)}")
    made = fragment(record, viewer, plays=True, language=language)
    return _PAGE.format(title=title, fragment=made, language=language.code)


def _game(record: ReplayRecord, language: Language) -> str:
    return variant_info(record.variant).name if language is JAPANESE else record.variant
