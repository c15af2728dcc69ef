"""The one connection to Redis or Valkey: URLs, the version check, batching, retries. Commands of Redis 7.0 only."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import perf_counter
from typing import Any

import msgspec
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,  # noqa: A004 - redis's own, which is not the builtin
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    TimeoutError,  # noqa: A004 - as above
    TryAgainError,
)

from arena.metrics import meters
from arena.store.errors import (
    StoreAccessError,
    StoreClosedError,
    StoreError,
    StoreMayEvictError,
    StoreRefusedError,
    StoreTooOldError,
    StoreUnavailableError,
    StoreUrlError,
)
from arena.store.keys import SCHEMA_KEY
from arena.store.scripts import SCRIPTS, Script
from arena.store.urls import StoreUrl, by_sentinels, parsed, read_url, sentinels_of

_log = logging.getLogger(__name__)

Value = bytes | str | int
PATIENCE_S = 30.0
NOTICE_S = 1.0
"""How long a server is away before a warning is logged."""

_OLDEST = (7, 0)
_CONNECT_S = 5.0
_ANSWER_S = 10.0
_BATCH = 128
_IN_FLIGHT = 2
_FIRST_PAUSE_S = 0.005
_MAX_PAUSE_S = 0.5

_DENIED = (AuthenticationError, AuthorizationError, NoPermissionError)
_PASSING = (ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, ClusterDownError, TryAgainError, OSError)
_CLOSED = "the handler is closed"
"""What uvloop says, by a RuntimeError, of a connection that broke before it is written to."""


class ServerInfo(msgspec.Struct, frozen=True):
    """What the server says of itself."""

    name: str
    version: str
    durable: bool
    """Whether it keeps an append-only file; without one a restart of the server may lose everything."""
    cluster: bool


class Client:
    """Sends commands and scripts; concurrent ones share a pipeline.

    Every method waits out a server that goes away, until `patience_s` is over (StoreUnavailableError), and raises
    StoreAccessError or StoreRefusedError for what waiting does not cure, and StoreClosedError. A command may
    therefore be executed twice: every script is written so that the second time does no harm.
    """

    def __init__(
        self,
        redis: Redis | RedisCluster,
        address: str,
        patience_s: float,
        cause: Callable[[], StoreError | None],
        notice_s: float = NOTICE_S,
    ) -> None:
        self.redis = redis
        self.address = address
        self.patience_s = patience_s
        self._cause = cause
        self._notice_s = notice_s
        self._waiting: deque[tuple[tuple[Value, ...], asyncio.Future[Any]]] = deque()
        self._flushers: set[asyncio.Task[None]] = set()
        self._ended: Callable[[], StoreError] | None = None
        """What all calls raise, where the server is waited for no more."""
        self._away = False
        self._retrying = 0
        """Calls under way that have failed at least once."""
        self.info = ServerInfo(name="", version="", durable=False, cluster=False)

    @property
    def database(self) -> int:
        """The number of the database, of those that a server has."""
        return (
            0
            if isinstance(self.redis, RedisCluster)
            else int(self.redis.connection_pool.connection_kwargs.get("db") or 0)
        )

    @classmethod
    async def connect(
        cls,
        url: str | None = None,
        *,
        socket_path: str | None = None,
        address: str = "",
        database: int = 0,
        patience_s: float = PATIENCE_S,
        cause: Callable[[], StoreError | None] = lambda: None,
        notice_s: float = NOTICE_S,
    ) -> Client:
        """Connect by URL, or to a database behind a Unix socket, which errors call `address`, and check the server.

        `cause` is asked before each retry why the server is away; an error it returns is raised at once. After
        `notice_s` seconds without the server a warning is logged. Raises StoreUrlError, StoreUnavailableError,
        StoreAccessError, StoreTooOldError, StoreMayEvictError.
        """
        common: dict[str, Any] = {
            "protocol": 2,
            # This module's own loop retries, as it alone knows the patience and the cause.
            "retry": Retry(NoBackoff(), 0),
            "socket_timeout": min(_ANSWER_S, patience_s),
            # To tell the server its own version, each connection would read it from the package's files: 3 to 5 ms.
            "driver_info": None,
        }
        redis: Redis
        named: StoreUrl | None = None
        if socket_path is not None:
            redis = Redis(unix_socket_path=socket_path, db=database, **common)
        else:
            assert url is not None
            named = read_url(url)
            address = named.shown
            if not named.is_socket:
                common["socket_connect_timeout"] = _CONNECT_S
            redis = await _opened(named, common)
        client = cls(redis, address, patience_s, cause, notice_s)
        try:
            await client.call("PING")  # unlike INFO it waits for a server that loads, and so keeps no log of its writes
            client.info = check_info(await client.call("INFO"))
            if named is not None and not named.is_socket:
                await client._join_cluster(named, common)
        except BaseException:
            await client.close()
            raise
        return client

    async def _join_cluster(self, url: StoreUrl, options: dict[str, Any]) -> None:
        """Use the whole cluster, where the server is of one. StoreUrlError for several servers that are none."""
        if not self.info.cluster:
            if len(url.hosts) > 1 and not url.is_sentinel:
                raise StoreUrlError(f"{url.shown} names several servers, which are no cluster")
            return
        nodes = [ClusterNode(host, port) for host, port in url.hosts]
        cluster = parsed(RedisCluster, url.single(url.hosts[0]), startup_nodes=nodes, **options)
        await self.redis.aclose()
        self.redis = cluster

    @asynccontextmanager
    async def impatient(self, seconds: float) -> AsyncIterator[None]:
        """While the body runs, wait only so many seconds for a server that is away or hangs.

        Then calls under way, and all others until the body ends, raise StoreUnavailableError.
        """
        watching = asyncio.create_task(self._watch(seconds))
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            if self._ended is not StoreClosedError:
                self._ended = None

    async def _watch(self, seconds: float) -> None:
        """End all calls once the server has not answered for so many seconds."""
        try:
            while True:
                async with asyncio.timeout(seconds):
                    await self.call("GET", SCHEMA_KEY)
                await asyncio.sleep(seconds / 10)
        except (StoreUnavailableError, OSError):  # asyncio's TimeoutError is an OSError
            await self._end(partial(StoreUnavailableError, self.address, seconds, "it is not waited for any longer"))

    async def close(self) -> None:
        """Close the connections; calls under way end with StoreClosedError."""
        await self._end(StoreClosedError)
        await self.redis.aclose()
        if isinstance(self.redis, Redis):
            for sentinel in sentinels_of(self.redis):
                await sentinel.aclose()

    async def _end(self, error: Callable[[], StoreError]) -> None:
        """End the calls under way, and from now on all others, with this error."""
        self._ended = error
        tasks = list(self._flushers)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        _resolve(self._waiting, [error()] * len(self._waiting))
        self._waiting.clear()

    async def call(self, *command: Value) -> Any:
        """Send one command and return the server's answer."""
        return await self._patiently(command, None)

    async def ask_server(self, *command: Value) -> Any:
        """Send a command without keys, of a cluster to the same node each time."""
        if not isinstance(self.redis, RedisCluster):
            return await self.call(*command)
        try:
            return await self.redis.execute_command(*command, target_nodes=self.redis.get_default_node())
        except (RuntimeError, AttributeError) as error:
            if not _is_of_a_closed_connection(error):
                raise
            raise StoreUnavailableError(self.address, 0.0, "the connection is closed") from error
        except _DENIED as error:
            raise StoreAccessError(f"the store at {self.address} denies access: {error}") from error
        except _PASSING as error:
            raise StoreUnavailableError(self.address, 0.0, str(error)) from error
        except RedisError as error:
            raise StoreRefusedError(f"the store at {self.address} answered: {error}") from error

    async def script(self, name: str, keys: Sequence[str], args: Sequence[Value] = ()) -> Any:
        """Run the script of this name; it is loaded where the server does not know it (yet, or after a restart)."""
        script = SCRIPTS[name]
        return await self._patiently(("EVALSHA", script.sha, len(keys), *keys, *args), script)

    async def _patiently(self, command: tuple[Value, ...], script: Script | None) -> Any:
        loop = asyncio.get_running_loop()
        started = loop.time()
        pause = _FIRST_PAUSE_S
        retried = 0
        try:
            while True:
                try:
                    answer = await self._send(command)
                except NoScriptError:
                    if script is None:
                        raise
                    # EVAL runs it on whichever node of a cluster owns the keys, and loads it there.
                    command = ("EVAL", script.source, *command[2:])
                    continue
                except _DENIED as error:
                    raise StoreAccessError(f"the store at {self.address} denies access: {error}") from error
                except (*_PASSING, RedisClusterException) as error:
                    if (cause := self._cause()) is not None:
                        raise cause from error
                    reason = str(error) or type(error).__name__
                    meters.store_retries.add(type(error).__name__)
                    if not self._away and loop.time() - started > self._notice_s:
                        self._away = True
                        _log.warning(
                            "the store at %s does not answer, trying for %g s: %s",
                            self.address,
                            self.patience_s,
                            reason,
                        )
                    if loop.time() + pause > started + self.patience_s:
                        raise StoreUnavailableError(self.address, self.patience_s, reason) from error
                except RedisError as error:
                    # The server's code for a master that may not write without a replica, until one is back.
                    if not str(error).startswith("NOREPLICAS") or loop.time() + pause > started + self.patience_s:
                        raise StoreRefusedError(f"the store at {self.address} answered: {error}") from error
                    meters.store_retries.add("NoReplicas")
                else:
                    self._answered(retried)
                    return answer
                if not retried:
                    retried = 1
                    self._retrying += 1
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, _MAX_PAUSE_S)
        finally:
            self._retrying -= retried

    def _answered(self, retried: int) -> None:
        """Note that the server is back once no other call waits for it: one that takes no writes answers some."""
        if self._away and self._retrying == retried:
            self._away = False
            _log.warning("the store at %s is back", self.address)

    async def _send(self, command: tuple[Value, ...]) -> Any:
        if self._ended is not None:
            raise self._ended()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if len(self._flushers) < _IN_FLIGHT:
            flusher = asyncio.create_task(self._flush())
            self._flushers.add(flusher)
            flusher.add_done_callback(self._flushers.discard)
        return await answer

    async def _flush(self) -> None:
        """Send what waits, as one pipeline at a time, until nothing waits."""
        flusher = asyncio.current_task()
        assert flusher is not None
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                answers = await self._exchange([command for command, _ in batch])
            except asyncio.CancelledError:
                _resolve(batch, [(self._ended or StoreClosedError)()] * len(batch))
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it is each caller's; none may wait for ever
                answers = [error] * len(batch)
            _resolve(batch, answers)
        # In the same step of the loop as the last look: whoever is counted on to send what waits has to do so.
        self._flushers.discard(flusher)

    async def _exchange(self, commands: list[tuple[Value, ...]]) -> list[Any]:
        began = perf_counter()
        try:
            if len(commands) == 1:
                return [await self.redis.execute_command(*commands[0])]
            pipeline = self.redis.pipeline(transaction=False)
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute(raise_on_error=False)
        except (RuntimeError, AttributeError) as error:
            if not _is_of_a_closed_connection(error):
                raise
            await self._drop_idle()
            raise ConnectionError(str(error)) from error
        except (ConnectionError, TimeoutError):
            await self._drop_idle()
            raise
        finally:
            meters.store_exchanges.observe(perf_counter() - began)
            meters.store_commands.add(amount=len(commands))

    async def _drop_idle(self) -> None:
        """Close the connections that nobody uses now: where one has broken without a word, the others are no better.

        Each would be found out only when it is used, by an answer that does not come.
        """
        if isinstance(self.redis, RedisCluster):
            await asyncio.gather(*(node.disconnect_free_connections() for node in self.redis.get_nodes()))
        else:
            with suppress(OSError, RedisError):  # broken already
                await self.redis.connection_pool.disconnect(inuse_connections=False)


def _is_of_a_closed_connection(error: RuntimeError | AttributeError) -> bool:
    """Whether redis-py failed as the connection broke before it wrote, or was closed by itself for another task."""
    return error.obj is None if isinstance(error, AttributeError) else _CLOSED in str(error)


class Section:
    """A part of the store: what is kept of one kind, over the connection that all parts share."""

    def __init__(self, client: Client, lease_ms: int = 0) -> None:
        """`lease_ms` is how long leases are of what the part creates, if that has jobs."""
        self._client = client
        self._lease_ms = lease_ms


def _resolve(calls: Iterable[tuple[tuple[Value, ...], asyncio.Future[Any]]], answers: list[Any]) -> None:
    for (_, future), answer in zip(calls, answers, strict=True):
        if future.done():
            continue  # its caller was cancelled
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


async def _opened(url: StoreUrl, options: dict[str, Any]) -> Redis:
    """A connection to the master that sentinels name, or to the first host that answers; to the first if none does."""
    if url.is_sentinel:
        return by_sentinels(url, options)
    if url.is_socket:
        by_socket: Redis = parsed(Redis, url.text, **options)
        return by_socket
    hosts: list[Redis] = [parsed(Redis, url.single(host), **options) for host in url.hosts]
    for number, redis in enumerate(hosts[:-1]):
        try:
            await redis.ping()
        except (RedisError, OSError) as error:
            _log.debug("the store at %s:%d does not answer: %s", *url.hosts[number], error)
            await redis.aclose()
        else:
            return redis
    return hosts[-1]


def check_info(info: dict[str, Any]) -> ServerInfo:
    """Read the answer to INFO; StoreTooOldError, StoreMayEvictError."""
    valkey = "valkey_version" in info
    # Valkey calls itself Redis 7.2.4 to clients that ask for a Redis version.
    version = str(info.get("redis_version", "0"))
    if not valkey and _numbers(version) < _OLDEST:
        raise StoreTooOldError(f"the store's server is Redis {version}; Redis 7.0 or newer, or Valkey, is needed")
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if int(info.get("maxmemory", 0)) > 0 and policy.startswith("allkeys-"):
        raise StoreMayEvictError(
            f"the store's server has maxmemory-policy {policy} and would delete league data when its memory is full; "
            "set it to noeviction"
        )
    return ServerInfo(
        name="Valkey" if valkey else "Redis",
        version=str(info["valkey_version"]) if valkey else version,
        durable=int(info.get("aof_enabled", 0)) == 1,
        cluster=int(info.get("cluster_enabled", 0)) == 1,
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
