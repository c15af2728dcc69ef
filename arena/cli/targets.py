"""Where a command does its work: in a store, or at an arena that it calls. The options for both are defined here.

A command takes them as one parameter, which `command` turns into options by its annotation: `StoreOptions`, `Server`,
or `Arena` for either of the two. So are other options that go together: a NamedTuple of them is one parameter.
"""

import inspect
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints
from urllib.parse import urlsplit

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.values import DEFAULT_DATA, Data, RedisUrl
from arena.private_files import read_secret

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.sdk.connection import Endpoint
    from arena.store import Store

T = TypeVar("T")
Opened = TypeVar("Opened")

PATIENCE_S = 5.0
"""How long a person is kept waiting for a store's server that is away; a node waits longer."""


APPENDED = "appendonlydir"
"""The folder of a data folder in which its server keeps everything."""


def has_store(data: Path) -> bool:
    """Whether an embedded server has kept anything in the folder."""
    return (data / APPENDED).is_dir()


class StoreOptions(NamedTuple):
    """The store of a Redis or Valkey, or of a data folder."""

    data: Data = DEFAULT_DATA
    redis: RedisUrl = None

    @property
    def exists(self) -> bool:
        """Whether there is one: without a Redis, whether the folder holds anything."""
        return self.redis is not None or has_store(self.data)

    @property
    def missing(self) -> str:
        """What to say where there is none."""
        return f"there is no store in {self.data}: nothing was registered or played there"

    @property
    def flags(self) -> str:
        """The options with which another command finds the same store, after a space."""
        if self.redis and urlsplit(self.redis).password:
            return " --redis URL"
        if self.redis:
            return f" --redis {quote(self.redis)}"
        return f" --data {quote(str(self.data))}" if self.data != DEFAULT_DATA else ""

    def command(self, words: str) -> str:
        """A command of `arena` that finds the same store, as errors quote it."""
        return f"`arena {words}{self.flags}`"

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written into the data folder, so that its store can be read alone."""
        return self.redis is None and has_store(self.data) and not os.access(self.data, os.W_OK)

    @asynccontextmanager
    async def open_copy(self) -> "AsyncIterator[Store]":
        """The store as it is now, in a folder of its own. Raises what Store.open raises, and OSError."""
        from shutil import copytree

        from arena.scratch import scratch_folder
        from arena.store import Store

        with scratch_folder() as scratch:
            copytree(self.data / APPENDED, scratch / APPENDED)
            async with await Store.open(scratch, attach=True, patience_s=PATIENCE_S) as store:
                yield store

    def read(self, work: "Callable[[Store], Awaitable[T]]") -> T:
        """Do work that changes nothing, also in a folder that is read-only. Raises what `open` raises, and OSError."""
        return _do(self.open_copy(), work) if self.is_read_only else self.do(work)

    @asynccontextmanager
    async def open(self, *, create: bool = False, as_is: bool = False) -> "AsyncIterator[Store]":
        """The store, whether an arena runs there or not.

        Only with `create` is one made: a look at nothing leaves nothing behind. `as_is` leaves its key schema as it is.
        Raises what Store.open raises, and WrongUseError where nothing is kept.
        """
        from arena.store import Store

        if not (create or self.exists):
            raise WrongUseError(f"{self.missing}; --data names another folder")
        async with await Store.open(
            self.data, redis=self.redis, attach=True, patience_s=PATIENCE_S, as_is=as_is
        ) as store:
            yield store

    def do(self, work: "Callable[[Store], Awaitable[T]]", *, create: bool = False, as_is: bool = False) -> T:
        """Do work in the store. Raises what `open` raises."""
        return _do(self.open(create=create, as_is=as_is), work)

    def register(
        self, account: str, name: str, work: "Callable[[Store], Awaitable[tuple[object, str]]]", *, as_json: bool
    ) -> None:
        """Print the token of a new `bot` or `owner`. Raises what `open` raises, and WrongUseError for a known name."""
        from arena.store.errors import NameExistsError

        try:
            _, token = self.do(work, create=True)
        except NameExistsError as error:
            hint = f"; {self.command(f'{account} token {name}')} gives it a new token" if error.is_same else ""
            raise WrongUseError(f"{error}{hint}") from error
        print_answer(as_json, {account: name, "token": token}, [token])


class ServerOptions(NamedTuple):
    """Which arena is called, and by whom."""

    server: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="ARENA_SERVER",
            help="Call the arena at HOST:PORT or unix:PATH instead of using a store; several nodes: a,b.",
        ),
    ] = None
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            envvar="ARENA_TOKEN",
            help="The owner's or bot's token for --server; @FILE reads it from a file.",
        ),
    ] = None
    tls: Annotated[bool, typer.Option("--tls", envvar="ARENA_TLS", help="The arena at --server speaks TLS.")] = False
    tls_ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", envvar="ARENA_TLS_CA", help="Certificates to trust, for --server."),
    ] = None


@dataclass(frozen=True)
class Server:
    """An arena to call."""

    endpoint: "Endpoint"

    def connect(self) -> "AbstractAsyncContextManager[Client]":
        """A connection to it. Raises RemoteError."""
        from arena.remote.client import connected

        return connected(self.endpoint)

    def do(self, work: "Callable[[Client], Awaitable[T]]") -> T:
        """Do work at the arena. Raises RemoteError."""
        return _do(self.connect(), work)


@dataclass(frozen=True)
class Arena:
    """An arena: the one that is called, or without a `server` that of a store, which has to exist already."""

    store: StoreOptions
    server: Server | None

    @property
    def flags(self) -> str:
        """The options with which another command finds the same arena, after a space."""
        return self.store.flags if self.server is None else f" --server {quote(self.server.endpoint.address)}"

    def do(self, work: "Callable[[Client], Awaitable[T]]") -> T:
        """Do work there: a store's services answer in this process.

        Raises RemoteError; or StoreError, ApiError, and WrongUseError where nothing is stored.
        """
        return self._do(work, self.store.do)

    def read(self, work: "Callable[[Client], Awaitable[T]]") -> T:
        """Do work that changes nothing, also in a read-only data folder. Raises what `do` raises, and OSError."""
        return self._do(work, self.store.read)

    def _do(self, work: "Callable[[Client], Awaitable[T]]", do: "Callable[[Callable[[Store], Awaitable[T]]], T]") -> T:
        if self.server is not None:
            return self.server.do(work)
        if not self.store.exists:
            raise WrongUseError(f"{self.store.missing}; --data names another folder, --server an arena elsewhere")
        from arena.cli.in_process import client_of

        return do(lambda store: work(client_of(store)))


def _do(opening: AbstractAsyncContextManager[Opened], work: Callable[[Opened], Awaitable[T]]) -> T:
    from arena.cli.aio import run

    async def opened() -> T:
        async with opening as service:
            return await work(service)

    return run(opened())


_TARGETS: dict[Any, tuple[type, ...]] = {
    StoreOptions: (StoreOptions,),
    Server: (ServerOptions,),
    Arena: (StoreOptions, ServerOptions),
}
"""The groups of options by which each kind of parameter is named that says where a command does its work."""


def with_groups(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function with options in place of each parameter that stands for a group of them; any other as it is."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: _options(kind) for name, kind in hints.items() if kind in _TARGETS or hasattr(kind, "_fields")}
    if not groups:
        return function

    @wraps(function)
    def command(context: typer.Context, **values: Any) -> T:
        for name, options in groups.items():
            named = {option.name: values.pop(option.name) for option in options}
            values[name] = _target(hints[name], context, named) if hints[name] in _TARGETS else hints[name](**named)
        return function(**values)

    parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    targets: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        plain = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        (targets if hints[name] in _TARGETS else parameters).extend(groups.get(name, [plain]))
    # In the help the target stands behind a command's own options, and --json last.
    parameters = sorted([*parameters, *targets], key=lambda parameter: parameter.name == "as_json")
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _options(kind: Any) -> list[inspect.Parameter]:
    """The options of a group."""
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=part._field_defaults[name], annotation=hint)
        for part in _TARGETS.get(kind, (kind,))
        for name, hint in get_type_hints(part, include_extras=True).items()
    ]


def _target(kind: Any, context: typer.Context, options: dict[str, Any]) -> StoreOptions | Server | Arena | None:
    store = StoreOptions(*(options.pop(name) for name in StoreOptions._fields if name in options))
    if kind is StoreOptions:
        is_named = any(_source(context, name) != "DEFAULT" for name in StoreOptions._fields)
        if os.environ.get("ARENA_SERVER") and not is_named:
            typer.echo(f"note: this works on the store in {store.data}, not at ARENA_SERVER", err=True)
        return store
    is_called = _is_called(context, () if kind is Server else StoreOptions._fields)
    called = _server(**options) if is_called else None
    return called if kind is Server else Arena(store, called)


def _is_called(context: typer.Context, stores: tuple[str, ...]) -> bool:
    """Return whether a command is to call a server. The command line counts for more than the environment.

    Raises WrongUseError where both a server and a store are named, or neither where the command needs a server.
    """
    typed, preset = (
        {name for name in context.params if context.params[name] and _source(context, name) == source}
        for source in ("COMMANDLINE", "ENVIRONMENT")
    )
    for named in (typed, preset):
        clashing = named.intersection(stores)
        if "server" in named:
            if clashing:
                raise WrongUseError(f"--server calls an arena, and --{min(clashing)} names a store: give one of them")
            return True
        if clashing:
            break
    if not stores:
        raise WrongUseError("this command calls an arena: give --server or ARENA_SERVER")
    for name in ServerOptions._fields:
        if name in typed:
            raise WrongUseError(f"--{name.replace('_', '-')} is for --server, which is not given")
    return False


def _source(context: typer.Context, name: str) -> str:
    source = context.get_parameter_source(name)
    return "" if source is None else source.name


def _server(server: str | None, token: str | None, tls: bool, tls_ca: Path | None) -> Server:
    if not token:
        raise WrongUseError("--server needs a token: give --token or ARENA_TOKEN")
    secret = read_secret(Path(token[1:])) if token.startswith("@") else token.strip()
    if not (secret.isascii() and secret.isprintable()):
        raise WrongUseError("--token holds characters that no token has")
    from arena.sdk.connection import Endpoint
    from arena.sdk.reach import certificates_fault

    if tls_ca is not None and (fault := certificates_fault(tls_ca)):
        raise WrongUseError(f"--tls-ca: {fault}")
    return Server(Endpoint(server or "", secret, tls, tls_ca))
