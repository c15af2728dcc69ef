"""The lists of the site: leagues, bots, matches, what a search finds, and two bots side by side."""

import asyncio
import math
import time
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.names import is_name, season_name
from arena.store.errors import InvalidCursorError
from arena.web.language import Filled
from arena.web.site.bot_list import ListedBot, listed_bots, page_of, with_runtimes
from arena.web.site.match_list import RESULTS, MatchQuery, latest_matches
from arena.web.site.reader import Reader
from arena.web.site.replay_files import ReplayFiles
from arena.web.site.versus import versus_document
from arena.web.site.winners import Winners
from arena.web.work import MadeOnce
from core_ext import VARIANTS

MATCH_FILTERS = MatchQuery.__struct_fields__
_PAGE = 50
_SEASONS = 12
"""Of a ladder, those before the one under way."""
_MAX_FOUND = 20
"""Of bots and of leagues, in a search."""
_MIN_BOTS_CACHED_S = 5
_BOTS_CACHED_FACTOR = 100
_MAX_BOTS_CACHED_S = 60
"""How long the list of all bots stands before it is gathered anew: at least so long, or so many times as it took."""
_PATIENCE_S = 0.1
_VALUES = {"variant": VARIANTS, "result": RESULTS, "forfeited": ("yes", "no")}


class Lists:
    """The lists of one store."""

    def __init__(self, reader: Reader, files: ReplayFiles, winners: Winners) -> None:
        self._reader = reader
        self._files = files
        self._winners = winners
        self._gathering: MadeOnce[str, list[ListedBot]] = MadeOnce(0)
        self._bots: list[ListedBot] = []
        self._bots_until = -math.inf

    async def leagues(self, request: Request) -> dict[str, Any]:
        """The leagues, those under way first, then those to come, then the newest; each with its winner or leader."""
        leagues = await self._reader.listed_leagues()
        begin = 0
        if after := request.query_params.get("after", ""):
            names = [league.name for league in leagues]
            if after not in names:
                raise InvalidCursorError(after)
            begin = names.index(after) + 1
        page = leagues[begin : begin + _PAGE]
        is_last = begin + _PAGE >= len(leagues)
        return {
            "leagues": page,
            "leads": await self._winners.of(page),
            "next": "" if is_last else page[-1].name,
        }

    async def ladders(self, _: Request) -> dict[str, Any]:
        """The ladders, by name, each with its first bots."""
        return {"ladders": await self._reader.ladders()}

    async def ladder(self, request: Request) -> dict[str, Any]:
        """A ladder with its table, and the numbers of its last seasons before this one."""
        view = await self._reader.ladder(request.path_params["ladder"])
        seasons = [*range(view.season - 1, 0, -1)][:_SEASONS]
        return {
            "ladder": view,
            "seasons": [{"number": season, "league": season_name(view.name, season)} for season in seasons],
        }

    async def bots(self, request: Request) -> dict[str, Any]:
        """The bots that are registered or have entered one of the latest leagues, by name, each with its ratings."""
        query = request.query_params
        name = query.get("name", "").strip()
        listed, after = page_of(await self._listed(), name, query.get("after", ""))
        return {"bots": await with_runtimes(self._reader, listed), "name": name, "next": after}

    async def prepare(self) -> None:
        """Gather the bots, if nobody has yet: later ones wait for no list, but see the one before."""
        if not self._bots:
            await self._listed()

    async def _listed(self) -> list[ListedBot]:
        if time.monotonic() >= self._bots_until:
            gathering = asyncio.ensure_future(self._gathering.get("bots", self._gathered))
            gathering.add_done_callback(lambda done: done.cancelled() or done.exception())
            if self._bots:  # which stand until those after them are gathered
                await asyncio.wait((gathering,), timeout=_PATIENCE_S)
            if not self._bots or gathering.done():
                await gathering
        return self._bots

    async def _gathered(self) -> list[ListedBot]:
        began = time.monotonic()
        bots = await listed_bots(self._reader)
        now = time.monotonic()
        stands_s = min(max(_MIN_BOTS_CACHED_S, _BOTS_CACHED_FACTOR * (now - began)), _MAX_BOTS_CACHED_S)
        self._bots, self._bots_until = bots, now + stands_s
        return bots

    async def matches(self, request: Request) -> dict[str, Any]:
        """Return the matches whose replays can be read, the newest first, by the filters of the query."""
        asked = {name: request.query_params.get(name, "").strip() for name in MATCH_FILTERS}
        for name, values in _VALUES.items():
            if asked[name] and asked[name] not in values:
                raise HTTPException(400, Filled("%(name)s is one of %(values)s.", name=name, values=", ".join(values)))
        query = MatchQuery(**asked)
        if query.result and not query.bot:
            raise HTTPException(400, "To filter by result, name the bot as well.")
        files = await run_in_threadpool(self._files.newest)
        matches, after = await latest_matches(self._reader, files, query, request.query_params.get("after", ""))
        chosen = urlencode({name: value for name, value in asked.items() if value})
        return {"query": query, "chosen": chosen, "matches": matches, "next": after}

    async def search(self, request: Request) -> dict[str, Any]:
        """Return the bots and leagues that have something in their names, and the matches of that very name."""
        text = request.query_params.get("q", "").strip()
        results: dict[str, Any] = {"q": text, "bots": [], "leagues": [], "matches": [], "of": "", "replay": ""}
        if not text:
            return results
        part = text.casefold()
        bots = [bot for bot in await self._listed() if part in bot.name.casefold()]
        leagues = [league for league in await self._reader.listed_leagues() if part in league.name.casefold()]
        results["bots"] = sorted(bots, key=lambda bot: bot.name.casefold() != part)[:_MAX_FOUND]
        results["leagues"] = sorted(leagues, key=lambda league: league.name.casefold() != part)[:_MAX_FOUND]
        if await self._reader.store.replays.time_us(text) and not await self._reader.store.replays.is_open(text):
            results["replay"] = text
        for query in (MatchQuery(bot=text), MatchQuery(league=text)):
            if not results["matches"] and is_name(text):
                results["matches"], _ = await latest_matches(self._reader, (), query, limit=5)
                results["of"] = "bot" if query.bot else "league"
        return results

    async def versus(self, request: Request) -> dict[str, Any]:
        """Return two bots side by side."""
        bot, opponent = (request.query_params.get(name, "").strip() for name in ("bot", "other"))
        if not bot or not opponent or bot == opponent:
            return {"bot": bot, "other": opponent, "versus": None}
        return {"bot": bot, "other": opponent, "versus": await versus_document(self._reader, bot, opponent)}
