"""The interceptor of every call: authenticates the caller and turns errors into statuses."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from arena.logs import event
from arena.metrics import meters
from arena.rpc.call_rates import LISTED_PER_CALL, CallRates
from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import BotIdentity, MemoryTokens, TokenDirectory, authenticate, caller
from arena.rpc.list_turns import ListTurns
from arena.rpc.open_calls import OpenCalls
from arena.rpc.paging import DEFAULT_PAGE, MAX_PAGE
from arena.rpc.store_errors import refusal_of

log = logging.getLogger(__name__)

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Read: TypeAlias = Callable[[bytes], object] | None
"""Makes a message of what was sent; None leaves it as it is."""

# Services that anyone may call.
OPEN_SERVICES = frozenset(
    {
        "hanafuda.arena.v1.ArenaService",
        "hanafuda.arena.v1.VariantService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
        "grpc.reflection.v1.ServerReflection",
    }
)

NODE_SERVICE = "hanafuda.arena.v1.NodeService"
_UNREADABLE = "the request is no message of its type"
OPEN_CALL_S = 60.0
"""How long a call of gRPC's own services, which needs no token, may last: watching the health of a node above all."""
MAX_OPEN_CALLS = 64
"""How many calls of one of their methods are under way at a node."""
_FIRST_S = 1.0
"""How long a stream that is to be refused may take to say something."""


class AuthInterceptor(grpc.aio.ServerInterceptor):
    """Lets a call through with its caller known, and turns ApiError into a status with details.

    `directory` knows the tokens of bots and owners, `nodes` the key of this arena's nodes: neither opens the other's
    services. Streams are among `calls` while they last. Calls of an owner that come faster than its share wait for
    their turn; a list counts as several of them, and gives way to play. Anything else that a servicer raises is logged
    and reported as INTERNAL without details.
    """

    def __init__(
        self, directory: TokenDirectory, nodes: TokenDirectory | None = None, calls: OpenCalls | None = None
    ) -> None:
        self._directory = directory
        self._calls = calls or OpenCalls()
        self._nodes = nodes or MemoryTokens()
        self._rates = CallRates()
        self._lists = ListTurns()
        self._handlers: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], "Awaitable[Handler | None]"],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "Handler | None":
        """Return the method's handler, wrapped; an unknown method stays None, which gRPC answers with UNIMPLEMENTED."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method
        service = method.split("/")[1]
        if service.startswith("grpc."):
            if method not in self._handlers:
                self._handlers[method] = _bounded(handler)
            return self._handlers[method]
        if service not in OPEN_SERVICES:
            try:
                directory = self._nodes if service == NODE_SERVICE else self._directory
                caller.set(await authenticate(handler_call_details.invocation_metadata or (), directory))
            except Exception as error:  # noqa: BLE001 - the handler raises it, so that it gets its status there
                _refusal.set(error)
        # One for all calls: what is kept for each open stream is kept thousands of times.
        if method not in self._handlers:
            self._handlers[method] = _guarded(method, handler, self._calls, self._rates, self._lists)
        return self._handlers[method]


_refusal: ContextVar[Exception] = ContextVar("refusal")
"""Why the caller is not known, for the call's handler; not set where the call is let through."""


def _guarded(method: str, handler: Handler, calls: OpenCalls, rates: CallRates, lists: ListTurns) -> Handler:
    """Return the same handler for calls whose caller is set, or whose refusal is, with its errors typed."""
    inner: Callable[[object, Context], Awaitable[object]] = getattr(handler, _kind(handler))
    read = handler.request_deserializer
    # InternalError is of gRPC alone: nothing can be sent, as the caller is gone, or does not take what was sent before.
    is_list = not handler.request_streaming and hasattr(_read(read, b""), "page_size")

    async def call(request: Any, context: Context) -> object:
        try:
            refused = _refusal.get(None)
            if refused is not None:
                if handler.request_streaming:
                    await _take_first(context)
                raise refused
            if not handler.request_streaming:
                request = _read(read, request)
            identity = caller.get(None)
            if identity is not None and identity.token:
                if is_list:
                    size = min(request.page_size or DEFAULT_PAGE, MAX_PAGE)
                    await rates.turn(identity.share, 1 + size / LISTED_PER_CALL)
                    async with lists.turn(identity.share):
                        return await inner(request, context)
                await rates.turn(identity.share)
                if handler.response_streaming:
                    with calls.until_revoked(identity.token):
                        return await inner(request, context)
            return await inner(request, context)
        except grpc.aio.AbortError:
            raise
        except grpc.aio.InternalError as gone:
            raise asyncio.CancelledError from gone
        except Exception as error:
            unreadable = handler.request_streaming and isinstance(error, DecodeError)
            refusal = ApiError(Reason.INVALID_REQUEST, _UNREADABLE) if unreadable else refusal_of(error)
            meters.refused_calls.add(refusal.reason.name)
            _log_refusal(method, refusal)
            if refusal.reason is Reason.INTERNAL:
                log.exception("a call failed")
            try:
                await context.abort_with_status(rpc_status.to_status(refusal.status()))
            except grpc.aio.InternalError as gone:
                raise asyncio.CancelledError from gone

    # gRPC logs a traceback for each request that it cannot read: those that come alone are read above.
    return _remade(handler, call, read if handler.request_streaming else None)


def _bounded(handler: Handler) -> Handler:
    """Return a method of gRPC's own services, which anybody may call: its streams end, and are only so many at once."""
    inner: Callable[[object, Context], Any] = getattr(handler, _kind(handler))
    under_way = 0

    async def call(request: object, context: Context) -> object:
        nonlocal under_way
        if under_way >= MAX_OPEN_CALLS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many calls of this method are under way")
        under_way += 1
        try:
            async with asyncio.timeout(OPEN_CALL_S):
                answer = inner(request, context)
                if not isinstance(answer, AsyncIterator):
                    return await answer
                async for message in answer:
                    await context.write(message)
                return None
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"such a call ends after {OPEN_CALL_S:g} s")
        except NotImplementedError:
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "this arena does not answer that")
        finally:
            under_way -= 1

    return _remade(handler, call, _lenient(handler.request_deserializer))


def _log_refusal(method: str, refusal: ApiError) -> None:
    """Log what a caller was refused, and who it is where that is known."""
    identity, reason = caller.get(None), refusal.reason.name
    bot = identity if isinstance(identity, BotIdentity) else None
    owner = bot.owner if bot else identity.name if identity else ""
    share = identity.share if identity else ""
    about = {"caller": share, "owner": owner, "bot": bot.name if bot else "", "method": method, "reason": reason}
    text = "a call of %s was refused: %s"
    event(log, logging.DEBUG, "refusal", text, share or "a stranger", reason, limited=True, **about)


def _kind(handler: Handler) -> str:
    """For example `unary_stream`, as gRPC calls it."""
    streams = handler.request_streaming, handler.response_streaming
    return "_".join("stream" if is_stream else "unary" for is_stream in streams)


def _remade(handler: Handler, call: Callable[..., Any], read: Read) -> Handler:
    """Return the handler with another function and another reader of requests."""
    make: Callable[..., Handler] = getattr(grpc, f"{_kind(handler)}_rpc_method_handler")
    return make(call, request_deserializer=read, response_serializer=handler.response_serializer)


def _read(read: Read, message: bytes) -> object:
    """Return the request. Raises ApiError."""
    try:
        return read(message) if read is not None else message
    except DecodeError as error:
        raise ApiError(Reason.INVALID_REQUEST, _UNREADABLE) from error


def _lenient(read: Read) -> Read:
    """Reads what is no message as an empty one: gRPC's own services have no other way to refuse it."""

    def request(message: bytes) -> object:
        try:
            return _read(read, message)
        except ApiError:
            return _read(read, b"")

    return request


async def _take_first(context: Context) -> None:
    """Read a stream's first message, whatever it is: gRPC clients can lose a status that crosses their first write."""
    try:
        async with asyncio.timeout(_FIRST_S):
            await context.read()
    except (TimeoutError, DecodeError) as error:
        log.debug("a stream that is refused sent no readable message: %r", error)
