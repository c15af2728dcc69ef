"""Reading a league file, and saying where in it something is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions

if TYPE_CHECKING:
    from arena.launcher.sources import Source
    from arena.league.spec import LeagueSpec
    from arena.organizer.changes import Change
    from arena.store import EntryRecord, League, Store


@dataclass(frozen=True)
class LeagueFile:
    """A league file that can be played, and the bots of its entries."""

    path: Path
    text: str
    spec: "LeagueSpec"
    sources: "dict[str, Source]"

    async def entrants(self, store: "Store") -> "list[EntryRecord]":
        """Its entries as the store keeps them; LeagueFileError for a bot that is not registered there."""
        from arena.organizer.entries import entrants_of

        with faults(self.path, self.text):
            return await entrants_of(store, self.spec, self.sources)

    async def create(self, store: "Store") -> "League":
        """Make the league with its entries, or find it as it was made; LeagueFileError, LeagueChangedError."""
        from arena.organizer import steps as league
        from arena.organizer.entries import check_variants
        from arena.store.errors import UnknownLeagueError

        try:
            await store.leagues.get(self.spec.name)
            entrants = []  # it has its own, with the versions that were active when they entered
        except UnknownLeagueError:
            entrants = await self.entrants(store)
            with faults(self.path, self.text):
                await check_variants(store, entrants)
        return await league.create(store, self.spec, entrants)

    async def change(self, store: "Store") -> "Change":
        """Put the file in place of that of an open league; LeagueFileError, LeagueChangedError."""
        from arena.organizer.changes import change
        from arena.organizer.entries import check_variants

        entrants = await self.entrants(store)
        with faults(self.path, self.text):
            await check_variants(store, entrants)
            return await change(store, self.spec, entrants)


def read_file(path: Path, place: StoreOptions, *, takes_entries: bool = False, scheduled: bool = False) -> LeagueFile:
    """The file, checked; WrongUseError when it cannot be read, LeagueFileError.

    With `takes_entries` it may have fewer entries than a table needs. It has a schedule if it is to be `scheduled`, and
    only then.
    """
    from arena.league.reader import fault, parse_league
    from arena.organizer.entries import check

    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise WrongUseError(f"league file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise WrongUseError(f"{path}:{line}: this is no UTF-8 text, and so no league file") from error
    spec = parse_league(text, str(path), takes_entries=takes_entries)
    if scheduled and spec.schedule is None:
        raise WrongUseError(f"league file {path} has no [schedule]: `arena league open` or `run` is for it")
    if spec.schedule is not None and not scheduled:
        raise fault(text, str(path), ("schedule",), "a league with a schedule is for `arena league schedule`")
    with faults(path, text):
        return LeagueFile(path, text, spec, check(spec, path.resolve().parent, has_store=place.exists))


@contextmanager
def faults(path: Path, text: str) -> Iterator[None]:
    """Turns what cannot be played into an error with its line and key."""
    from arena.league.reader import fault
    from arena.organizer.errors import UnplayableError

    try:
        yield
    except UnplayableError as error:
        raise fault(text, str(path), error.path, str(error)) from error
