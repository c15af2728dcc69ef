"""Reading a league file, saying where in it something is wrong, and making its league."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from arena.cli.failures import WrongUseError
from arena.cli.targets import StoreOptions
from arena.cli.values import check_file
from arena.launcher.sources import Source
from arena.league.beacon import address, described
from arena.league.plurals import pluralize
from arena.league.reader import fault, parse_league
from arena.league.spec import LeagueSpec, kept_values
from arena.organizer import changes, steps
from arena.organizer.entries import check, check_beacon, check_variants, entrants_of
from arena.organizer.errors import UnplayableError
from arena.organizer.luck import luck_value
from arena.store import EntryRecord, League, Store
from arena.store.errors import LeagueChangedError, UnknownLeagueError


@dataclass(frozen=True)
class LeagueFile:
    """A league file that can be played, and the bots of its entries."""

    path: Path
    text: str
    spec: LeagueSpec
    sources: dict[str, Source]

    async def entrants(self, store: Store) -> list[EntryRecord]:
        """Its entries as the store keeps them; LeagueFileError for a bot that is not registered there."""
        with faults(self.path, self.text):
            return await entrants_of(store, self.spec, self.sources)

    async def create(self, store: Store) -> League:
        """Make the league with its entries, or find it as it was made; LeagueFileError, LeagueChangedError."""
        spec = self.spec
        try:
            stored = await store.leagues.get(spec.name)
            if stored.state != "open":
                spec = kept_values(spec, steps.spec_of(stored))
            entrants = []  # it has its own, with the versions that were active when they entered
        except UnknownLeagueError:
            entrants = await self.entrants(store)
            with faults(self.path, self.text):
                check_beacon(self.spec)
                await check_variants(store, entrants)
        return await steps.create(store, spec, entrants)

    async def change(self, store: Store) -> changes.Change:
        """Put the file in place of that of an open league; LeagueFileError, LeagueChangedError."""
        entrants = await self.entrants(store)
        with faults(self.path, self.text):
            check_beacon(self.spec)
            await check_variants(store, entrants)
            return await changes.change(store, self.spec, entrants)


def read_file(
    path: Path, target: StoreOptions, *, takes_entries: bool = False, scheduled: bool = False, ladder: bool = False
) -> LeagueFile:
    """The file, checked; WrongUseError when it cannot be read, LeagueFileError.

    With `takes_entries` it may have fewer entries than a table needs. It has a schedule if it is to be `scheduled`, and
    is that of a `ladder` if it is to be, and only then.
    """
    kind = "ladder file" if ladder else "league file"
    check_file(path, f"a {kind}")
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise WrongUseError(f"{kind} {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise WrongUseError(f"{path}:{line}: this is no UTF-8 text, and so no {kind}") from error
    spec = parse_league(text, str(path), takes_entries=takes_entries, luck_value=luck_value)
    if scheduled and spec.schedule is None:
        opens, runs = (target.command(f"league {verb} {quote(str(path))}") for verb in ("open", "run"))
        raise WrongUseError(f"league file {path} has no [schedule]: {opens} or {runs} is for it")
    if spec.schedule is not None and not scheduled:
        schedules = target.command(f"league schedule {quote(str(path))}")
        raise fault(text, str(path), ("schedule",), f"a league with a schedule is for {schedules}")
    if ladder and spec.ladder is None:
        opens = target.command(f"league open {quote(str(path))}")
        raise WrongUseError(f"file {path} has no [ladder]: as a league, {opens} is for it")
    if spec.ladder is not None and not ladder:
        opens = target.command(f"ladder open {quote(str(path))}")
        raise fault(text, str(path), ("ladder",), f"a file with a ladder is for {opens}")
    with faults(path, text):
        return LeagueFile(path, text, spec, check(spec, path.resolve().parent, has_store=target.exists))


@dataclass(frozen=True)
class Made:
    """A league that was made from its file, or found as it was made; of an open one, what the file has changed."""

    league: League
    entrants: Sequence[str]
    change: changes.Change | None

    def document(self) -> dict[str, object]:
        """Return it as a document."""
        return {
            "league": self.league.name,
            "state": self.league.state,
            "commitment": self.league.commitment,
            "entrants": self.entrants,
            "changed": self.change is not None,
            "dropped": () if self.change is None else self.change.dropped,
            "withdrawn": () if self.change is None else self.change.withdrawn,
        }

    def lines(self, file: LeagueFile, target: StoreOptions) -> Iterator[str]:
        """Say how it stands, and what to do next."""
        name = self.league.name
        if self.change is not None:
            yield f"League {name} is changed as its file now says; its commitment is the same."
            yield from (f"No longer entered: {dropped}" for dropped in self.change.dropped)
            for withdrawn in self.change.withdrawn:
                back = target.command(f"league enter {name} BOT --as {withdrawn}")
                yield f"{withdrawn} had withdrawn and stays out; {back} brings it back."
        yield commitment_line(self.league)
        yield f"It is {self.league.state}, with {pluralize(len(self.entrants), 'bot')}."
        if self.league.state != "open":
            return
        yield f"Enter another: arena league enter {name} BOT{target.flags}"
        if (named := file.spec.beacon_round) is None:
            yield f"Start it: arena league start {name}{target.flags}"
        else:
            yield f"Its entries close with {described(named)}."
            yield f"Start it then with what {address(named)} gives:"
            yield f"  arena league start {name} --beacon FILE{target.flags}"


async def make_or_change(file: LeagueFile, store: Store) -> Made:
    """Make the league of a file, or change one that is open. LeagueFileError."""
    change = None
    try:
        league = await file.create(store)
    except LeagueChangedError:
        change = await file.change(store)
        league = change.league
    return Made(league, [entrant.bot for entrant in await store.leagues.entrants(league.name)], change)


def commitment_line(league: League) -> str:
    """What was published of a league before entries opened."""
    return f"League {league.name}. SHA-256 of its secret: {league.commitment}"


@contextmanager
def faults(path: Path, text: str) -> Iterator[None]:
    """Turns what cannot be played into an error with its line and key."""
    try:
        yield
    except UnplayableError as error:
        raise fault(text, str(path), error.path, str(error)) from error
