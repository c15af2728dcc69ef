"""The arena service: what anybody may know of the arena itself. Needs no token."""

from importlib.metadata import version

from hanafuda.arena.v1 import arena_pb2, arena_pb2_grpc


class ArenaServicer(arena_pb2_grpc.ArenaServiceServicer):
    """The arena's signing key and version."""

    def __init__(self, signing_key: bytes) -> None:
        self._arena = arena_pb2.GetArenaResponse(signing_key=signing_key, version=version("hanafuda-arena"))

    async def GetArena(self, request: arena_pb2.GetArenaRequest, context: object) -> arena_pb2.GetArenaResponse:
        """Return them."""
        return self._arena
