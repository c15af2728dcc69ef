"""What a variant says of itself."""

import msgspec

from core_ext import VariantInfo
from core_ext.options import allowed
from hanafuda.arena.v1 import variant_pb2


def variant_to_wire(info: VariantInfo) -> variant_pb2.Variant:
    """Return the message of a variant: its options with their defaults, its yaku, the size of its action space."""
    return variant_pb2.Variant(
        id=info.id,
        name=info.name,
        rules_version=info.rules_version,
        min_seats=info.seats[0],
        max_seats=info.seats[1],
        num_actions=info.num_actions,
        options=[
            variant_pb2.Option(
                name=option.name,
                default_value=msgspec.json.encode(option.default).decode(),
                allowed=allowed(option),
                description=option.doc,
            )
            for option in info.options
        ],
        yaku=[
            variant_pb2.Yaku(
                id=row.id,
                name=row.name,
                cards=row.cards,
                need=row.need,
                must=row.must,
                points=row.points,
                per_extra=row.per_extra,
                beats=row.beats,
                threes=[variant_pb2.CardSet(cards=three) for three in row.threes],
            )
            for row in info.yaku
        ],
    )
