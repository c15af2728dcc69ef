"""`arena web`, and `--web` of the commands that hold a store open anyway."""

import contextlib
import socket
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions

if TYPE_CHECKING:
    from arena.match.live import LiveMatches
    from arena.store import Store

WebAddress = Annotated[
    str | None,
    typer.Option("--web", metavar="ADDRESS", help="Also serve pages for people: HOST:PORT."),
]


def web(
    place: StoreOptions,
    listen: Annotated[str, typer.Option(metavar="ADDRESS", help="HOST:PORT of the pages.")] = "127.0.0.1:8080",
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=1000, help="How many may play by hand at once; 0 for none. By default 16."
        ),
    ] = None,
) -> None:
    """Serve pages for people.

    They show leagues live, matches, bots, rules, and games against house bots. Ctrl-C ends them.
    """
    from arena.cli.aio import run

    run(_web(listen, place, games))


async def _web(listen: str, place: StoreOptions, games: int | None) -> None:
    from arena.cli.aio import stopped

    async with place.open() as store, pages(store, listen, most_games=games):
        await stopped()


@contextlib.asynccontextmanager
async def pages(
    store: "Store", address: str | None, live: "LiveMatches | None" = None, *, most_games: int | None = None
) -> AsyncIterator[None]:
    """Pages over a store, at this address if there is one; it is printed. Raises WrongUseError.

    `live` are the matches of a node in this process.

    `most_games` is how many people may play by hand at once, by default `MOST_GAMES`.
    """
    if address is None:
        yield
        return
    from arena.match.live import LiveMatches
    from arena.web.app import create_app
    from arena.web.games.games import MOST_GAMES, Games
    from arena.web.games.routes import game_routes
    from arena.web.serving import serving
    from arena.web.site.boards import board_routes
    from arena.web.site.routes import StoredReplays, site_routes
    from arena.web.site.watchable import Watchable

    async with contextlib.AsyncExitStack() as stack:
        listening = stack.enter_context(_listening(address))
        games = Games(store, MOST_GAMES if most_games is None else most_games)
        await stack.enter_async_context(contextlib.aclosing(games))
        watchable = Watchable(live or LiveMatches(), store.shown_boards)
        await stack.enter_async_context(contextlib.aclosing(watchable))
        routes = [
            *site_routes(store, watchable),
            *game_routes(games),
            *board_routes(watchable, StoredReplays(store)),
        ]
        await stack.enter_async_context(serving(create_app(routes), listening))
        host, port = listening.getsockname()[:2]
        typer.echo(f"pages at http://{f'[{host}]' if ':' in host else host}:{port}/", err=True)
        yield


def _listening(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise WrongUseError(f"{address!r} is not HOST:PORT, for example 127.0.0.1:8080")
    try:
        family = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, int(port)), family=family)
    except OSError as error:
        raise WrongUseError(f"pages cannot be served at {address}: {error.strerror}") from error
