"""The interceptor of every call: authenticates the caller and turns errors into statuses."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from arena.rpc.call_rates import CallRates
from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import Identity, MemoryTokens, TokenDirectory, authenticate, caller
from arena.rpc.open_calls import OpenCalls
from arena.rpc.store_errors import refusal_of

log = logging.getLogger(__name__)

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

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
_FIRST_S = 1.0
"""How long a stream that is to be refused may take to say something."""

_MAKERS: dict[str, Callable[..., Handler]] = {
    "unary_unary": grpc.unary_unary_rpc_method_handler,
    "unary_stream": grpc.unary_stream_rpc_method_handler,
    "stream_unary": grpc.stream_unary_rpc_method_handler,
    "stream_stream": grpc.stream_stream_rpc_method_handler,
}


class AuthInterceptor(grpc.aio.ServerInterceptor):
    """Lets a call through with its caller known, and turns ApiError into a status with details.

    `directory` knows the tokens of bots and owners, `nodes` the key of this arena's nodes: neither opens the other's
    services. Streams are among `calls` while they last. Calls of an owner that come faster than its share wait for
    their turn. Anything else that a servicer raises is logged and reported as INTERNAL without details.
    """

    def __init__(
        self, directory: TokenDirectory, nodes: TokenDirectory | None = None, calls: OpenCalls | None = None
    ) -> None:
        self._directory = directory
        self._calls = calls or OpenCalls()
        self._nodes = nodes or MemoryTokens()
        self._rates = CallRates()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], "Awaitable[Handler | None]"],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "Handler | None":
        """Wrap the method's handler; an unknown method stays None, which gRPC answers with UNIMPLEMENTED."""
        handler = await continuation(handler_call_details)
        service = handler_call_details.method.split("/")[1]
        if handler is None or service.startswith("grpc."):
            return handler
        metadata = handler_call_details.invocation_metadata or ()
        identity: Identity | ApiError | None = None
        if service not in OPEN_SERVICES:
            try:
                directory = self._nodes if service == NODE_SERVICE else self._directory
                identity = await authenticate(metadata, directory)
            except ApiError as error:
                identity = error
        return _guarded(handler, identity, self._calls, self._rates)


def _guarded(handler: Handler, identity: Identity | ApiError | None, calls: OpenCalls, rates: CallRates) -> Handler:
    """The same handler with the caller set and its errors typed."""
    kind = next(kind for kind in _MAKERS if getattr(handler, kind))
    inner: Callable[[object, Context], Awaitable[object]] = getattr(handler, kind)

    async def call(request: object, context: Context) -> object:
        try:
            if isinstance(identity, ApiError):
                if handler.request_streaming:
                    await _take_first(context)
                raise identity
            if identity is not None:
                caller.set(identity)
                if identity.token:
                    await rates.turn(identity.share)
                if identity.token and handler.response_streaming:
                    async with calls.until_revoked(identity.token):
                        return await inner(request, context)
            return await inner(request, context)
        except grpc.aio.AbortError:
            raise
        except Exception as error:
            refusal = refusal_of(error)
            if refusal.reason is Reason.INTERNAL:
                log.exception("a call failed")
            await context.abort_with_status(rpc_status.to_status(refusal.status()))

    return _MAKERS[kind](
        call, request_deserializer=handler.request_deserializer, response_serializer=handler.response_serializer
    )


async def _take_first(context: Context) -> None:
    """Read a stream's first message, whatever it is: gRPC clients can lose a status that crosses their first write."""
    try:
        async with asyncio.timeout(_FIRST_S):
            await context.read()
    except (TimeoutError, DecodeError) as error:
        log.debug("a stream that is refused sent no readable message: %r", error)
