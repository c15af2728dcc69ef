"""The list of bots: who is registered or has entered one of the latest leagues, with record and ratings."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.league.estimates import Interval
from arena.league.table_row import TableRow
from arena.store import Bot
from arena.store.paging import all_pages
from arena.submissions.record import read_record
from arena.web.site.documents import EntrantDocument, LeagueDocument, TableDocument, moment
from arena.web.site.reader import LATEST_LEAGUES, Reader

PAGE = 100


class ListedRating(msgspec.Struct, frozen=True):
    """A bot's rating in the newest league that rated it."""

    league: str
    rating: Interval


class ListedBot(msgspec.Struct, frozen=True):
    """A bot of the list, with its matches in the latest leagues.

    `kind` is how it plays (`house`, `path`, `registered`, `submitted`), `runtime` what a submitted one is run by, else
    ""; `created` is when it was registered, else "".
    """

    name: str
    owner: str
    kind: str
    runtime: str
    created: str
    league: str
    """The newest league that it has entered, "" for none of the latest."""
    last_played: str
    """When the newest league ended in which it has played, "" of one under way and where there is none."""
    plays_in: str
    """That league, "" for none of the latest."""
    played: int
    won: int
    drawn: int
    lost: int
    ratings: dict[str, ListedRating]


class _Record:
    """What is gathered of one bot, from the newest league to the oldest."""

    def __init__(self) -> None:
        self.owner = self.kind = self.runtime = self.created = self.league = self.last_played = self.plays_in = ""
        self.played = self.won = self.drawn = self.lost = 0
        self.ratings: dict[str, ListedRating] = {}

    def add(self, league: LeagueDocument, table: TableDocument, row: TableRow) -> None:
        """Count what it played in a division of a league."""
        if row.played and not self.plays_in:
            self.plays_in, self.last_played = league.name, league.finished
        self.played += row.played
        self.won += row.won
        self.drawn += row.drawn
        self.lost += row.lost
        if row.rating is not None and row.rating.is_known and table.rated:
            self.ratings.setdefault(table.variant, ListedRating(league.name, row.rating))


_League = tuple[LeagueDocument, tuple[EntrantDocument, ...], tuple[TableDocument, ...]]


async def with_runtimes(reader: Reader, bots: Sequence[ListedBot]) -> list[ListedBot]:
    """Return the bots, of the registered ones that were sent in what runs their versions."""

    async def with_runtime(bot: ListedBot) -> ListedBot:
        versions = await reader.store.versions.list(bot.name) if bot.kind == "registered" else ()
        if not versions:
            return bot
        shown = next((version for version in versions if version.active), versions[-1])
        return msgspec.structs.replace(bot, kind="submitted", runtime=read_record(shown).manifest.runtime)

    return [await with_runtime(bot) for bot in bots]


def page_of(bots: Sequence[ListedBot], part: str, after: str) -> tuple[list[ListedBot], str]:
    """Return the bots whose names hold `part`, from the first after `after` on, and the last one if there are more."""
    wanted = [bot for bot in bots if part.casefold() in bot.name.casefold() and bot.name > after]
    page = wanted[:PAGE]
    return page, page[-1].name if len(wanted) > PAGE else ""


async def listed_bots(reader: Reader) -> list[ListedBot]:
    """Return all bots, by name; raises what the store raises."""
    registered = {bot.name: bot async for bot in all_pages(partial(reader.store.bots.list, limit=1000))}
    leagues: list[_League] = []
    for league in (await reader.listed_leagues())[:LATEST_LEAGUES]:
        _, tables = await reader.tables(league.name)
        leagues.append((league, await reader.entrants(league.name), tables))
    return await run_in_threadpool(_gathered, registered, leagues)


def _gathered(registered: dict[str, Bot], leagues: list[_League]) -> list[ListedBot]:
    records: dict[str, _Record] = defaultdict(_Record)
    for name, bot in registered.items():
        records[name].owner = bot.owner
        records[name].kind = "registered"
        records[name].created = moment(bot.created_us)
    for league, entrants, tables in leagues:
        entered_as: dict[str, str] = {}
        for entrant in entrants:
            if entrant.bot in registered:
                entered_as[entrant.name] = entrant.bot
            record = records[entrant.name]
            record.league = record.league or league.name
            record.owner = record.owner or entrant.owner
            record.kind = record.kind or entrant.kind
            record.runtime = record.runtime or entrant.runtime
        for table in tables:
            for row in table.rows:
                # What a bot played under another name is its own as well.
                for name in {row.bot, entered_as.get(row.bot, row.bot)}:
                    records[name].add(league, table, row)
    return [
        ListedBot(
            name,
            record.owner,
            record.kind,
            record.runtime,
            record.created,
            record.league,
            record.last_played,
            record.plays_in,
            record.played,
            record.won,
            record.drawn,
            record.lost,
            record.ratings,
        )
        for name, record in sorted(records.items())
    ]
