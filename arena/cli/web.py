"""`arena web`, and `--web` of the commands that hold a store open anyway."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.config_file import ConfigFile
from arena.cli.endpoint import MetricsAddress, endpoint_beside
from arena.cli.listening import listening_socket
from arena.cli.targets import StoreOptions

WebAddress = Annotated[
    str | None,
    typer.Option("--web", metavar="ADDRESS", help="Also serve pages for people: HOST:PORT."),
]


def web(
    target: StoreOptions,
    listen: Annotated[str, typer.Option(metavar="ADDRESS", help="HOST:PORT of the pages.")] = "127.0.0.1:8080",
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=1000, help="How many may play by hand at once; 0 for none. By default 16."
        ),
    ] = None,
    metrics: MetricsAddress = None,
    config: ConfigFile = None,  # noqa: ARG001 - the other settings were taken from it when it was read
) -> None:
    """Serve pages for people.

    They show leagues live, matches, bots, rules, and games against house bots. Ctrl-C ends them.
    """
    from arena.cli.aio import run

    run(_web(listen, target, games, metrics))


async def _web(listen: str, target: StoreOptions, games: int | None, metrics: str | None) -> None:
    import asyncio

    from arena.node.process import collect_while_serving
    from arena.web.app import create_app
    from arena.web.games.games import MAX_GAMES, Games
    from arena.web.games.routes import game_routes
    from arena.web.lesson.routes import lesson_routes
    from arena.web.serving import serving
    from arena.web.site.ahead import Ahead
    from arena.web.site.routes import site_routes
    from arena.web.site.watchable import Watchable
    from arena.web.viewer.analysis.analyses import Analyses

    async with contextlib.AsyncExitStack() as stack:
        store = await stack.enter_async_context(target.open(create=True))
        listening = stack.enter_context(listening_socket(listen, "pages"))
        by_hand = Games(store, MAX_GAMES if games is None else games)
        await stack.enter_async_context(contextlib.aclosing(by_hand))
        watchable = Watchable(store.snapshots)
        await stack.enter_async_context(contextlib.aclosing(watchable))
        analyses = Analyses(store.findings)
        await stack.enter_async_context(contextlib.aclosing(analyses))
        ahead = Ahead()
        files = target.data / "replays" if target.redis is None else None
        routes = [
            *site_routes(store, watchable, files, analyses, ahead),
            *game_routes(by_hand),
            *lesson_routes(),
        ]
        await stack.enter_async_context(serving(create_app(routes), listening))
        await stack.enter_async_context(ahead.running())
        await stack.enter_async_context(endpoint_beside(store, metrics))
        collect_while_serving()
        host, port = listening.getsockname()[:2]
        typer.echo(f"pages at http://{f'[{host}]' if ':' in host else host}:{port}/", err=True)
        with contextlib.suppress(asyncio.CancelledError):  # as the command is asked to stop
            await store.lost()


@contextlib.asynccontextmanager
async def pages_beside(target: StoreOptions, address: str | None, config: Path | None = None) -> AsyncIterator[None]:
    """`arena web` at this address, if there is one, over a store that this process holds open. Raises WrongUseError."""
    if address is None:
        yield
        return
    from arena.web.beside import site_process

    with listening_socket(address, "pages") as listening:
        async with site_process(listening, target.data, target.redis, config):
            yield
