"""What the commands share that read many matches: where these come from, and how far the reading is."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from arena.cli.failures import WrongUseError
from arena.cli.match_filters import names_checked
from arena.cli.targets import Arena

if TYPE_CHECKING:
    from arena.export import Exported, MatchFilter, PlayedMatch
    from arena.export.sources import MatchSource

T = TypeVar("T")


def from_sources(arena: Arena, replays: Sequence[Path], work: "Callable[[list[MatchSource]], Awaitable[T]]") -> T:
    """Do work on the matches of these files and folders or, where none are named, on those of the arena.

    Without a server these include the files of `arena match play`. Raises WrongUseError where there is nothing, and
    what the work raises.
    """
    from arena.cli.aio import run
    from arena.export.sources import FileSource, StoreSource, files_in

    if replays:
        return run(_awaited(work([FileSource(files_in(replays, strict=True))])))
    if arena.server is not None:
        from arena.export.remote import RemoteSource

        return arena.server.do(lambda client: work([RemoteSource(client)]))
    files = FileSource(files_in([arena.store.data / "replays"], strict=False))
    if arena.store.exists:
        return arena.store.read(lambda store: work([StoreSource(store), files]))
    if not files.is_empty:
        return run(_awaited(work([files])))
    raise WrongUseError(f"{arena.store.missing}; --data names another folder, --server an arena elsewhere")


async def _awaited(work: Awaitable[T]) -> T:
    return await work


async def read(
    sources: "Sequence[MatchSource]", wanted: "MatchFilter", add: "Callable[[PlayedMatch], int]"
) -> "Exported":
    """Add every match that the filter admits, with a progress bar on a terminal; say how many were left out.

    Raises WrongUseError for a name that nothing has, and what the sources and `add` raise.
    """
    from arena.export import export
    from arena.league.plurals import pluralize

    counts = [await source.count(wanted) for source in sources]
    total = None if None in counts else sum(count or 0 for count in counts)
    with names_checked(), progress(total) as advance:
        exported = await export(sources, wanted, add, advance)
    if exported.closed:
        left_out = f"{pluralize(exported.closed, 'match', 'matches')} left out, as the boards are still being played"
        typer.echo(left_out, err=True)
    return exported


@contextmanager
def progress(total: int | None) -> Iterator[Callable[[], None]]:
    """Show on a terminal how many of the matches were read; what is given counts one more."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield partial(shown.advance, shown.add_task("", total=total))
