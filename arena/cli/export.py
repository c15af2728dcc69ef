"""`arena export …`"""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.match_filters import MatchFilters, names_checked
from arena.cli.targets import Arena
from arena.cli.values import LeagueName, check_file

if TYPE_CHECKING:
    from arena.export import Exported, Writer
    from arena.export.sources import MatchSource
    from arena.remote.client import Client

app = typer.Typer(name="export", help="Write matches, decisions or deals to a file of data.", no_args_is_help=True)

NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to be written, in place of one that is there.")]
NewFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder to be made.")]
Replays = Annotated[
    list[Path] | None,
    typer.Argument(metavar="REPLAY", help="Files of replays, or folders of them, instead of the arena's."),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="parquet, csv or jsonl; by default what FILE ends in."),
]


@command(app, "arena export matches matches.csv --league spring")
def matches(file: NewFile, arena: Arena, chosen: MatchFilters, replays: Replays = None, format_: Format = None) -> None:
    """Write a row a match: its bots, results and end."""
    _export("matches", file, replays or [], arena, chosen, format_)


@command(app, "arena export decisions decisions.jsonl --league spring --won greedy")
def decisions(
    file: NewFile, arena: Arena, chosen: MatchFilters, replays: Replays = None, format_: Format = None
) -> None:
    """Write a row a decision: what its seat saw, might do and did."""
    _export("decisions", file, replays or [], arena, chosen, format_)


@command(app, "arena export deals deals.csv --variant koikoi")
def deals(file: NewFile, arena: Arena, chosen: MatchFilters, replays: Replays = None, format_: Format = None) -> None:
    """Write a row a deal: the cards dealt, who won it and how."""
    _export("deals", file, replays or [], arena, chosen, format_)


@command(app, "arena export tensors tensors --variant koikoi --won greedy")
def tensors(
    target: Annotated[Path, typer.Argument(metavar="DIR|FILE", help="The folder to be made, or the file of Parquet.")],
    arena: Arena,
    chosen: MatchFilters,
    replays: Replays = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", help="numpy or parquet; by default parquet where the name ends in it."
        ),
    ] = None,
) -> None:
    """Write decisions as tensors to learn from.

    They are those of arena.envs, of matches of one variant with one number of seats: a folder with files of NumPy, or a
    file of Parquet.
    """
    from arena.cli.exporting import from_sources, read
    from arena.export import check_name
    from arena.export.published import new_folder
    from arena.export.tensor_shape import Shape
    from arena.export.tensors import MixedMatchesError, shape_of, write_parquet, write_tensors
    from arena.league.plurals import pluralize

    wanted = chosen.filter()
    with names_checked():
        check_name("format", format_, ("numpy", "parquet"))
    is_parquet = (format_ or target.suffix.lower()) in ("parquet", ".parquet")
    if is_parquet:
        _check_file(target)
        _writer_of("parquet")
    else:
        _check_new(target)

    async def write(sources: "list[MatchSource]") -> Shape:
        look = partial(read, sources, wanted)
        try:
            shape = await shape_of(look)
            if not shape.variant:
                raise WrongUseError("there is no such match, and so no tensor")
            if is_parquet:
                await write_parquet(target, shape, look)
            else:
                with new_folder(target) as part:
                    await write_tensors(part, shape, look)
        except MixedMatchesError as error:
            raise WrongUseError(str(error)) from error
        return shape

    shape = from_sources(arena, replays or [], write)
    typer.echo(f"{pluralize(shape.decisions, 'decision', 'decisions')} of {shape.variant} in {target}")


@command(app, "arena export league spring spring-data")
def league(
    name: LeagueName,
    folder: NewFolder,
    arena: Arena,
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="parquet, csv or jsonl.")] = "parquet",
) -> None:
    """Write all data of a finished league, as it can be published.

    Matches, decisions and deals, the league's tables, a README, the schema, and SHA-256 checksums.
    """
    from arena.cli.exporting import from_sources, read
    from arena.export import MatchFilter
    from arena.export.published import new_folder, publish
    from arena.league.plurals import pluralize

    writer_of = _writer_of(format_)
    _check_new(folder)
    document = arena.read(partial(_finished, name))

    async def write(sources: "list[MatchSource]") -> dict[str, int]:
        with new_folder(folder) as part:
            return await publish(part, document, format_, writer_of, partial(read, sources, MatchFilter(league=name)))

    rows = from_sources(arena, [], write)
    typer.echo(f"{pluralize(rows['matches'], 'match', 'matches')} of league {name} in {folder}")


async def _finished(name: str, client: "Client") -> dict[str, Any]:
    """A finished league with its tables, as plain values. Raises WrongUseError, RemoteError, StoreError."""
    import msgspec

    from arena.cli.infos import league_of, state_of, table_of, tables_document, variants_of

    league = await league_of(client, name)
    if (state := state_of(league.status)) != "finished":
        raise WrongUseError(f"league {name} is {state}: its data can be published when it is finished")
    document = tables_document(league, await table_of(client, name), variants_of(league))
    plain: dict[str, Any] = msgspec.to_builtins(document)
    return plain


def _export(
    table: str, file: Path, replays: list[Path], arena: Arena, chosen: MatchFilters, format_: str | None
) -> None:
    """Write the table's rows of every match that is chosen, and say how many.

    Raises WrongUseError, OSError, ReplayError, StoreError, RemoteError; the target is as it was then.
    """
    from arena.cli.exporting import from_sources, read
    from arena.export import TABLES, replacing
    from arena.league.plurals import pluralize

    wanted, writer_of = chosen.filter(), _writer_of(_format_of(file, format_))
    _check_file(file)

    async def write(sources: "list[MatchSource]") -> "Exported":
        with replacing(file) as part, closing(writer_of(part, TABLES[table])) as writer:
            return await read(sources, wanted, writer.add)

    exported = from_sources(arena, replays, write)
    rows = pluralize(exported.rows, TABLES[table].row, table)
    typer.echo(f"{rows} of {pluralize(exported.matches, 'match', 'matches')} in {file}")


def _format_of(file: Path, named: str | None) -> str:
    """The name of the file's format; WrongUseError where neither a name nor its ending says it."""
    from arena.export import FORMATS

    if named is None and (ending := file.suffix[1:].lower()) in FORMATS:
        return ending
    if named is None:
        raise WrongUseError(f"the name of {file} ends in no format: give --format {', '.join(FORMATS)}")
    return named


def _writer_of(format_: str) -> "type[Writer]":
    """What writes a format. WrongUseError for one that there is not, or of which a part is not installed."""
    from arena.export import FORMATS, MissingPartError, check_name

    with names_checked():
        check_name("format", format_, FORMATS)
    try:
        return FORMATS[format_]()
    except MissingPartError as error:
        raise WrongUseError(str(error)) from error


def _check_file(file: Path) -> None:
    """Check that a file can be written. WrongUseError."""
    check_file(file, "a file to be written")
    if not file.parent.is_dir():
        raise WrongUseError(f"there is no folder {file.parent}")


def _check_new(folder: Path) -> None:
    """Check that a folder can be made. WrongUseError."""
    if folder.exists() or folder.is_symlink():
        raise WrongUseError(f"{folder} is there already: name a folder that is not")
    if not folder.parent.is_dir():
        raise WrongUseError(f"there is no folder {folder.parent}")
