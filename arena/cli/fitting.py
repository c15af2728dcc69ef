"""A table of bots that fits the terminal: columns are left out before names are broken."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table as Grid

MAX_WHOLE_WIDTH = 24
"""Cells of a name that is not broken: a longer one may be."""


class Fitting:
    """A table that is drawn without those of its optional columns, the first first, for which there is no room."""

    def __init__(self, draw: Callable[[Sequence[str]], Grid], optional: Sequence[str], names: Sequence[str]) -> None:
        """Take what draws the table without some columns, given by their headings, and the names in it."""
        self._draw = draw
        self._optional = optional
        self._longest = max(map(cell_len, names), default=0)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it, and say which columns are left out."""
        broken = max(self._longest - MAX_WHOLE_WIDTH, 0)
        left_out: list[str] = []
        for heading in [*self._optional, ""]:
            grid = self._draw(left_out)
            if Measurement.get(console, options.update(width=10_000), grid).maximum - broken <= options.max_width:
                break
            if heading:
                left_out.append(heading)
        yield grid
        if left_out:
            yield f"left out, for want of room: {', '.join(left_out)}"
