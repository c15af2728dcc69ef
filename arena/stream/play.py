"""The play service: one two-way stream a bot connection."""

import asyncio

import grpc

from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import calling_bot
from arena.rpc.open_calls import open_call
from arena.stream.hub import Hub
from arena.stream.transport import Reader, Writer
from arena.stream.types import Context, Request
from arena.wire import decode_move
from hanafuda.arena.v1 import play_pb2


class PlayServicer:
    """Carries messages between streams and the hub. Messages go out serialised: many are joined from kept parts."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the service's handler for a server."""
        service = play_pb2.DESCRIPTOR.services_by_name["PlayService"]
        play: grpc.RpcMethodHandler[Request, bytes] = grpc.stream_stream_rpc_method_handler(
            self.play,
            request_deserializer=_request,
            response_serializer=None,
        )
        return grpc.method_handlers_generic_handler(service.full_name, {"Play": play})

    async def play(self, _: object, context: Context) -> None:
        """One connection, from Hello to its end."""
        session, connection = self._hub.connect(calling_bot(), await self._hello(context))
        call = open_call.get(None)
        if call is not None:
            call.goodbye = connection.revoke
        writer = Writer(context, connection, self._hub.outbox)
        reader = Reader(context, session, connection)
        try:
            await connection.closing
            await asyncio.wait((writer.done,), timeout=self._hub.limits.goodbye_ms / 1000)
        finally:
            self._hub.disconnect(session, connection)
            written = writer.done.done()
            writer.stop()
            reader.stop()
        for failure in (reader.failure, writer.failure):
            if failure is not None:
                raise failure
        if connection.overflowed or not written:
            raise ApiError(Reason.SLOW_READER, "too many messages waited to be read")

    async def _hello(self, context: Context) -> play_pb2.Hello:
        try:
            async with asyncio.timeout(self._hub.limits.hello_ms / 1000):
                first: object = await context.read()
        except TimeoutError:
            first = None
        if isinstance(first, play_pb2.PlayRequest) and first.HasField("hello"):
            return first.hello
        raise ApiError(Reason.HELLO_EXPECTED, "the first message on a stream has to be Hello")


def _request(message: bytes) -> Request:
    return decode_move(message) or play_pb2.PlayRequest.FromString(message)
