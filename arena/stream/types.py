"""What a stream carries."""

from typing import TYPE_CHECKING, TypeAlias

from arena.wire import Move
from hanafuda.arena.v1 import play_pb2

if TYPE_CHECKING:
    import grpc

Request: TypeAlias = Move | play_pb2.PlayRequest
"""What a bot sends: moves are decoded without protobuf."""
Context: TypeAlias = "grpc.aio.ServicerContext[Request, bytes]"
"""gRPC's side of a stream."""
