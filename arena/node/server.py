"""A node's gRPC server: listens, serves, ends."""

import errno
import ipaddress
import os
import socket
import ssl
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from msgspec import Struct

from arena.node.errors import AddressError, AddressInUseError, InsecureListenError, TlsFilesError
from arena.processes import connections_limit
from arena.rpc.auth import AuthInterceptor
from arena.rpc.identity import TokenDirectory
from arena.rpc.open_calls import OpenCalls
from arena.sdk.addresses import host_and_port
from arena.services.variants import VariantServicer
from arena.stream.hub import Hub
from arena.stream.play import PlayServicer

_UNIX = "unix:"
_UNIX_PATH_BYTES = 107
_STREAMS_PER_CHANNEL = 256
_METADATA_BYTES = 8_192
"""What a call's headers may take: a token is short."""
_PACKAGE = "hanafuda.arena.v1"


class Listen(Struct, frozen=True):
    """Where a node listens: `unix:PATH` or `HOST:PORT` (port 0: any free one).

    Beyond loopback it needs TLS files, or `insecure`. With `shared`, several processes may listen on one port. With
    `reflection`, anybody may ask which services and messages there are.
    """

    addresses: tuple[str, ...]
    tls_cert: Path | None = None
    tls_key: Path | None = None
    insecure: bool = False
    shared: bool = False
    reflection: bool = False


@dataclass(eq=False)
class Server:
    """The gRPC server of a node: PlayService, VariantService, health, and what is given."""

    hub: Hub
    tokens: TokenDirectory
    servicers: Sequence[object] = ()
    node_key: TokenDirectory | None = None
    calls: OpenCalls | None = None
    addresses: tuple[str, ...] = ()
    """Where it listens, with the ports that were found."""

    def __post_init__(self) -> None:
        self._server: grpc.aio.Server | None = None
        self._health = health.aio.HealthServicer()
        self._services: tuple[str, ...] = ()
        self._shown: int | None = None

    async def start(self, listen: Listen) -> None:
        """Listen and serve. Raises AddressError, AddressInUseError, InsecureListenError, TlsFilesError."""
        for address in listen.addresses:
            check_address(address, listen)
        credentials = _credentials(listen)
        server = grpc.aio.server(
            interceptors=(AuthInterceptor(self.tokens, self.node_key, self.calls),), options=self._options(listen)
        )
        server.add_generic_rpc_handlers((PlayServicer(self.hub).handler(),))
        names = [
            f"{_PACKAGE}.PlayService",
            *(_add(servicer, server) for servicer in (VariantServicer(), *self.servicers)),
            health.SERVICE_NAME,
        ]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if listen.reflection:
            reflection.enable_server_reflection([*names, reflection.SERVICE_NAME], server)
        self.addresses = tuple(_bind(server, address, credentials) for address in listen.addresses)
        await server.start()
        self._server = server
        self._services = ("", *names)
        await self.show_health(serving=True)

    async def show_health(self, *, serving: bool) -> None:
        """Answer gRPC's health checks so: a node whose store does not answer serves nobody."""
        status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        if self._server is None or status == self._shown:
            return
        self._shown = status
        for name in self._services:
            await self._health.set(name, status)

    async def stop(self) -> None:
        """Say goodbye to the bots, let calls end for as long as goodbyes may take, and stop."""
        if self._server is not None:
            await self._health.enter_graceful_shutdown()
            self.hub.shut_down()
            await self._server.stop(self.hub.limits.goodbye_ms / 1000)
            self._server = None

    def _options(self, listen: Listen) -> list[tuple[str, int]]:
        return [
            ("grpc.so_reuseport", int(listen.shared)),
            ("grpc.max_receive_message_length", self.hub.limits.message_bytes),
            ("grpc.max_concurrent_streams", _STREAMS_PER_CHANNEL),
            ("grpc.max_metadata_size", _METADATA_BYTES),
            ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
            # Whoever connects and says nothing, or calls nothing, keeps no place.
            ("grpc.max_allowed_incoming_connections", connections_limit() // len(listen.addresses)),
            ("grpc.server_handshake_timeout_ms", 5_000),
            ("grpc.max_connection_idle_ms", 300_000),
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
            ("grpc.keepalive_permit_without_calls", 1),
        ]


def _add(servicer: object, server: grpc.aio.Server) -> str:
    """Add a servicer to a server, by the function that gRPC generates for each service. The service's full name."""
    service = next(kind for kind in type(servicer).__mro__ if kind.__module__.endswith("_pb2_grpc"))
    getattr(sys.modules[service.__module__], f"add_{service.__name__}_to_server")(servicer, server)
    return f"{_PACKAGE}.{service.__name__.removesuffix('Servicer')}"


def check_form(address: str) -> None:
    """Whether the text is an address. Raises AddressError."""
    if not address.startswith(_UNIX):
        _split(address)


def check_address(address: str, listen: Listen) -> None:
    """Whether a node may listen on the address. Raises AddressError, AddressInUseError, InsecureListenError."""
    if address.startswith(_UNIX):
        _check_path(address.removeprefix(_UNIX))
        return
    host, port = _split(address)
    if not _is_loopback(host) and not listen.insecure and listen.tls_cert is None:
        raise InsecureListenError(
            f"{address} is not on loopback: give --tls-cert and --tls-key, or --insecure to go without encryption"
        )
    if not listen.shared:
        _check_port(address, host, port)


def _split(address: str) -> tuple[str, int]:
    place = host_and_port(address)
    if place is None:
        raise AddressError(f"{address!r} is no address: it has to be unix:PATH or HOST:PORT")
    return place


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_path(path: str) -> None:
    """Check that no process listens on the socket: gRPC would replace it."""
    if not path or len(os.fsencode(path)) > _UNIX_PATH_BYTES:
        raise AddressError(f"unix:{path} cannot be bound: a socket's path has 1 to {_UNIX_PATH_BYTES} bytes")
    if not Path(path).absolute().parent.is_dir():
        raise AddressError(f"unix:{path} cannot be bound: its folder does not exist")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return
        except OSError as error:
            raise AddressError(f"unix:{path} cannot be bound: {error.strerror}") from error
    raise AddressInUseError(f"another process listens on unix:{path}")


def _check_port(address: str, host: str, port: int) -> None:
    """Bind once as a trial: gRPC does not say why it could not."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise AddressError(f"{address} cannot be bound: {error.strerror}") from error
    for family, kind, protocol, _, where in addresses:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(where)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise AddressInUseError(f"another process listens on {address}") from error
                raise AddressError(f"{address} cannot be bound: {error.strerror}") from error


def _credentials(listen: Listen) -> grpc.ServerCredentials | None:
    if listen.tls_cert is None and listen.tls_key is None:
        return None
    if listen.tls_cert is None or listen.tls_key is None:
        raise TlsFilesError("a certificate and its key belong together: give both or none")
    try:
        pair = (listen.tls_key.read_bytes(), listen.tls_cert.read_bytes())
        # gRPC does not say what it dislikes about them.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(listen.tls_cert, listen.tls_key)
    except ssl.SSLError as error:
        raise TlsFilesError(
            f"{listen.tls_cert} and {listen.tls_key} are no certificate and its key (PEM): {error}"
        ) from error
    except OSError as error:
        raise TlsFilesError(f"{error.filename} cannot be read: {error.strerror}") from error
    return grpc.ssl_server_credentials([pair])


def _bind(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> str:
    """Listen on one address; unix sockets are never encrypted. Returns the address with its real port."""
    try:
        if credentials is None or address.startswith(_UNIX):
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        raise AddressError(f"{address} cannot be bound: {error}") from error
    return address if address.startswith(_UNIX) else f"{address.rpartition(':')[0]}:{port}"
