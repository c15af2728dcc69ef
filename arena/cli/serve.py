"""`arena serve`."""

import ipaddress
import logging
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.places import StoreOptions
from arena.cli.web import WebAddress, pages_beside
from arena.organizer.limits import ChallengeLimits
from arena.private_files import check_private, private_folder, read_secret

if TYPE_CHECKING:
    from arena.node.server import Listen

DEFAULT_ADDRESS = "127.0.0.1:7777"

_LIMITS = ChallengeLimits()
_UNITS_S = {"d": 86_400, "h": 3_600, "m": 60}
_TIME = re.compile(r"([1-9]\d{0,5})([dhm])", re.ASCII)
_SHORTEST_KEY = 16
"""Characters of a cluster key; `arena serve` draws 43."""


class LogLevel(StrEnum):
    """How much a node logs."""

    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


def serve(
    place: StoreOptions,
    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help=f"HOST:PORT or unix:PATH, repeatable; by default {DEFAULT_ADDRESS}."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="The server's certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Listen beyond loopback without encryption.")] = False,
    advertise: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where other nodes reach this one; by default the first --listen."),
    ] = None,
    cluster_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The key with which nodes trust one another; by default one is kept in the store."
        ),
    ] = None,
    shared_port: Annotated[
        bool, typer.Option("--shared-port", help="Share the port with other nodes on this host.")
    ] = False,
    tls_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Certificates to trust in other nodes (PEM); by default the system's."),
    ] = None,
    web: WebAddress = None,
    lease: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
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
            help="How many bots in cages think at once; by default one fewer than there are processors, at least one.",
        ),
    ] = None,
    fuel: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="How many instructions a WebAssembly bot may execute for each message; kept in the store, at first "
            "10,000,000,000.",
        ),
    ] = None,
    challenge_clock: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=3600,
            help="The most time that a challenge gives a decision; its bank is at most ten times that.",
        ),
    ] = _LIMITS.clock_ms / 1000,
    challenges_open: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many single matches an owner has under way at most.")
    ] = _LIMITS.open,
    challenges_hourly: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many single matches an owner makes within an hour at most.")
    ] = _LIMITS.hourly,
    keep_matches: Annotated[
        str, typer.Option(metavar="TIME", help="How long single matches and their replays are kept: 30d, 12h, 90m.")
    ] = f"{_LIMITS.keep_s // 86_400}d",
    log: Annotated[
        LogLevel,
        typer.Option(
            metavar="|".join(LogLevel).upper(),
            case_sensitive=False,
            help="What to log: problems; also bots, leagues and rounds; also every match.",
        ),
    ] = LogLevel.INFO,
) -> None:
    """Run a node: it serves bots and plays leagues.

    With --redis any number of nodes share one store, and their bots play one another. SIGTERM and Ctrl-C end the node
    with exit status 0; matches under way are handed over or played again.
    """
    from msgspec.structs import replace

    from arena.cli.aio import run
    from arena.node.server import Listen, check_address

    if tls_key is not None:
        check_private(tls_key)
    lease_ms = None if lease is None else round(1000 * lease)
    limits = ChallengeLimits(
        round(1000 * challenge_clock), challenges_open, challenges_hourly, _read_time("--keep-matches", keep_matches)
    )
    level = logging.getLevelNamesMapping()[log.upper()]
    addresses = list(listen or [DEFAULT_ADDRESS])
    where = Listen(tuple(addresses), tls_cert, tls_key, insecure, shared_port)
    for address in where.addresses:
        check_address(address, where)  # before a store is made for nothing
    peering = None
    if place.redis is None:
        for option, given in (
            ("--advertise", advertise),
            ("--cluster-key", cluster_key),
            ("--shared-port", shared_port or None),
            ("--tls-ca", tls_ca),
        ):
            if given is not None:
                raise WrongUseError(f"{option} is for nodes that share a store: it goes with --redis URL")
    else:
        if shared_port:
            if addresses[0].startswith("unix:"):
                raise WrongUseError(f"--shared-port is for HOST:PORT, not for {addresses[0]}")
            # One of its own beside the shared one, where the others reach this node and no other.
            addresses.append(f"{addresses[0].rpartition(':')[0]}:0")
            where = replace(where, addresses=tuple(addresses))
        key = None if cluster_key is None else read_secret(cluster_key, least=_SHORTEST_KEY)
        peering = _Peering(advertise, key, shared_port, tls_ca)
        peering.check(addresses)
    run(_serve(place, where, peering, lease_ms, web, limits, processors, fuel), level)


@dataclass(frozen=True)
class _Peering:
    """What the command line says about other nodes."""

    advertise: str | None
    key: str | None
    shared_port: bool
    tls_ca: Path | None

    def check(self, addresses: list[str]) -> None:
        """Whether others can reach the node. Raises WrongUseError, AddressError."""
        from arena.node.server import check_form

        if self.advertise is not None:
            check_form(self.advertise)
        if self.advertise is None and _is_wildcard(addresses[0].rpartition(":")[0].strip("[]")):
            raise WrongUseError(f"{addresses[0]} is no address that other nodes can reach: give --advertise HOST:PORT")

    def address(self, addresses: tuple[str, ...]) -> str:
        """Where others reach the node, of the addresses that it listens on."""
        return self.advertise or addresses[-1 if self.shared_port else 0]


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


async def _serve(
    place: StoreOptions,
    listen: "Listen",
    peering: _Peering | None,
    lease_ms: int | None,
    web: str | None,
    limits: ChallengeLimits,
    processors: int | None,
    fuel: int | None,
) -> None:
    from arena.cli.aio import stopped
    from arena.launcher.cage.limits import CageLimits
    from arena.launcher.cage.shared import SharedCages
    from arena.match.live import LiveMatches
    from arena.node.node import Cluster, running_node
    from arena.store import Store

    async with await Store.open(private_folder(place.data), redis=place.redis, lease_ms=lease_ms, fuel=fuel) as store:
        cluster, live = None, LiveMatches()
        cages = SharedCages(processors=processors, limits=CageLimits.with_fuel(store.fuel))
        if peering is not None:
            cluster = Cluster(peering.key or await store.nodes.cluster_key(), peering.address, peering.tls_ca)
        running = running_node(
            store, place.data, listen, cluster, live=live, limits=limits, tries_cage=True, cages=cages
        )
        async with running as node, pages_beside(place, web):
            for address in node.addresses:
                typer.echo(f"listening on {address}")
            await stopped()
