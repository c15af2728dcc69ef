"""All cards side by side at three sizes, for the eye: `python -m arena.web.cards.sheet FILE.svg`."""

import sys
from pathlib import Path

from arena.web.cards.drawings import FACES, HEIGHT, WIDTH
from arena.web.cards.sprite import symbols

_SIZES = (160, 80, 40)
_GAP = 6
_SHEET_WIDTH = 8 * (_SIZES[0] + _GAP) + _GAP


def contact_sheet() -> str:
    """Return an SVG of every card, the backs, and one card with its mark, at each size."""
    names = [*FACES, "back", "back-red"]
    placed: list[str] = []
    y = float(_GAP)
    for width in _SIZES:
        height = width * HEIGHT / WIDTH
        columns = (_SHEET_WIDTH - _GAP) // (width + _GAP)
        for index, name in enumerate([*names, "8L"]):
            row, column = divmod(index, columns)
            shown = [name, "mark-8L"] if index == len(names) else [name]
            placed += [
                f'<use href="#{symbol}" x="{_GAP + column * (width + _GAP)}" y="{y + row * (height + _GAP):g}" '
                f'width="{width}" height="{height:g}"/>'
                for symbol in shown
            ]
        y += (len(names) // columns + 1) * (height + _GAP) + 2 * _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SHEET_WIDTH}" height="{y:g}" viewBox="0 0 {_SHEET_WIDTH} {y:g}">'
        f'{symbols([*names, "mark-8L"])}<rect width="100%" height="100%" fill="#2f5245"/>{"".join(placed)}</svg>'
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(contact_sheet())
