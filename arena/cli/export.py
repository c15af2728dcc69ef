"""`arena export …`"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions
from arena.cli.values import check_file

if TYPE_CHECKING:
    from arena.export import MatchFilter
    from arena.store import Store

app = typer.Typer(name="export", help="Write matches, decisions or deals to a file of data.", no_args_is_help=True)

_MOST_NAMES = 20
"""Names that an error lists."""

NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to be written, in place of one that is there.")]
Replays = Annotated[
    list[Path] | None,
    typer.Argument(metavar="REPLAY", help="Files of replays, or folders of them, instead of the arena's."),
]


class Selection(NamedTuple):
    """What is written, and how."""

    format: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="parquet, csv or jsonl; by default what the file's name ends in."),
    ] = None
    league: Annotated[str | None, typer.Option(metavar="NAME", help="Only matches of this league.")] = None
    bot: Annotated[str | None, typer.Option(metavar="NAME", help="Only matches with this bot.")] = None
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Only matches of a version that begins like this.")
    ] = None
    variant: Annotated[str | None, typer.Option(metavar="VARIANT", help="Only matches of this game.")] = None
    won: Annotated[str | None, typer.Option(metavar="NAME", help="Only matches that this bot won.")] = None
    lost: Annotated[str | None, typer.Option(metavar="NAME", help="Only matches that this bot lost.")] = None
    forfeited: Annotated[str | None, typer.Option(metavar="NAME", help="Only matches that this bot forfeited.")] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="TIME", help="Only matches of leagues made from then on; UTC, 2026-05-31[T18:00]."
        ),
    ] = None
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Only matches of leagues made before then.")
    ] = None

    def filter(self) -> "MatchFilter":
        """The filter; WrongUseError."""
        from arena.export import MatchFilter
        from core_ext import VARIANTS

        if self.variant not in (None, *VARIANTS):
            _refuse("--variant", self.variant, VARIANTS)
        return MatchFilter(
            league=self.league,
            bot=self.bot,
            version=self.version,
            variant=self.variant,
            won=self.won,
            lost=self.lost,
            forfeited=self.forfeited,
            since=_time("--from", self.since),
            until=_time("--to", self.until),
        )

    def format_of(self, file: Path) -> str:
        """The name of the file's format; WrongUseError."""
        from arena.export import FORMATS

        if self.format is None and (ending := file.suffix[1:].lower()) in FORMATS:
            return ending
        if self.format is None:
            raise WrongUseError(f"the name of {file} ends in no format: give --format {', '.join(FORMATS)}")
        if self.format not in FORMATS:
            _refuse("--format", self.format, FORMATS)
        return self.format


@command(app, "arena export matches matches.csv --league spring")
def matches(file: NewFile, place: StoreOptions, selection: Selection, replays: Replays = None) -> None:
    """Write a row a match: its bots, results and end."""
    _export("matches", file, replays or [], place, selection)


@command(app, "arena export decisions decisions.jsonl --league spring --won greedy")
def decisions(file: NewFile, place: StoreOptions, selection: Selection, replays: Replays = None) -> None:
    """Write a row a decision: what its seat saw, might do and did."""
    _export("decisions", file, replays or [], place, selection)


@command(app, "arena export deals deals.csv --variant koikoi")
def deals(file: NewFile, place: StoreOptions, selection: Selection, replays: Replays = None) -> None:
    """Write a row a deal: the cards dealt, who won it and how."""
    _export("deals", file, replays or [], place, selection)


def _export(table: str, file: Path, replays: list[Path], place: StoreOptions, selection: Selection) -> None:
    """Write the table's rows of every match that the selection admits, and say how many.

    Raises WrongUseError, OSError, ReplayError, StoreError; the target is as it was then.
    """
    from arena.cli.aio import run
    from arena.export import FORMATS, TABLES, MissingPartError, replacing
    from arena.export.sources import FileSource, MatchSource, StoreSource, files_in
    from arena.league.plurals import pluralize

    wanted, format_ = selection.filter(), selection.format_of(file)
    check_file(file, "a file to be written")
    if not file.parent.is_dir():
        raise WrongUseError(f"there is no folder {file.parent}")
    try:
        writer_of = FORMATS[format_]()
    except MissingPartError as error:
        raise WrongUseError(str(error)) from error
    paths = files_in(replays or [place.data / "replays"], strict=bool(replays))
    if not replays and not place.exists and not paths:
        raise WrongUseError(f"{place.missing}; --data names another folder")

    async def write(sources: list[MatchSource]) -> None:
        known = [await source.known() for source in sources]
        _check_names("--league", (wanted.league,), {name for one in known for name in one.leagues})
        _check_names("--bot, --won, --lost, --forfeited", wanted.bots, {name for one in known for name in one.bots})
        described, versions, rows, exported = TABLES[table], set[str](), 0, 0
        with replacing(file) as part, _progress(sum(one.matches for one in known)) as advance:
            writer = writer_of(part, described.columns)
            for source in sources:
                async for match in source.matches():
                    advance()
                    if wanted.version is not None:
                        versions.update(match.version(seat) for seat in range(len(match.record.names)))
                    if wanted.admits(match):
                        exported += 1
                        for row in described.rows(match):
                            writer.write(row)
                            rows += 1
            if wanted.version is not None and not any(version.startswith(wanted.version) for version in versions):
                _refuse("--version", wanted.version, filter(None, versions))
            writer.finish()
        if closed := sum(one.closed for one in known):
            left_out = f"{pluralize(closed, 'match', 'matches')} left out, as the boards are still being played"
            typer.echo(left_out, err=True)
        typer.echo(f"{pluralize(rows, described.row, table)} of {pluralize(exported, 'match', 'matches')} in {file}")

    async def write_all(store: "Store | None") -> None:
        stored: list[MatchSource] = [] if store is None else [StoreSource(store)]
        await write([*stored, FileSource(paths)])

    if not replays and place.exists:
        place.do(write_all)
    else:
        run(write_all(None))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Show on a terminal how many of the matches were read; what is given counts one more."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield partial(shown.advance, shown.add_task("", total=total))


def _time(option: str, text: str | None) -> float | None:
    """Seconds since 1970; a time without a zone is UTC. WrongUseError."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise WrongUseError(f"{option} takes a day or a time such as 2026-05-31T18:00, not {text!r}") from error


def _check_names(option: str, names: Iterable[str | None], known: Iterable[str]) -> None:
    for name in names:
        if name is not None and name not in known:
            _refuse(option, name, known)


def _refuse(option: str, value: str | None, known: Iterable[str]) -> NoReturn:
    """Raises WrongUseError, which says what there is."""
    names = sorted(known)
    shown = ", ".join(names[:_MOST_NAMES]) or "none"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    raise WrongUseError(f"{option}: there is no {value!r}; there is: {shown}{more}")
