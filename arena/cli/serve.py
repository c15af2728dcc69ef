"""`arena serve`."""

import ipaddress
import logging
import math
import re
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

import typer

from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions
from arena.cli.web import WebAddress, pages_beside
from arena.organizer.limits import ChallengeLimits
from arena.private_files import check_private, private_folder, read_secret

DEFAULT_ADDRESS = "127.0.0.1:7777"
LogLevel = Literal["warning", "info", "debug"]

_LIMITS = ChallengeLimits()
_UNITS_S = {"d": 86_400, "h": 3_600, "m": 60}
_MOST_CHALLENGES = 1_000_000
_TIME = re.compile(r"([1-9]\d{0,5})([dhm])", re.ASCII)
_SHORTEST_KEY = 16
"""Characters of a cluster key; `arena serve` draws 43."""


class Peering(NamedTuple):
    """How a node that shares its store finds other nodes, and they find it."""

    advertise: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where other nodes reach this one; by default the first --listen."),
    ] = None
    cluster_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The key with which nodes trust one another; by default one is kept in the store."
        ),
    ] = None
    shared_port: Annotated[
        bool, typer.Option("--shared-port", help="Share the port with other nodes on this host.")
    ] = False
    tls_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Certificates to trust in other nodes (PEM); by default the system's."),
    ] = None

    def check(self, address: str, *, shares_store: bool) -> None:
        """Whether others, if there are any, reach a node that has this first address. WrongUseError, AddressError."""
        from arena.node.server import check_form
        from arena.sdk.addresses import host_and_port

        if not shares_store:
            for option, given in self._asdict().items():
                if given not in (None, False):
                    named = option.replace("_", "-")
                    raise WrongUseError(f"--{named} is for nodes that share a store: it goes with --redis URL")
            return
        if self.shared_port and address.startswith("unix:"):
            raise WrongUseError(f"--shared-port is for HOST:PORT, not for {address}")
        if self.advertise is not None:
            check_form(self.advertise)
        elif (place := host_and_port(address)) and _is_wildcard(place[0]):
            raise WrongUseError(f"{address} is no address that other nodes can reach: give --advertise HOST:PORT")

    def address(self, bound: tuple[str, ...]) -> str:
        """Where others reach the node, of the addresses that it listens on."""
        return self.advertise or bound[-1 if self.shared_port else 0]


def _seconds(value: float | None) -> float | None:
    """The value of an option for a time: `nan` is in every range."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is no time.")
    return value


def serve(
    place: StoreOptions,
    *,
    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help=f"HOST:PORT or unix:PATH, repeatable; by default {DEFAULT_ADDRESS}."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="The server's certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Listen beyond loopback without encryption.")] = False,
    peering: Peering,
    web: WebAddress = None,
    lease: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            callback=_seconds,
            min=1,
            max=600,
            help="How long after a node's death others take over its matches; kept in the store, 10 at first.",
        ),
    ] = None,
    processors: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000,
            help="How many bots in cages think at once; by default one fewer than there are processors, at least one.",
        ),
    ] = None,
    fuel: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000_000_000_000_000,
            help="How many instructions a WebAssembly bot may execute for each message; kept in the store, at first "
            "10,000,000,000.",
        ),
    ] = None,
    challenge_clock: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            callback=_seconds,
            min=0.1,
            max=3600,
            help="The most time that a challenge gives a decision; its bank is at most ten times that.",
        ),
    ] = _LIMITS.clock_ms / 1000,
    challenges_open: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=_MOST_CHALLENGES, help="How many single matches an owner has under way at most."
        ),
    ] = _LIMITS.open,
    challenges_hourly: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=_MOST_CHALLENGES,
            help="How many single matches an owner makes within an hour at most.",
        ),
    ] = _LIMITS.hourly,
    keep_matches: Annotated[
        str, typer.Option(metavar="TIME", help="How long single matches and their replays are kept: 30d, 12h, 90m.")
    ] = f"{_LIMITS.keep_s // 86_400}d",
    log: Annotated[
        LogLevel,
        typer.Option(
            metavar="|".join(get_args(LogLevel)).upper(),
            case_sensitive=False,
            help="What to log: problems; also bots, leagues and rounds; also every match.",
        ),
    ] = "info",
) -> None:
    """Run a node: it serves bots and plays leagues.

    With --redis any number of nodes share one store, and their bots play one another. SIGTERM and Ctrl-C end the node
    with exit status 0; matches under way are handed over or played again.
    """
    from msgspec.structs import replace

    from arena.cli.aio import run, stopped
    from arena.launcher.cage.limits import CageLimits
    from arena.launcher.cage.shared import SharedCages
    from arena.match.live import LiveMatches
    from arena.node.node import Cluster, running_node
    from arena.node.server import Listen, check_address
    from arena.store import Store

    if tls_key is not None:
        check_private(tls_key)
    lease_ms = None if lease is None else round(1000 * lease)
    limits = ChallengeLimits(
        round(1000 * challenge_clock), challenges_open, challenges_hourly, _read_time("--keep-matches", keep_matches)
    )
    where = Listen(tuple(listen or [DEFAULT_ADDRESS]), tls_cert, tls_key, insecure, peering.shared_port)
    for address in where.addresses:
        check_address(address, where)  # before a store is made for nothing
    first = where.addresses[0]
    peering.check(first, shares_store=place.redis is not None)
    if peering.shared_port:
        # One of its own beside the shared one, where the others reach this node and no other.
        where = replace(where, addresses=(*where.addresses, f"{first.rpartition(':')[0]}:0"))
    key = None if peering.cluster_key is None else read_secret(peering.cluster_key, least=_SHORTEST_KEY)

    async def node() -> None:
        folder = private_folder(place.data)
        async with await Store.open(folder, redis=place.redis, lease_ms=lease_ms, fuel=fuel) as store:
            cluster = None
            if place.redis is not None:
                cluster = Cluster(key or await store.nodes.cluster_key(), peering.address, peering.tls_ca)
            running = running_node(
                store,
                place.data,
                where,
                cluster,
                live=LiveMatches(),
                limits=limits,
                tries_cage=True,
                cages=SharedCages(processors=processors, limits=CageLimits.with_fuel(store.fuel)),
            )
            async with running as served, pages_beside(place, web):
                for address in served.addresses:
                    typer.echo(f"listening on {address}")
                await stopped()

    run(node(), logging.getLevelNamesMapping()[log.upper()])


def _is_wildcard(host: str) -> bool:
    """Whether the host stands for all of a machine's addresses."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _read_time(option: str, text: str) -> int:
    """The seconds of `30d`, `12h` or `90m`; WrongUseError."""
    given = _TIME.fullmatch(text)
    if given is None:
        raise WrongUseError(f"{option} takes days, hours or minutes, for example 30d, 12h or 90m, not {text!r}")
    return int(given[1]) * _UNITS_S[given[2]]
