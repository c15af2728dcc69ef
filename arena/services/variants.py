"""The variants service: the capabilities of this arena. Needs no token."""

from arena import wire
from arena.rpc.errors import ApiError, Reason, invalid
from arena.services.requests import page_of
from core_ext import VARIANTS, variant_info
from hanafuda.arena.v1 import variant_pb2, variant_pb2_grpc


class VariantServicer(variant_pb2_grpc.VariantServiceServicer):
    """What the rules core knows, as messages."""

    async def ListVariants(
        self, request: variant_pb2.ListVariantsRequest, context: object
    ) -> variant_pb2.ListVariantsResponse:
        """List every variant in the core's order; the page token is the id of the last one listed."""
        after, size = page_of(request)
        if after and after not in VARIANTS:
            raise invalid(page_token=f"{after!r} is not one that a list gave out")
        start = VARIANTS.index(after) + 1 if after else 0
        ids = VARIANTS[start : start + size]
        return variant_pb2.ListVariantsResponse(
            variants=[wire.variant_to_wire(variant_info(id_)) for id_ in ids],
            next_page_token=ids[-1] if start + size < len(VARIANTS) else "",
        )

    async def GetVariant(
        self, request: variant_pb2.GetVariantRequest, context: object
    ) -> variant_pb2.GetVariantResponse:
        """Return a variant. UNKNOWN_VARIANT."""
        if request.id not in VARIANTS:
            raise ApiError(Reason.UNKNOWN_VARIANT, f"no variant {request.id!r}; this arena plays {', '.join(VARIANTS)}")
        return variant_pb2.GetVariantResponse(variant=wire.variant_to_wire(variant_info(request.id)))
