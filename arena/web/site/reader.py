"""Reads the store for the pages, through the interfaces that the gRPC services use."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import PurePath
from types import MappingProxyType

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.launcher.sources import HOUSE, names_a_path
from arena.league.spec import LeagueSpec
from arena.league.table_row import TableRow, rows_of
from arena.league.tables import DivisionTable, LeagueTable
from arena.league.values import Entrant, MatchOutcome, PlayedRound, RoundPlan, TablePlan, parts
from arena.match.model import PLAYED_OUT, End
from arena.match.outcome import placing
from arena.names import is_season
from arena.organizer.entries import Player, player_of
from arena.organizer.errors import UnreadableLadderError
from arena.organizer.ladder_table import LadderView, view_of
from arena.organizer.steps import Tables, field_of, lines_of, open_boards, spec_of
from arena.replays import Summary, decode_summary
from arena.store import DivisionState, EntryRecord, League, ReplayInfo, Store
from arena.store.paging import all_pages
from arena.web.site.documents import (
    DivisionDocument,
    EntrantDocument,
    LeagueDocument,
    MatchDocument,
    MeetingDocument,
    ReplayDocument,
    RoundDocument,
    TableDocument,
    TableOfRound,
    moment,
)
from arena.web.site.heads import luck_of
from arena.web.work import MadeOnce
from core_ext import variant_info

PAGE = 50
LATEST_LEAGUES = 20
_MAX_CACHED = 256
"""Of so many leagues the tables and the entrants are kept as documents."""
_MAX_LINES_CACHED = 300_000
"""So many lines these tables may have together, and these lists of entrants."""
_MAX_ROUNDS_CACHED = 8
"""Of complete rounds: those of a large league have thousands of tables."""
_PATIENCE_S = 0.1
_MEETINGS_OF = 40
"""Of how many bots, the best first, a table's page shows the results against each other."""


_Field = tuple[list[Entrant], list[PlayedRound]]
_Tables = tuple[LeagueTable, tuple[TableDocument, ...]]


class Reader:
    """One store, read for any number of readers: a league's tables are computed once for each of its states."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._tables = Tables(store)
        self._documents: MadeOnce[tuple[str, int], _Tables] = MadeOnce(
            _MAX_CACHED, lambda made: lines_of(made[0]), _MAX_LINES_CACHED
        )
        self._latest: OrderedDict[str, tuple[int, _Tables]] = OrderedDict()
        """By name, of leagues under way, when a league was created and its newest tables."""
        self._entrants: MadeOnce[tuple[str, int, str, int], tuple[EntrantDocument, ...]] = MadeOnce(
            _MAX_CACHED, len, _MAX_LINES_CACHED
        )
        self._rounds: MadeOnce[tuple[str, int, str, int], RoundDocument | None] = MadeOnce(_MAX_ROUNDS_CACHED)
        self._fields: MadeOnce[tuple[str, int, str, str], _Field] = MadeOnce(1)
        self._leagues: MadeOnce[int, list[LeagueDocument]] = MadeOnce(1)
        self._league: MadeOnce[str, LeagueDocument] = MadeOnce(0)

    async def all_leagues(self) -> list[LeagueDocument]:
        """Every league, those that run first, then the newest; as they stood at most a second ago."""
        return await self._leagues.get(int(time.monotonic()), self._all_leagues)

    async def listed_leagues(self) -> list[LeagueDocument]:
        """Every league but the seasons of ladders, which the pages of ladders lead to, in the same order."""
        return [league for league in await self.all_leagues() if not is_season(league.name)]

    async def ladder(self, name: str) -> LadderView:
        """How a ladder stands. UnknownLadderError, UnreadableLadderError."""
        return await view_of(self.store, name, self._tables)

    async def ladders(self) -> list[LadderView]:
        """Return how all ladders stand that can be read, by name."""
        views = []
        for record in await self.store.ladders.list():
            with suppress(UnreadableLadderError):
                views.append(await self.ladder(record.name))
        return views

    async def _all_leagues(self) -> list[LeagueDocument]:
        leagues = [league async for league in all_pages(partial(self.store.leagues.list, limit=PAGE))]
        # By the microsecond: documents tell seconds, and two short leagues may end in one.
        leagues.sort(key=lambda league: league.finished_us or league.created_us, reverse=True)
        order = {"running": 0, "paused": 1, "open": 2}
        return sorted(map(league_document, leagues), key=lambda league: order.get(league.state, 3))

    async def league(self, name: str) -> LeagueDocument:
        """A league; UnknownLeagueError."""

        async def read() -> LeagueDocument:
            return league_document(await self.store.leagues.get(name))

        return await self._league.get(name, read)

    async def spec(self, name: str) -> LeagueSpec:
        """A league as its owner described it; UnknownLeagueError."""
        return spec_of(await self.store.leagues.get(name))

    async def entrants(self, name: str) -> tuple[EntrantDocument, ...]:
        """Who has entered a league, by name."""
        league = await self.store.leagues.get(name)
        spec = spec_of(league)

        async def read() -> tuple[EntrantDocument, ...]:
            entries = await self.store.leagues.entrants(name)
            return await run_in_threadpool(_entrants, entries, spec)

        return await self._entrants.get((name, league.created_us, league.state, league.revision), read)

    async def fingerprint(self, bot: str) -> tuple[object, ...]:
        """Return what changes whenever anything that is shown of a bot may have changed."""
        leagues = tuple((league.name, league.version) for league in await self.all_leagues())
        versions = tuple(
            (version.version, version.status, version.active) for version in await self.store.versions.list(bot)
        )
        return leagues, versions, await self.store.matches.fingerprint(bot)

    async def tables(self, name: str) -> _Tables:
        """Return a league's tables after its complete rounds, as the league has them and as documents.

        Those of a league under way are an earlier round's while the next ones take longer than `_PATIENCE_S` to count.
        """
        league = await self.store.leagues.get(name)
        counting = asyncio.create_task(self._counted(league))
        counting.add_done_callback(_retrieve)
        latest_created, latest = self._latest.get(name, (0, None))
        if latest is not None and latest_created == league.created_us and league.state == "running":
            await asyncio.wait((counting,), timeout=_PATIENCE_S)
            if not counting.done():
                return latest
        tables = await asyncio.shield(counting)
        if league.state != "running":
            self._latest.pop(name, None)
            return tables
        self._latest[name] = league.created_us, tables
        self._latest.move_to_end(name)
        if len(self._latest) > _MAX_CACHED:
            self._latest.popitem(last=False)
        return tables

    async def _counted(self, league: League) -> _Tables:
        name = league.name
        table = await self._tables.of(league)
        spec = spec_of(league)

        async def write() -> _Tables:
            return table, await run_in_threadpool(lambda: tuple(_table(division, spec) for division in table.divisions))

        # Who has a table keeps it, so that no other one is at its place in memory.
        return await self._documents.get((name, id(table)), write)

    async def field(self, name: str, variant: str) -> _Field:
        """The entrants of a division, and its complete rounds in order."""
        league = await self.store.leagues.get(name)
        key = name, league.created_us, _version(league), variant
        return await self._fields.get(key, lambda: field_of(self.store, name, variant))

    async def round(self, name: str, variant: str, number: int) -> RoundDocument | None:
        """Return a round as far as it is played; None where it is not paired."""
        league = await self.store.leagues.get(name)
        of_variant = [division for division in league.divisions if division.variant == variant]
        if not any(
            number < division.round or (number == division.round and not division.outstanding)
            for division in of_variant
        ):
            return await self._round(name, variant, number)
        # What is complete does not change.
        key = name, league.created_us, variant, number
        return await self._rounds.get(key, lambda: self._round(name, variant, number))

    async def _round(self, name: str, variant: str, number: int) -> RoundDocument | None:
        plan = await self.store.leagues.plan(name, variant, number)
        if plan is None:
            return None
        results = await self.store.leagues.results(name, variant, number)
        planned = msgspec.json.decode(plan, type=RoundPlan)
        players: dict[str, Player] = {}
        if len(results) < len(planned.matches):
            entries = await self.store.leagues.entrants(name)
            players = {entry.bot: player_of(entry) for entry in entries}
        return await run_in_threadpool(_round, name, variant, planned, players, results)

    async def replays(
        self, *, league: str | None = None, bot: str | None = None, after: str = "", limit: int = PAGE
    ) -> tuple[list[ReplayDocument], str]:
        """A page of the matches whose replays can be read, in the order of their ends, and the cursor of the next."""
        page = await self.store.replays.list(league=league, bot=bot, after=after, limit=limit)
        return [replay_document(info) for info in page.items if info.readable], page.next

    async def newest(
        self, bot: str, limit: int, names: Mapping[str, Sequence[str]] = MappingProxyType({})
    ) -> tuple[list[ReplayDocument], bool]:
        """Return a bot's matches whose replays can be read, and whether these are all.

        Leagues under way and the newest come first, then single matches; of each the last match. `names` are those
        under which it was entered, by league, where that is not its own alone.
        """
        matches: list[ReplayDocument] = []
        seen: set[str] = set()
        for league in (*(listed.name for listed in await self.all_leagues()), ""):
            for name in names.get(league, (bot,)):
                listing = partial(self.store.replays.list, league=league, bot=name, newest=True, limit=200)
                async for info in all_pages(listing):
                    if info.readable and len(matches) == limit:
                        return matches, False
                    if info.readable and info.id not in seen:  # two of its names may have met
                        seen.add(info.id)
                        matches.append(replay_document(info))
        return matches, True

    async def names_of(self, bot: str, limit: int) -> dict[str, tuple[str, ...]]:
        """Return the names under which a registered bot was entered, by league, in the latest `limit` leagues."""
        by_league = {}
        for league in (await self.all_leagues())[:limit]:
            names = [entrant.name for entrant in await self.entrants(league.name) if bot in (entrant.name, entrant.bot)]
            if names:
                by_league[league.name] = tuple(names)
        return by_league

    async def entered(self, name: str) -> EntrantDocument | None:
        """Who has entered the newest of the latest leagues under a name, None for nobody."""
        for league in (await self.all_leagues())[:LATEST_LEAGUES]:
            for entry in await self.entrants(league.name):
                if entry.name == name:
                    return entry
        return None


def _retrieve(counting: "asyncio.Task[_Tables]") -> None:
    """Keep asyncio from reporting a failure that nobody waits for any more."""
    if not counting.cancelled():
        counting.exception()


def league_document(league: League) -> LeagueDocument:
    """A league without its tables."""
    spec = spec_of(league)
    return LeagueDocument(
        name=league.name,
        state=league.state,
        test=league.test,
        commitment=league.commitment,
        secret=league.secret.hex() if league.secret else "",
        created=moment(league.created_us),
        started=moment(league.started_us),
        finished=moment(league.finished_us),
        version=_version(league),
        divisions=tuple(_division(state, spec) for state in league.divisions),
    )


def _version(league: League) -> str:
    counts = ".".join(f"{division.state[0]}{division.round}-{division.played}" for division in league.divisions)
    return f"{league.state}.{league.revision}.{counts}{'.open' if league.secret else ''}"


def _division(state: DivisionState, spec: LeagueSpec) -> DivisionDocument:
    division = spec.division(state.variant)
    return DivisionDocument(
        variant=state.variant,
        title=variant_info(state.variant).name,
        state=state.state,
        round=state.round,
        rounds=state.rounds,
        matches=state.matches,
        done=state.matches - state.outstanding,
        played=state.played,
        seats=division.seats,
        boards=division.boards,
        board_sets=division.board_sets,
        share_done=_share_done(state),
    )


def _share_done(state: DivisionState) -> float:
    if not state.round:
        return 0.0
    of_round = 1 - state.outstanding / state.matches if state.matches else 1.0
    return (state.round - 1 + of_round) / state.rounds


def _entrants(entries: Sequence[EntryRecord], spec: LeagueSpec) -> tuple[EntrantDocument, ...]:
    entrants = [_entrant(entry, player_of(entry), spec) for entry in entries]
    return tuple(sorted(entrants, key=lambda entrant: entrant.name))


def _entrant(entry: EntryRecord, player: Player, spec: LeagueSpec) -> EntrantDocument:
    bot = player.bot
    if player.version:
        kind = "submitted"
    elif bot.startswith(HOUSE):
        kind = "house"
    elif names_a_path(bot):
        # Where it lies on the operator's disk is nobody's business; nor need it be there any more, or on this machine.
        kind, bot = "path", PurePath(bot).name
    else:
        kind = "registered"
    variants = entry.variants or spec.variants
    runtime = player.runtime if player.version else ""
    return EntrantDocument(entry.bot, bot, kind, entry.owner, variants, player.version, runtime)


def _table(table: DivisionTable, spec: LeagueSpec) -> TableDocument:
    rows = rows_of(table)
    shown = {row.bot for row in rows[:_MEETINGS_OF]}
    meetings = tuple(
        MeetingDocument(
            meeting.bot,
            meeting.opponent,
            meeting.tables,
            meeting.match_points,
            meeting.game_points / 2,
            meeting.margin / table.parts,
        )
        for meeting in table.head_to_head
        if meeting.bot in shown and meeting.opponent in shown
    )
    return TableDocument(table.variant, table.rounds, table.is_rated, rows, meetings, luck_of(table, spec))


def _round(
    league: str, variant: str, plan: RoundPlan, players: Mapping[str, Player], results: Mapping[str, bytes]
) -> RoundDocument:
    outcomes = {name: msgspec.json.decode(raw, type=MatchOutcome) for name, raw in results.items()}
    # A board is over when all of its matches are: what is known of one under way could help who still plays it,
    # unless all who play it are out of reach.
    on_board = Counter(match.board for match in plan.matches)
    ended = Counter(outcome.board for outcome in outcomes.values())
    over = {board for board, matches in on_board.items() if ended[board] == matches}
    revealed = over | open_boards(plan, players)
    begin = f"{league}.{variant}.r{plan.number}"
    tables = tuple(_table_of_round(begin, table, outcomes, over, revealed) for table in plan.tables)
    return RoundDocument(league, variant, plan.number, plan.byes, tables)


def _table_of_round(
    begin: str, table: TablePlan, outcomes: Mapping[str, MatchOutcome], over: Set[int], revealed: Set[int]
) -> TableOfRound:
    """A table; `begin` begins its replays' ids. How a match ended is shown on the `revealed` boards."""
    points: Counter[str] = Counter()
    matches = []
    unit = parts(len(table.bots))
    for name, planned in table.named():
        outcome = outcomes.get(name)
        shown = outcome if planned.board in revealed else None
        if shown is not None:
            for bot, half in zip(shown.seating, shown.half_points, strict=True):
                points[bot] += half
        matches.append(
            MatchDocument(
                name=name,
                board=planned.board,
                seating=planned.seating,
                margins=tuple(margin / unit for margin in shown.margins) if shown else (),
                half_points=tuple(half / unit for half in shown.half_points) if shown else (),
                end=outcome.end if outcome else "",
                forfeiter=(outcome.forfeiter or "") if outcome else "",
                replay=f"{begin}.{name}" if planned.board in over else "",
            )
        )
    return TableOfRound(
        table.number,
        table.bots,
        tuple(points[bot] / 2 / unit for bot in table.bots),
        sum(bool(match.end) for match in matches),
        tuple(matches),
    )


def replay_document(info: ReplayInfo) -> ReplayDocument:
    """Return a match of a list, from the listing of its readable replay."""
    summary: Summary = decode_summary(info.about)
    league = info.scope.name if info.scope.kind == "league" else ""
    return ReplayDocument(
        replay=info.id,
        league=league,
        variant=summary.variant,
        bots=info.bots,
        results=summary.results,
        placing=placing(summary.results, summary.offender),
        scored=End(summary.end) in PLAYED_OUT or not variant_info(summary.variant).settled,
        end=End(summary.end).value,
        offender=summary.offender,
        thinking=summary.thinking,
        time=moment(info.time_us),
    )


def strongest_of(rows: Sequence[TableRow], count: int = 3) -> Sequence[TableRow]:
    """The rows with the highest ratings, of those that have error bars."""
    rated = [row for row in rows if row.rating is not None and row.rating.is_known]
    return sorted(rated, key=lambda row: -row.rating.value if row.rating is not None else 0.0)[:count]
