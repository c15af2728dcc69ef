"""The options of `arena serve`, in the groups in which they go together."""

import contextlib
import ipaddress
import math
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import urlsplit

import typer

from arena.cli.failures import WrongUseError
from arena.organizer.limits import ChallengeLimits
from arena.private_files import check_private, read_secret

if TYPE_CHECKING:
    from arena.launcher.cage.shared import SharedCages
    from arena.node.node import Cluster
    from arena.node.server import Listen
    from arena.node.traces import MatchTraces
    from arena.store import Store

DEFAULT_ADDRESS = "127.0.0.1:7777"

_LIMITS = ChallengeLimits()
_UNITS_S = {"d": 86_400, "h": 3_600, "m": 60}
_MAX_CHALLENGES = 1_000_000
_TRACES_PATH = "/v1/traces"
"""Where collectors take spans, where their URL names no other path."""
_TIME = re.compile(r"([1-9]\d{0,5})([dhm])", re.ASCII)
_MIN_KEY = 16
"""Characters of a cluster key; `arena serve` draws 43."""


def seconds(value: float | None) -> float | None:
    """Return the value of an option for a time: `nan` is in every range. Raises BadParameter."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is no time.")
    return value


class Listening(NamedTuple):
    """Where a node listens."""

    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help=f"HOST:PORT or unix:PATH, repeatable; by default {DEFAULT_ADDRESS}."),
    ] = None
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="The server's certificate (PEM).")] = None
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's key (PEM).")] = None
    insecure: Annotated[bool, typer.Option("--insecure", help="Listen beyond loopback without encryption.")] = False
    reflection: Annotated[
        bool, typer.Option("--reflection", help="Answer gRPC reflection, which tools such as grpcurl ask for.")
    ] = False

    def checked(self, *, shared_port: bool) -> "Listen":
        """Return where to listen, once it is known that this is allowed. Raises what keeps a node from it."""
        from arena.node.server import Listen, check_address

        if self.tls_key is not None:
            check_private(self.tls_key)
        addresses = tuple(self.listen or [DEFAULT_ADDRESS])
        listen = Listen(addresses, self.tls_cert, self.tls_key, self.insecure, shared_port, self.reflection)
        for address in addresses:
            check_address(address, listen)
        return listen


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
        """Check that others, if any, reach a node whose first address this is. WrongUseError, AddressError."""
        from arena.node.server import check_form
        from arena.sdk.addresses import host_and_port

        if not shares_store:
            for option, value in self._asdict().items():
                if value not in (None, False):
                    named = option.replace("_", "-")
                    raise WrongUseError(f"--{named} is for nodes that share a store: it goes with --redis URL")
            return
        if self.shared_port and address.startswith("unix:"):
            raise WrongUseError(f"--shared-port is for HOST:PORT, not for {address}")
        if self.advertise is not None:
            check_form(self.advertise)
        elif (place := host_and_port(address)) and _is_wildcard(place[0]):
            raise WrongUseError(f"{address} is no address that other nodes can reach: give --advertise HOST:PORT")

    def with_own_address(self, listen: "Listen") -> "Listen":
        """Return where to listen: beside a port that is shared, at one where others reach this node and no other."""
        from msgspec.structs import replace

        if not self.shared_port:
            return listen
        host = listen.addresses[0].rpartition(":")[0]
        return replace(listen, addresses=(*listen.addresses, f"{host}:0"))

    def read_key(self) -> str | None:
        """Return the cluster's key, where it is in a file. Raises what keeps it from being read."""
        return None if self.cluster_key is None else read_secret(self.cluster_key, least=_MIN_KEY)

    async def cluster(self, store: "Store", key: str | None) -> "Cluster":
        """Return the cluster that the node joins: with this key, or the one that the store keeps."""
        from arena.node.node import Cluster

        return Cluster(key or await store.nodes.cluster_key(), self.address, self.tls_ca)

    def address(self, bound: tuple[str, ...]) -> str:
        """Return where others reach the node, of the addresses that it listens on."""
        return self.advertise or bound[-1 if self.shared_port else 0]


class Caging(NamedTuple):
    """What bots in cages may use."""

    processors: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000,
            help="How many bots in cages think at once; by default one fewer than there are processors, at least one.",
        ),
    ] = None
    fuel: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000_000_000_000_000,
            help="How many instructions a WebAssembly bot may execute for each message; kept in the store, at first "
            "10,000,000,000.",
        ),
    ] = None

    def cages(self, store: "Store") -> "SharedCages":
        """Return the cages of a node over the store."""
        from arena.launcher.cage.limits import CageLimits
        from arena.launcher.cage.shared import SharedCages

        return SharedCages(processors=self.processors, limits=CageLimits.with_fuel(store.fuel))


class Tracing(NamedTuple):
    """Whether a node sends traces of its matches, and where to."""

    traces: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Send a span of each match to an OpenTelemetry collector, by OTLP over HTTP: http://HOST:4318.",
        ),
    ] = None
    trace_decisions: Annotated[
        bool, typer.Option("--trace-decisions", help="Send a span of each decision too: some hundreds a match.")
    ] = False

    def check(self) -> None:
        """Check that spans can be sent. Raises WrongUseError."""
        if self.traces is None:
            if self.trace_decisions:
                raise WrongUseError("--trace-decisions goes with --traces URL")
            return
        url = urlsplit(self.traces)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise WrongUseError(
                f"--traces takes the URL of a collector, for example http://127.0.0.1:4318, not {self.traces!r}"
            )
        if url.username or url.password:
            raise WrongUseError("a password in --traces would be seen by others: use OTEL_EXPORTER_OTLP_HEADERS")
        try:
            import arena.node.traces  # noqa: F401
        except ModuleNotFoundError as error:
            raise WrongUseError(f"{error.name} is not installed: pip install 'hanafuda-arena[traces]'") from error

    @contextlib.asynccontextmanager
    async def sent(self) -> "AsyncIterator[MatchTraces | None]":
        """Send what the node that runs in the body tells of its matches, if that is wanted."""
        if self.traces is None:
            yield None
            return
        from arena.node.traces import sent_to

        url = urlsplit(self.traces)
        path = _TRACES_PATH if url.path in ("", "/") else url.path
        async with sent_to(url._replace(path=path).geturl(), decisions=self.trace_decisions) as traces:
            yield traces


class Challenges(NamedTuple):
    """How much of the arena the single matches of an owner may take."""

    challenge_clock: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            callback=seconds,
            min=0.1,
            max=3600,
            help="The most time that a challenge gives a decision; its bank is at most ten times that.",
        ),
    ] = _LIMITS.clock_ms / 1000
    challenges_open: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=_MAX_CHALLENGES, help="How many single matches an owner has under way at most."
        ),
    ] = _LIMITS.open
    challenges_hourly: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=_MAX_CHALLENGES,
            help="How many single matches an owner makes within an hour at most.",
        ),
    ] = _LIMITS.hourly
    keep_matches: Annotated[
        str, typer.Option(metavar="TIME", help="How long single matches and their replays are kept: 30d, 12h, 90m.")
    ] = f"{_LIMITS.keep_s // 86_400}d"

    def limits(self) -> ChallengeLimits:
        """Return them as the node takes them. Raises WrongUseError."""
        return ChallengeLimits(
            round(1000 * self.challenge_clock),
            self.challenges_open,
            self.challenges_hourly,
            read_time("--keep-matches", self.keep_matches),
        )


def _is_wildcard(host: str) -> bool:
    """Whether the host stands for all of a machine's addresses."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def read_time(option: str, text: str) -> int:
    """Return the seconds of `30d`, `12h` or `90m`; WrongUseError."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise WrongUseError(f"{option} takes days, hours or minutes, for example 30d, 12h or 90m, not {text!r}")
    return int(match[1]) * _UNITS_S[match[2]]
