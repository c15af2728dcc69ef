"""A league's preview: the head of its first table."""

from collections.abc import Sequence

from arena.league.estimates import rating_text
from arena.web.language import ENGLISH, JAPANESE, Language
from arena.web.previews.sheet import ACROSS, DEEP, FAN_CARDS, GLOW, HIGH, INK, MARGIN, SOFT, fan, sheet, text
from arena.web.site.documents import LeagueDocument, TableDocument
from core_ext import variant_info

_ROWS = 6
_ROW, _TOP = 54, 250
_RATED_AT, _POINTS_AT = ACROSS - MARGIN, ACROSS - 330


def league(document: LeagueDocument, tables: Sequence[TableDocument], language: Language = ENGLISH) -> str:
    """Draw the head of a league's first table."""
    title = text(MARGIN, 100, document.name, 60, room=560, weight="700")
    body = [title, fan()]
    if not tables or not tables[0].rows:
        body.append(text(MARGIN, 160, language.text(document.state), 30, SOFT))
        return sheet("".join(body), FAN_CARDS, language)
    table = tables[0]
    name = variant_info(table.variant).name if language is JAPANESE else table.variant
    body.append(text(MARGIN, 160, f"{name}{language.text(', ')}{language.text(document.state)}", 30, SOFT, room=560))
    # Nothing is told that changes with each match: then each would be a picture more to draw.
    rounds = language.ngettext("After %(num)s round", "After %(num)s rounds", table.rounds)
    body.append(text(MARGIN, 202, rounds, 26, SOFT, room=560))
    shown = table.rows[:_ROWS]
    points_at = _POINTS_AT if table.rated else _RATED_AT
    body.append(text(points_at, _TOP - 16, language.gettext("match points"), 22, SOFT, anchor="end"))
    if table.rated:
        body.append(text(_RATED_AT, _TOP - 16, language.gettext("rating"), 22, SOFT, anchor="end"))
    for place, row in enumerate(shown):
        y = _TOP + _ROW * place
        if place % 2 == 0:
            across = ACROSS - 2 * (MARGIN - 20)
            body.append(f'<rect x="{MARGIN - 20}" y="{y}" width="{across}" height="{_ROW}" fill="{DEEP}"/>')
        line = y + 38
        color, weight = (GLOW, "700") if row.rank == 1 else (INK, "400")
        body.append(text(MARGIN + 44, line, str(row.rank), 34, SOFT, anchor="end"))
        body.append(text(MARGIN + 70, line, row.bot, 34, color, room=640, weight=weight))
        body.append(text(points_at, line, f"{row.match_points:g}", 34, anchor="end"))
        if table.rated and row.rating is not None and row.rating.is_known:
            body.append(text(_RATED_AT, line, rating_text(row.rating, language.text), 34, anchor="end"))
    if len(table.rows) > _ROWS:
        body.append(
            text(MARGIN, HIGH - 28, language.gettext("and %(number)s more", number=len(table.rows) - _ROWS), 26, SOFT)
        )
    return sheet("".join(body), FAN_CARDS, language)
