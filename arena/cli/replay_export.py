"""`arena replay export`"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.values import LanguageCode

if TYPE_CHECKING:
    from arena.replays import ReplayRecord
    from arena.web.language import Language

Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="A page that plays the match by itself.")]
Svg = Annotated[int | None, typer.Option("--svg", metavar="MOVE", help="The table after so many moves, as a picture.")]
Gif = Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="The match as a moving picture.")]
Month = Annotated[int | None, typer.Option("--month", metavar="MONTH", min=1, help="Only this month, for --gif.")]
Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Where the picture goes; by default it is printed.")]
Seat = Annotated[int, typer.Option(metavar="SEAT", min=0, help="From whose side the table is seen.")]


def write(
    record: "ReplayRecord",
    html: Path | None,
    gif: Path | None,
    month: int | None,
    svg: int | None,
    output: Path | None,
    seat: int,
    code: LanguageCode,
) -> None:
    """Write what is asked for of a match. Raises WrongUseError, OSError, ReplayError."""
    from arena.web.language import LANGUAGES
    from arena.web.viewer.alone import page, table_at

    [language] = [known_language for known_language in LANGUAGES if known_language.code == code]
    if html is None and gif is None and svg is None:
        raise WrongUseError("say what to make of it: --html FILE, --gif FILE, or --svg MOVE")
    if gif is None and month is not None:
        raise WrongUseError("--month is for --gif FILE")
    if seat >= len(record.names):
        raise WrongUseError(f"--seat {seat}: the match has the seats 0 to {len(record.names) - 1}")
    if svg is not None and output is None and sys.stdout.isatty():
        raise WrongUseError("a picture is not for a terminal: name its file with --output FILE")
    if html is not None:
        html.write_text(page(record, seat, language), encoding="utf-8")
        typer.echo(f"{html} plays the match, without a network", err=svg is not None and output is None)
    if gif is not None:
        _animate(record, gif, month, seat, language)
        typer.echo(f"{gif} shows the match", err=svg is not None and output is None)
    if svg is not None:
        try:
            drawn = table_at(record, svg, seat, language)
        except IndexError as error:
            raise WrongUseError(f"--svg: {error}") from error
        if output is None:
            typer.echo(drawn)
        else:
            output.write_text(drawn, encoding="utf-8")
            typer.echo(f"{output} shows the table after move {svg}")


def _animate(record: "ReplayRecord", file: Path, month: int | None, seat: int, language: "Language") -> None:
    """Write the moving picture. Raises WrongUseError, OSError, ReplayError."""
    try:
        from arena.web.viewer import animation
    except ModuleNotFoundError as error:
        raise WrongUseError(f"{error.name} is not installed: pip install 'hanafuda-arena[gif]'") from error
    if not animation.has_fonts():
        typer.echo("note: there is no font on this machine, so that names are not written", err=True)
    typer.echo("drawing every move ...", err=True)
    try:
        data = animation.gif(record, seat, month, language)
    except IndexError as error:
        raise WrongUseError(f"--month {month}: {error}") from error
    file.write_bytes(data)
