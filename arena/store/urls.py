"""The URLs by which a store is named: a server, the nodes of a cluster, or the sentinels that know the master.

redis://HOST:PORT/DB, rediss:// with TLS, unix:///PATH; redis://HOST:PORT,HOST:PORT,… of a cluster, of whose nodes some
may be away; redis+sentinel://HOST:PORT,HOST:PORT,…/MASTER/DB, and rediss+sentinel:// with TLS. A user and password
stand before the first host, settings of the connection (`?ssl_ca_certs=FILE`) behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from redis.asyncio.sentinel import Sentinel

from arena.store.errors import StoreUrlError

if TYPE_CHECKING:
    from redis.asyncio import Redis

_FORMS = (
    "a store URL is redis://HOST:PORT/DB, rediss://HOST:PORT/DB, unix:///PATH or redis+sentinel://HOST:PORT,…/MASTER"
)
_PORT = 6379
_SENTINEL_PORT = 26379
_SENTINEL = "+sentinel"
_SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel")


class StoreUrl(NamedTuple):
    """A URL that was read. `shown` is it without user name, password and query."""

    text: str
    scheme: str
    credentials: str
    hosts: tuple[tuple[str, int], ...]
    path: str
    query: str
    shown: str

    @property
    def is_socket(self) -> bool:
        """Whether it is a Unix socket."""
        return self.scheme == "unix"

    @property
    def is_sentinel(self) -> bool:
        """Whether sentinels know where the master is."""
        return self.scheme.endswith(_SENTINEL)

    def single(self, host: tuple[str, int]) -> str:
        """The URL of one of the hosts."""
        netloc = f"{self.credentials}{_bracketed(host[0])}:{host[1]}"
        return urlunsplit((self.scheme.removesuffix(_SENTINEL), netloc, self.path, self.query, ""))


def read_url(url: str) -> StoreUrl:
    """Read a URL; StoreUrlError."""
    try:
        parts = urlsplit(url)
        credentials, separator, names = parts.netloc.rpartition("@")
        default = _SENTINEL_PORT if parts.scheme.endswith(_SENTINEL) else _PORT
        hosts = tuple(_host(name, default) for name in names.split(",")) if names else ()
    except ValueError as error:
        raise StoreUrlError(f"not a store URL: {error}") from error
    named = parts.path if parts.scheme == "unix" else hosts and all(name for name, _ in hosts)
    if parts.scheme not in _SCHEMES or not named:
        raise StoreUrlError(f"{_FORMS}, not {parts.scheme}://…" if parts.scheme else _FORMS)
    if parts.scheme.endswith(_SENTINEL) and not parts.path.strip("/"):
        raise StoreUrlError("a URL of sentinels names the master behind them: redis+sentinel://HOST:PORT,…/MASTER")
    return StoreUrl(
        url,
        parts.scheme,
        credentials + separator,
        hosts,
        parts.path,
        parts.query,
        f"{parts.scheme}://{names}{parts.path}",
    )


def _host(text: str, default: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    return parts.hostname or "", default if parts.port is None else parts.port


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def by_sentinels(url: StoreUrl, options: dict[str, Any]) -> Redis:
    """Return a connection to whichever server the sentinels call the master. Raises StoreUrlError."""
    master, _, database = url.path.strip("/").partition("/")
    user, _, password = (unquote(part) for part in url.credentials.removesuffix("@").partition(":"))
    query = dict(parse_qsl(url.query))
    tls: dict[str, Any] = {"ssl": url.scheme.startswith("rediss")}
    tls |= {name: value for name, value in query.items() if name.startswith("ssl_")}
    settings: dict[str, Any] = {**options, **query, **tls}
    try:
        settings["db"] = int(database or 0)
        make: Any = Sentinel
        sentinel = make(
            url.hosts,
            sentinel_kwargs={"socket_timeout": options["socket_connect_timeout"], "protocol": 2, **tls},
            username=user or None,
            password=password or None,
            **settings,
        )
        redis: Redis = sentinel.master_for(unquote(master))
    except (ValueError, TypeError) as error:
        raise StoreUrlError(f"not a store URL: {error}") from error
    return redis


def sentinels_of(redis: Redis) -> list[Redis]:
    """The connections to the sentinels that a connection asks for its master; none where it asks nobody."""
    manager: Sentinel | None = getattr(redis.connection_pool, "sentinel_manager", None)
    return [] if manager is None else list(manager.sentinels)


def parsed(kind: Callable[..., Any], url: str, **options: Any) -> Any:
    """A client of redis-py by its URL; StoreUrlError."""
    try:
        return kind.from_url(url, **options)  # type: ignore[attr-defined]
    except (ValueError, TypeError) as error:
        raise StoreUrlError(f"not a store URL: {error}") from error
