"""What a submitted bot wrote in its matches, for whoever has its token or its owner's.

Nobody is logged in: the token is sent with each request, in its body, and kept nowhere.
"""

import asyncio

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.printable import printable
from arena.store import Bot, Store
from arena.store.errors import InvalidNameError, MalformedTokenError, UnknownBotError, UnknownTokenError
from arena.store.outputs import MAX_OUTPUTS, Output
from arena.store.tokens import OWNER
from arena.web.forms import form_of
from arena.web.language import message
from arena.web.pages import page
from arena.web.queries import with_query
from arena.web.site.documents import moment

_NOT_YOURS = message("This is no token of the bot or of its owner.")


class Line(msgspec.Struct, frozen=True):
    """Lines of what a bot wrote, as they were read at one moment."""

    time: str
    text: str


class WrittenInMatch(msgspec.Struct, frozen=True):
    """What a version wrote in a match, or in its qualification where `match` is empty."""

    match: str
    version: str
    time: str
    lines: tuple[Line, ...]
    left_out: int


def output_routes(store: Store) -> list[Route]:
    """The page that asks for a token, and the one that it is sent to."""
    pages = _Pages(store)
    return [
        Route("/bots/{bot}/output", with_query(pages.ask)),
        Route("/bots/{bot}/output", pages.show, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(self, request: Request) -> Response:
        """The form."""
        return page(request, "output.html", bot=(await self._bot(request)).name, written=None, refused="")

    async def show(self, request: Request) -> Response:
        """The form, and what the bot wrote where the token may read it."""
        bot = await self._bot(request)
        token = (await form_of(request)).get("token", "").strip()
        is_theirs = await self._may_read(bot, token)
        written = await self._written(bot.name) if is_theirs else None
        refused = "" if is_theirs else _NOT_YOURS
        answer = page(request, "output.html", 200 if is_theirs else 403, bot=bot.name, written=written, refused=refused)
        answer.headers["cache-control"] = "no-store"
        return answer

    async def _bot(self, request: Request) -> Bot:
        try:
            return await self._store.bots.get(request.path_params["bot"])
        except (UnknownBotError, InvalidNameError) as error:
            raise HTTPException(404) from error

    async def _may_read(self, bot: Bot, token: str) -> bool:
        try:
            if token.startswith(OWNER):
                return (await self._store.owners.authenticate(token)).name == bot.owner
            return (await self._store.bots.authenticate(token)).name == bot.name
        except (MalformedTokenError, UnknownTokenError):
            return False

    async def _written(self, bot: str) -> list[WrittenInMatch]:
        """Return what may be told of it by now, the latest first: not of cards on which others play still."""
        outputs = (await self._store.outputs.page(bot, limit=MAX_OUTPUTS)).items
        is_open = await asyncio.gather(
            *(self._store.replays.is_open(output.match) for output in outputs if output.match)
        )
        hidden = {
            output.match
            for output, is_hidden in zip((o for o in outputs if o.match), is_open, strict=True)
            if is_hidden
        }
        return [_readable(output) for output in outputs if output.match not in hidden]


def _readable(output: Output) -> WrittenInMatch:
    lines = tuple(
        Line(moment(part.time_us), printable(text.expandtabs(4)))
        for part in output.parts
        for text in part.text.decode("utf-8", "replace").splitlines()
    )
    return WrittenInMatch(output.match, output.version, moment(output.ended_us), lines, output.left_out)
