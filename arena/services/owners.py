"""The owners service."""

from arena.rpc.identity import calling_owner
from arena.services.moments import moment
from arena.store import Owner, OwnerUsage, Store
from hanafuda.arena.v1 import owner_pb2, owner_pb2_grpc

_MAX_ON_WIRE = 0xFFFF_FFFF
"""The highest limit on the wire, which a store may exceed."""


class OwnerServicer(owner_pb2_grpc.OwnerServiceServicer):
    """The owner that calls."""

    def __init__(self, store: Store) -> None:
        self._owners = store.owners

    async def GetOwner(self, request: owner_pb2.GetOwnerRequest, context: object) -> owner_pb2.GetOwnerResponse:
        """Return the caller, with its usage and limits. OWNER_TOKEN_REQUIRED."""
        name = calling_owner().name
        owner, usage = await self._owners.get(name), await self._owners.usage(name)
        return owner_pb2.GetOwnerResponse(owner=owner_message(owner, usage))

    async def RotateOwnerToken(
        self, request: owner_pb2.RotateOwnerTokenRequest, context: object
    ) -> owner_pb2.RotateOwnerTokenResponse:
        """Give the caller a new token. OWNER_TOKEN_REQUIRED."""
        return owner_pb2.RotateOwnerTokenResponse(token=await self._owners.rotate(calling_owner().name))


def owner_message(owner: Owner, usage: OwnerUsage | None = None) -> owner_pb2.Owner:
    """Return an owner, with what it has where that is known."""
    limits = owner.limits
    return owner_pb2.Owner(
        name=owner.name,
        created_at=moment(owner.created_us),
        limits=owner_pb2.OwnerLimits(
            bots=min(limits.bots, _MAX_ON_WIRE),
            versions=min(limits.versions, _MAX_ON_WIRE),
            packed_bytes=limits.packed_bytes,
            submissions_per_hour=min(limits.submissions, _MAX_ON_WIRE),
        ),
        usage=None
        if usage is None
        else owner_pb2.OwnerUsage(
            bots=usage.bots, packed_bytes=usage.packed_bytes, submissions_last_hour=usage.submissions
        ),
    )
