"""`arena serve`."""

import logging
from typing import Annotated, Literal, get_args

import typer

from arena.cli.config_file import ConfigFile
from arena.cli.endpoint import MetricsAddress, endpoint_beside
from arena.cli.serve_options import Caging, Challenges, Listening, Peering, Tracing, seconds
from arena.cli.targets import StoreOptions
from arena.cli.web import WebAddress, pages_beside
from arena.private_files import private_folder

LogLevel = Literal["warning", "info", "debug", "json"]


def serve(
    target: StoreOptions,
    *,
    listening: Listening,
    peering: Peering,
    web: WebAddress = None,
    metrics: MetricsAddress = None,
    lease: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            callback=seconds,
            min=1,
            max=600,
            help="How long after a node's death others take over its matches; kept in the store, 10 at first.",
        ),
    ] = None,
    caging: Caging,
    challenges: Challenges,
    tracing: Tracing,
    config: ConfigFile = None,
    log: Annotated[
        LogLevel,
        typer.Option(
            metavar="|".join(get_args(LogLevel)).upper(),
            case_sensitive=False,
            help="What to log: problems; also bots, leagues and rounds; also every match; all of that as JSON.",
        ),
    ] = "info",
) -> None:
    """Run a node: it serves bots and plays leagues.

    With --redis any number of nodes share one store, and their bots play one another. SIGTERM and Ctrl-C end the node
    with exit status 0; matches under way are handed over or played again.
    """
    from arena.cli.aio import run, stopped
    from arena.match.live import LiveMatches
    from arena.node.node import NodeOptions, running_node
    from arena.store import Store

    # All of this before a store is made for nothing.
    shares_store = target.redis is not None
    options = NodeOptions(tries_cage=True, limits=challenges.limits())
    listen = listening.checked(shared_port=peering.shared_port)
    peering.check(listen.addresses[0], shares_store=shares_store)
    tracing.check()
    listen, key = peering.with_own_address(listen), peering.read_key()
    lease_ms = None if lease is None else round(1000 * lease)

    async def node() -> None:
        folder = private_folder(target.data)
        async with await Store.open(folder, redis=target.redis, lease_ms=lease_ms, fuel=caging.fuel) as store:
            cluster = await peering.cluster(store, key) if shares_store else None
            cages, live = caging.cages(store), LiveMatches()
            async with (
                tracing.sent() as traces,
                running_node(
                    store, target.data, listen, cluster, options, live=live, cages=cages, traces=traces
                ) as served,
                pages_beside(target, web, config),
            ):
                presence = served.presence
                async with endpoint_beside(store, metrics, presence.load, presence.unready):
                    for address in served.addresses:
                        typer.echo(f"listening on {address}")
                    await stopped(presence.asked_to_drain)

    as_json = log == "json"
    run(node(), logging.INFO if as_json else logging.getLevelNamesMapping()[log.upper()], log_as_json=as_json)
