"""Values of the rules core and the referee as protobuf messages, and back. Pure: no streams, no files."""

from arena.wire.decode import Move, decode_move
from arena.wire.encode import decision_response_bytes
from arena.wire.enums import (
    END_FROM_WIRE,
    END_TO_WIRE,
    POLICY_FROM_WIRE,
    POLICY_TO_WIRE,
    REJECTION_TO_WIRE,
    ZONE_KIND_TO_WIRE,
)
from arena.wire.errors import WireError
from arena.wire.options import options_from_wire, options_to_wire
from arena.wire.play import (
    decision_to_wire,
    match_end,
    match_start,
    match_update,
    move_rejected,
    seed_commitment,
    time_from_wire,
    time_to_wire,
)
from arena.wire.variants import variant_to_wire
from arena.wire.view import (
    event_from_wire,
    event_to_wire,
    events_to_wire,
    observation_from_wire,
)
