"""The arena service: what anybody may know of the arena itself. Needs no token."""

from importlib.metadata import version

import grpc

from hanafuda.arena.v1 import arena_pb2, arena_pb2_grpc


class ArenaServicer(arena_pb2_grpc.ArenaServiceServicer):
    """The arena's signing key and version."""

    def __init__(self, signing_key: bytes) -> None:
        self._arena = arena_pb2.GetArenaResponse(signing_key=signing_key, version=version("hanafuda-arena"))

    async def GetArena(  # noqa: N802
        self, request: arena_pb2.GetArenaRequest, context: object
    ) -> arena_pb2.GetArenaResponse:
        """The arena."""
        return self._arena


def register(servicer: ArenaServicer, server: grpc.aio.Server) -> str:
    """Add the service to a server; returns its name."""
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(servicer, server)
    return arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
