"""The site's addresses: pages, their JSON and CSV, live events, and the feed of finished leagues."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.match.model import THINKING_CLASSES
from arena.organizer.errors import UnreadableLadderError
from arena.store import Store
from arena.store.errors import (
    InvalidCursorError,
    InvalidNameError,
    UnknownBotError,
    UnknownLadderError,
    UnknownLeagueError,
)
from arena.web.address import address_of
from arena.web.environment import compile_templates
from arena.web.event_stream import EventStream
from arena.web.language import LANGUAGES
from arena.web.language.choice import CHOICE, address, language_of
from arena.web.pages import HTML, whole_number
from arena.web.previews import HAS_PREVIEWS
from arena.web.previews.league import league as league_preview
from arena.web.previews.previews import Previews
from arena.web.previews.site import site as site_preview
from arena.web.queries import Endpoint, with_query
from arena.web.site import drawings, rules
from arena.web.site.ahead import Ahead
from arena.web.site.boards import board_documents, board_routes, of_each_variant
from arena.web.site.bots import bot_document, latest
from arena.web.site.cached import ATOM, JSON, TEXT, XML, Body, CachedAnswers, Make, Read, as_json, as_page, each_second
from arena.web.site.documents import (
    ENDS,
    FAILURES,
    LeagueDocument,
    ReplayDocument,
)
from arena.web.site.downloads import download_routes
from arena.web.site.league_page import LeaguePage
from arena.web.site.lists import MATCH_FILTERS, Lists
from arena.web.site.live import MAX_READERS, LiveEvents
from arena.web.site.outputs import output_routes
from arena.web.site.owners import Owners
from arena.web.site.reader import Reader, strongest_of
from arena.web.site.replay_files import SAMPLE, ReplayFiles
from arena.web.site.replays import Replays
from arena.web.site.standing import standing_of
from arena.web.site.table_csv import table_csv
from arena.web.site.watchable import Watchable
from arena.web.site.ways import Ways
from arena.web.site.winners import Winners
from arena.web.viewer.analysis.analyses import Analyses
from arena.web.viewer.routes import ReplayFacts, replay_routes
from arena.web.visitors import visitor
from core_ext import VARIANTS

_MAX_NAME_LENGTH = 200
_FEED_ENTRIES = 50
_SITEMAP_LEAGUES = 10_000
_SECTIONS = ("/", "/learn", "/leagues", "/ladders", "/bots", "/matches", "/play")
_NOT_FOR_PROGRAMS = ("/live/", "/play/", "/learn?")
MAX_TABLES = 100
"""So many tables of a round stand on a page."""
_PREPARED = 16
"""Of so many leagues, those under way and the latest, what their pages need is made ahead."""
_BOARDS_AT_HOME = 5
_FINISHED_AT_HOME = 8

CSV = "text/csv; charset=utf-8"

_NOT_THERE = (UnknownLeagueError, UnknownLadderError, UnreadableLadderError, UnknownBotError, InvalidNameError)

_QUERIES = {
    "/leagues": ("after",),
    "/leagues/{league}": ("rows", "sort"),
    "/leagues/{league}/events": ("last",),
    "/leagues/{league}/{variant}/rounds/{number}": ("table",),
    "/bots": ("after", "name"),
    "/matches": ("after", *MATCH_FILTERS),
    "/search": ("q",),
    "/compare": ("bot", "other"),
}
"""The parts of a query that say what a page, and its JSON, shows; others have none."""


def site_routes(
    store: Store,
    live: Watchable,
    folder: Path | None = None,
    analyses: Analyses | None = None,
    ahead: Ahead | None = None,
) -> list[Route]:
    """Return every page of a site over a store; `live` are the matches that can be watched there.

    `folder` is where commands keep the replays of matches that they played without the store. What pages of leagues
    need is made `ahead`, or by the first who asks.
    """
    files = ReplayFiles(folder)
    site = Site(store, live, files)
    if ahead is not None:
        ahead.of(site.prepare)
    shared = {
        "ends": ENDS,
        "classes": THINKING_CLASSES,
        "curve": drawings.curve,
        "rating_bars": drawings.rating_bars,
        "rating_bars_of": drawings.rating_bars_of,
        "failures": FAILURES,
        "latest_rating": latest,
    }
    # Each of these is a page, and under /api/v1 the same as JSON.
    documents: dict[str, tuple[Read, str]] = {
        "/leagues": (site.lists.leagues, "leagues.html"),
        "/ladders": (site.lists.ladders, "ladders.html"),
        "/ladders/{ladder}": (site.lists.ladder, "ladder.html"),
        "/leagues/{league}/{variant}/rounds/{number}": (site.round, "round.html"),
        "/bots": (site.lists.bots, "bots.html"),
        "/bots/{bot}": (site.bot, "bot.html"),
        "/matches": (site.lists.matches, "matches.html"),
        "/search": (site.lists.search, "search.html"),
        "/compare": (site.lists.versus, "versus.html"),
        "/rules/{variant}": (site.variant_rules, "rules.html"),
    }
    cached: dict[str, tuple[Body, str]] = {
        "/": (as_page(site.home, "home.html"), HTML),
        "/leagues/{league}/{variant}.csv": (site.table_csv, CSV),
        "/docs/{name}": (as_page(site.document, "document.html"), HTML),
        "/feed.atom": (as_page(site.feed, "feed.xml"), ATOM),
        "/sitemap.xml": (as_page(site.sitemap, "sitemap.xml"), XML),
        "/robots.txt": (site.robots, TEXT),
        "/api/v1/leagues/{league}": (as_json(site.league_and_entrants), JSON),
        "/api/v1/leagues/{league}/table": (as_json(site.tables), JSON),
        "/api/v1/leagues/{league}/owners": (as_json(site.owners), JSON),
    }
    for path, (read, template) in documents.items():
        cached[path] = (as_page(read, template, **shared), HTML)
        cached[f"/api/v1{path}"] = (as_json(read), JSON)
    pages: dict[str, Endpoint] = {
        "/leagues/{league}": site.league.answer,
        "/leagues/{league}/events": site.events,
        "/rules": site.rules_index,
    }
    pages = {path: with_query(endpoint, _QUERIES.get(path, ())) for path, endpoint in pages.items()} | {
        path: site.answers.endpoint(body, media_type, site.state, _QUERIES.get(path.removeprefix("/api/v1"), ()))
        for path, (body, media_type) in cached.items()
    }
    previews = Previews() if HAS_PREVIEWS else None
    if previews is not None:
        pages["/preview.png"] = with_query(partial(_site_preview, previews))
        pages["/leagues/{league}/preview.png"] = with_query(partial(_league_preview, previews, Reader(store)))
    replays = Replays(store, files)
    return [
        *(Route(path, _answering(endpoint)) for path, endpoint in pages.items()),
        *download_routes(store),
        *output_routes(store),
        *board_routes(live, replays.find, partial(standing_of, Reader(store))),
        *replay_routes(
            replays.find,
            Ways(Reader(store)).of,
            ReplayFacts(replays.raw, replays.time, replays.is_stored),
            analyses,
            previews,
        ),
    ]


async def _site_preview(previews: Previews, request: Request) -> Response:
    language = language_of(request)
    made = await previews.get(("site", language), lambda: site_preview(language), visitor(request))
    return made.answer(request)


async def _league_preview(previews: Previews, reader: Reader, request: Request) -> Response:
    """The head of a league's table, as it was at most a moment ago."""
    league = await reader.league(request.path_params["league"])
    _, tables = await reader.tables(league.name)
    language = language_of(request)
    key = (language, league.name, league.created, league.state, tuple(table.rounds for table in tables))
    made = await previews.get(key, lambda: league_preview(league, tables, language), visitor(request))
    return made.answer(request)


def _answering(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint, with errors of who asks as answers."""

    async def answer(request: Request) -> Response:
        for value in request.path_params.values():
            if isinstance(value, str) and len(value) > _MAX_NAME_LENGTH:
                raise HTTPException(404)
        try:
            return await endpoint(request)
        except _NOT_THERE as error:
            raise HTTPException(404) from error
        except InvalidCursorError as error:
            raise HTTPException(400, "There is no such part of this list.") from error

    return answer


def _prepared_state(league: LeagueDocument) -> object:
    """Return something else when a league's tables change."""
    return (
        league.created,
        league.state,
        [(division.round, division.state, division.done == division.matches) for division in league.divisions],
    )


class Site:
    """The pages of one store."""

    def __init__(self, store: Store, boards: Watchable, files: ReplayFiles) -> None:
        self._reader = Reader(store)
        self.answers = CachedAnswers()
        self._live = LiveEvents(self._reader)
        self._boards = boards
        self._winners = Winners(self._reader)
        self._owners = Owners(self._reader)
        self.league = LeaguePage(self._reader, self.answers, boards, self._owners)
        self.lists = Lists(self._reader, files, self._winners)
        self._prepared: dict[str, object] = {}

    async def state(self, request: Request) -> object:
        """The state of the league or bot of an address, where there is one, else another one each second."""
        if league := request.path_params.get("league"):
            version = (await self._reader.league(league)).version
            return (version, self._watched(f"{league}.")) if "number" in request.path_params else version
        if bot := request.path_params.get("bot"):
            return await self._reader.fingerprint(bot)
        return await each_second(request)

    async def prepare(self) -> None:
        """Make what the pages of the latest leagues need, of those under way whenever a round of them is over."""
        await run_in_threadpool(compile_templates)
        before, self._prepared = self._prepared, {}
        for league in (await self._reader.all_leagues())[:_PREPARED]:
            state = _prepared_state(league)
            if before.get(league.name) != state:
                await self.league.prepare(league)
                await self._winners.of([league])
            self._prepared[league.name] = state
        await self.lists.prepare()

    async def home(self, _request: Request) -> dict[str, Any]:
        """Return what is on: leagues under way and to come, the latest finished, the strongest bots of each variant."""
        leagues = await self._reader.listed_leagues()
        finished = [league for league in leagues if league.state == "finished"]
        strongest: dict[str, Any] = {}
        for league in finished[:10]:
            if all(division.variant in strongest for division in league.divisions):
                continue
            _, tables = await self._reader.tables(league.name)
            for table in tables:
                if table.variant not in strongest and table.rated:
                    strongest[table.variant] = (league.name, strongest_of(table.rows))
        boards = await run_in_threadpool(board_documents, of_each_variant(self._boards)[:_BOARDS_AT_HOME])
        featured = await self._featured(leagues)
        running = [league for league in leagues if league.state in ("running", "paused")]
        return {
            "running": running,
            "leads": await self._winners.of([*running, *finished[:_FINISHED_AT_HOME]]),
            "ladders": await self._reader.ladders(),
            "opened": [league for league in leagues if league.state == "open"],
            "finished": finished[:_FINISHED_AT_HOME],
            "strongest": strongest,
            "boards": boards,
            "featured": featured,
            "watch": f"/live/{boards[0].match}" if boards else f"/replays/{featured.replay if featured else SAMPLE}",
        }

    async def _featured(self, leagues: Sequence[LeagueDocument]) -> ReplayDocument | None:
        """A match of the newest league of which one can be read."""
        for league in leagues[:_BOARDS_AT_HOME]:
            if league.played:
                replays, _ = await self._reader.replays(league=league.name, limit=1)
                if replays:
                    return replays[0]
        return None

    async def league_and_entrants(self, request: Request) -> dict[str, Any]:
        """A league with its entrants."""
        name = request.path_params["league"]
        return {"league": await self._reader.league(name), "entrants": await self._reader.entrants(name)}

    async def tables(self, request: Request) -> dict[str, Any]:
        """A league's tables."""
        table, tables = await self._reader.tables(request.path_params["league"])
        return {"tables": tables, "all_round": table.all_round}

    async def owners(self, request: Request) -> dict[str, Any]:
        """Return what a league's owners did for one another, once it is over."""
        owners = await self._owners.of(await self._reader.league(request.path_params["league"]))
        return {"pairs": owners.pairs, "count": owners.count, "by_chance": owners.by_chance}

    async def table_csv(self, request: Request) -> Make:
        """Return a division's table as CSV."""
        _, tables = await self._reader.tables(request.path_params["league"])
        table = next((candidate for candidate in tables if candidate.variant == request.path_params["variant"]), None)
        if table is None:
            raise HTTPException(404)
        return table_csv(table.rows).encode

    async def events(self, request: Request) -> Response:
        """Return a league's live events."""
        name = (await self._reader.league(request.path_params["league"])).name
        if self._live.readers >= MAX_READERS:
            raise HTTPException(503, "Too many people watch live just now; the page itself can be loaded again.")
        last = request.headers.get("last-event-id", request.query_params.get("last", ""))[:_MAX_NAME_LENGTH]
        return EventStream(partial(self._live.watched, name, last))

    async def round(self, request: Request) -> dict[str, Any]:
        """Return a round with every match."""
        place = request.path_params
        round_ = None
        if place["variant"] in VARIANTS:
            round_ = await self._reader.round(place["league"], place["variant"], whole_number(place["number"]))
        if round_ is None:
            raise HTTPException(404, "That round has not been paired.")
        league = await self._reader.league(place["league"])
        [latest] = [division.round for division in league.divisions if division.variant == round_.variant]
        begin = f"{round_.league}.{round_.variant}.r{round_.number}."
        watched = [match_id.removeprefix(begin) for match_id in self._watched(begin)]
        # Of a round with thousands of tables, those about the one that is asked for.
        first = max(whole_number(request.query_params.get("table", ""), 1) - 1, 0) // MAX_TABLES * MAX_TABLES
        return {"round": round_, "latest": latest, "watched": watched, "first": first, "most_tables": MAX_TABLES}

    def _watched(self, begin: str) -> tuple[str, ...]:
        """The matches whose names begin so that can be watched now."""
        return tuple(sorted(live.spec.match_id for live in self._boards if live.spec.match_id.startswith(begin)))

    async def bot(self, request: Request) -> dict[str, Any]:
        """Return a bot: its ratings, its results, its last matches."""
        bot = await bot_document(self._reader, request.path_params["bot"])
        if bot is None:
            raise HTTPException(404, "There is no bot of that name.")
        return {"bot": bot}

    async def rules_index(self, request: Request) -> Response:
        """The way to the first variant's rules."""
        return RedirectResponse(address(request, f"/rules/{VARIANTS[0]}"))

    async def variant_rules(self, request: Request) -> dict[str, Any]:
        """A variant's rules."""
        variant = request.path_params["variant"]
        if variant not in VARIANTS:
            raise HTTPException(404, "This arena does not play that variant.")
        return {"rules": rules.rules(variant, language_of(request))}

    async def document(self, request: Request) -> dict[str, Any]:
        """One of the project's documents."""
        if request.path_params["name"] not in rules.PAGES:
            raise HTTPException(404)
        title, text = rules.document(request.path_params["name"], language_of(request))
        documents = {name: title for name, (title, _) in rules.PAGES.items()}
        return {"title": title, "text": text, "documents": documents}

    async def feed(self, request: Request) -> dict[str, Any]:
        """The finished leagues, newest first, as an Atom feed."""
        finished = [league for league in await self._reader.listed_leagues() if league.state == "finished"][
            :_FEED_ENTRIES
        ]
        return {"leagues": finished, "leads": await self._winners.of(finished), "base": address_of(request)}

    async def sitemap(self, request: Request) -> dict[str, Any]:
        """The pages for search engines: those that stay, and the leagues."""
        lasting = [f"/rules/{variant}" for variant in VARIANTS] + [f"/docs/{name}" for name in rules.PAGES]
        leagues = (await self._reader.listed_leagues())[:_SITEMAP_LEAGUES]
        return {
            "base": address_of(request),
            "paths": [*_SECTIONS, *lasting],
            "leagues": leagues,
            "languages": LANGUAGES,
        }

    async def robots(self, request: Request) -> Make:
        """What programs that walk the site are asked: to leave alone what changes while it is read."""
        closed = [f"{language.prefix}{path}" for language in LANGUAGES for path in _NOT_FOR_PROGRAMS]
        asked = "".join(f"Disallow: {path}\n" for path in (*closed, CHOICE))
        text = f"User-agent: *\n{asked}Sitemap: {address_of(request)}/sitemap.xml\n"
        return text.encode
