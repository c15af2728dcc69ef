"""A league's page: its head, tables, plots and great hands, and the rounds under way."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.league.estimates import RATINGS_NOT_YET
from arena.league.table_row import Shown, columns_of
from arena.match.live import LiveMatch
from arena.web.address import address_of
from arena.web.language import Language
from arena.web.language.choice import language_of
from arena.web.pages import render
from arena.web.report import plots
from arena.web.site import drawings, heads
from arena.web.site.boards import MAX_LISTED, board_documents
from arena.web.site.cached import CachedAnswers, Make
from arena.web.site.course import MAX_LINES, Course, course
from arena.web.site.documents import DivisionDocument, LeagueDocument, RoundDocument, TableDocument
from arena.web.site.great_hands import MAX_LISTED as MAX_SEARCHED
from arena.web.site.great_hands import MAX_OPENED, GreatHand, GreatHands
from arena.web.site.owners import Owners
from arena.web.site.reader import Reader
from arena.web.site.sorting import direction, is_order, next_order, sorted_rows
from arena.web.site.watchable import Watchable
from arena.web.visitors import visitor
from arena.web.work import MadeOnce

MAX_ROWS = 200
"""Of a league's tables and entrants, where a reader has not asked for all."""
_BY_RANK = "rank"
_ALL_ROWS = "all"
_MIN_ROUNDS = 2
"""So many rounds have to be over before a plot shows how a standing came about."""
_MAX_COURSES_CACHED = 32


class LeaguePage:
    """The pages of a store's leagues, each made anew when its league, or what is shown of its matches, changes."""

    def __init__(self, reader: Reader, answers: CachedAnswers, boards: Watchable, owners: Owners) -> None:
        self._reader = reader
        self._answers = answers
        self._boards = boards
        self._owners = owners
        self._great_hands = GreatHands(reader)
        self._courses: MadeOnce[tuple[str, str, int, str], Course] = MadeOnce(_MAX_COURSES_CACHED)

    async def answer(self, request: Request) -> Response:
        """Answer with a league, its tables and the rounds under way."""
        league = await self._reader.league(request.path_params["league"])
        query = request.query_params
        if query.get("rows", _ALL_ROWS) != _ALL_ROWS:
            raise HTTPException(400, "Rows are either the first or all.")
        rows = None if "rows" in query else MAX_ROWS
        order = query.get("sort", _BY_RANK)
        if not is_order(order):
            raise HTTPException(400, "There is no such column.")
        key = ("league", address_of(request), league.name, league.state, rows, order)
        running: list[LiveMatch] = []
        if league.state == "running":
            running = [board for board in self._boards if board.spec.match_id.startswith(f"{league.name}.")][
                :MAX_LISTED
            ]
        version = f"{league.version}.{len(running)}.{sum(match.version for match in running)}"
        body = await self._answers.get(
            key, version, lambda: self._page(request, league, rows, order, running), asked_by=visitor(request)
        )
        return body.answer(request)

    async def _page(
        self, request: Request, league: LeagueDocument, rows: int | None, order: str, running: Sequence[LiveMatch]
    ) -> Make:
        table, tables = await self._reader.tables(league.name)
        spec = await self._reader.spec(league.name)
        rounds: dict[str, RoundDocument | None] = {}
        for division in league.divisions:
            if division.round:
                rounds[division.variant] = await self._reader.round(league.name, division.variant, division.round)
        boards = await run_in_threadpool(board_documents, running)
        left_s = heads.time_left_s(league, datetime.now(UTC))
        language = language_of(request)
        return partial(
            render,
            request,
            "league.html",
            league=league,
            max_rows=rows or sys.maxsize,
            divisions=[
                (division, shown, columns_of(counted, Shown.PAGE), rounds.get(division.variant))
                for division, counted, shown in zip(league.divisions, table.divisions, tables, strict=True)
            ],
            entrants=await self._reader.entrants(league.name),
            all_round=table.all_round,
            owners=await self._owners.of(league),
            leads=heads.leads_of(league, tables, language),
            facts=heads.facts_of(spec, league, left_s, language),
            luck={counted.variant: heads.luck_of(counted, spec, language) for counted in table.divisions},
            running={board.match: board for board in boards},
            ratings_not_yet=RATINGS_NOT_YET,
            drawings=drawings.estimates,
            cross_table=drawings.cross_table,
            time_left="" if left_s is None else heads.duration(left_s, language),
            courses={table.variant: await self._drawn_course(league, table, language) for table in tables},
            max_listed=MAX_SEARCHED,
            max_opened=MAX_OPENED,
            great_hands={division.variant: await self._hands(league, division) for division in league.divisions},
            order=order,
            sorted_rows=sorted_rows,
            next_order=next_order,
            direction=direction,
        )

    async def prepare(self, league: LeagueDocument) -> None:
        """Make what the page of a league shows, and other pages of it, and what takes long."""
        _, tables = await self._reader.tables(league.name)
        await self._reader.entrants(league.name)
        await self._owners.of(league)
        for table in tables:
            await self._course(league, table)
        for division in league.divisions:
            await self._hands(league, division)
            if division.round and division.state != "running":
                await self._reader.round(league.name, division.variant, division.round)

    async def _hands(self, league: LeagueDocument, division: DivisionDocument) -> tuple[GreatHand, ...]:
        """Find the great hands of a division."""
        return await self._great_hands.of(league.name, league.created, division.variant, _settled(division))

    async def _drawn_course(self, league: LeagueDocument, table: TableDocument, language: Language) -> str:
        """Draw how the standing of a division came about, "" where that says nothing yet."""
        round_numbers, lines = await self._course(league, table)
        steps, unit = language.gettext("rounds"), language.gettext("match points")
        return plots.lines(lines, steps, unit, positions=round_numbers, is_sized=False) if lines else ""

    async def _course(self, league: LeagueDocument, table: TableDocument) -> Course:
        """Say how the standing of a division came about, without a line where that says nothing yet."""
        if table.rounds < _MIN_ROUNDS:
            return [], []
        [seats] = [division.seats for division in league.divisions if division.variant == table.variant]

        async def read() -> Course:
            _, rounds = await self._reader.field(league.name, table.variant)
            bots = [row.bot for row in table.rows[:MAX_LINES]]
            return await run_in_threadpool(course, rounds[: table.rounds], bots, seats)

        return await self._courses.get((league.name, table.variant, table.rounds, league.created), read)


def _settled(division: DivisionDocument) -> int:
    """Return how many of a division's matches are over, while it is played those of its complete rounds."""
    return division.played - (division.done if division.state == "running" else 0)
