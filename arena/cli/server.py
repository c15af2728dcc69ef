"""Options of commands that call an arena over the network: where it is, and with which token."""

import inspect
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer

from arena.cli.failures import WrongUseError
from arena.private_files import read_secret

if TYPE_CHECKING:
    from arena.remote.remote import Remote
    from arena.sdk.connection import Endpoint

T = TypeVar("T")

_Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="ADDRESS",
        envvar="ARENA_SERVER",
        help="Call the arena at HOST:PORT or unix:PATH instead of using a store; several nodes: a,b.",
    ),
]
_Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="ARENA_TOKEN",
        help="The owner's or bot's token for --server; @FILE reads it from a file.",
    ),
]
_Tls = Annotated[bool, typer.Option("--tls", envvar="ARENA_TLS", help="The arena at --server speaks TLS.")]
_TlsCa = Annotated[
    Path | None,
    typer.Option("--tls-ca", metavar="FILE", envvar="ARENA_TLS_CA", help="Certificates to trust, for --server."),
]


class Server(NamedTuple):
    """An arena to call: its addresses with commas between them, a token, and whether it speaks TLS."""

    address: str
    token: str
    tls: bool = False
    ca: Path | None = None

    @property
    def endpoint(self) -> "Endpoint":
        """The same for a client."""
        from arena.sdk.connection import Endpoint

        return Endpoint(self.address, self.token, self.tls, self.ca)

    def connect(self) -> "AbstractAsyncContextManager[Remote]":
        """A connection to it. Raises RemoteError."""
        from arena.remote.remote import connected

        return connected(self.endpoint)


def with_server(function: Callable[..., T]) -> Callable[..., T]:
    """Gives a command the options `--server`, `--token`, `--tls` and `--tls-ca`.

    The function takes them as one parameter `server`: None when the command is to use a store. One that takes neither
    `data` nor `redis` always gets a server.
    """

    @wraps(function)
    def command(
        context: typer.Context, server: str | None, token: str | None, tls: bool, tls_ca: Path | None, **given: Any
    ) -> T:
        if not _is_meant(context, given.keys() & _OF_A_STORE):
            return function(**given, server=None)
        return function(**given, server=_server(server, token, tls, tls_ca))

    hints = get_type_hints(function, include_extras=True)
    own = [
        one.replace(annotation=hints[name])
        for name, one in inspect.signature(function).parameters.items()
        if name != "server"
    ]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, kind, default in (
            ("context", typer.Context, inspect.Parameter.empty),
            ("server", _Server, None),
            ("token", _Token, None),
            ("tls", _Tls, False),
            ("tls_ca", _TlsCa, None),
        )
    ]
    command.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in (*own, *options)}
    return command


_OF_A_STORE = frozenset({"data", "redis"})
"""The parameters that name a store."""
_OF_A_SERVER = ("token", "tls", "tls_ca")


def _is_meant(context: typer.Context, of_a_store: Iterable[str]) -> bool:
    """Whether a command is to call a server. The command line counts for more than the environment.

    Raises WrongUseError where both a server and a store are named, or nothing of which the command has need.
    """
    typed, preset = (
        {name for name in context.params if context.params[name] and _source(context, name) == source}
        for source in ("COMMANDLINE", "ENVIRONMENT")
    )
    stores = set(of_a_store)
    for named in (typed, preset):
        if "server" in named:
            if named & stores:
                store = f"--{min(named & stores)}"
                raise WrongUseError(f"--server calls an arena, and {store} names a store: give one of them")
            return True
        if named & stores:
            break
    if not stores:
        raise WrongUseError("this command calls an arena: give --server or ARENA_SERVER")
    for name in _OF_A_SERVER:
        if name in typed:
            raise WrongUseError(f"--{name.replace('_', '-')} is for --server, which is not given")
    return False


def _source(context: typer.Context, name: str) -> str:
    source = context.get_parameter_source(name)
    return "" if source is None else source.name


def _server(address: str | None, token: str | None, tls: bool, ca: Path | None) -> Server:
    if not token:
        raise WrongUseError("--server wants a token: give --token or ARENA_TOKEN")
    secret = read_secret(Path(token[1:])) if token.startswith("@") else token.strip()
    if not (secret.isascii() and secret.isprintable()):
        raise WrongUseError("--token holds characters that no token has")
    if ca is not None:
        try:
            ca.read_bytes()
        except OSError as error:
            raise WrongUseError(f"--tls-ca: {ca}: {error.strerror}") from error
    return Server(address or "", secret, tls, ca)
