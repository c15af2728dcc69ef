"""Tables and paragraphs as HTML that needs no style sheet."""

from collections.abc import Sequence
from html import escape

_CELL = "padding:.15em .6em;text-align:left;white-space:nowrap"
_NUMBER = "padding:.15em .6em;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"


def grid(headings: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> str:
    """Return a table; its columns but for the first `names` are numbers where there are headings."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        return "".join(
            f'<{tag} style="{_NUMBER if headings and place >= names else _CELL}">{escape(text)}</{tag}>'
            for place, text in enumerate(texts)
        )

    head = f"<thead><tr>{cells('th', headings)}</tr></thead>" if headings else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<table style="border-collapse:collapse">{head}<tbody>{body}</tbody></table>'


def paragraph(text: str) -> str:
    """Return a paragraph, with the text's lines."""
    return f"<p>{'<br>'.join(map(escape, text.splitlines()))}</p>"
