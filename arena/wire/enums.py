"""The enums of both sides, as tables. What is not set on the wire (0), or newer than this program, is in no table."""

from arena.match.model import End, Policy, Rejection
from hanafuda.arena.v1 import match_pb2, play_pb2, view_pb2

END_TO_WIRE = {end: match_pb2.MatchEndReason.Value(f"MATCH_END_REASON_{end.name}") for end in End}
END_FROM_WIRE = {number: end for end, number in END_TO_WIRE.items()}

POLICY_TO_WIRE = {policy: match_pb2.Policy.Value(f"POLICY_{policy.name}") for policy in Policy}
POLICY_FROM_WIRE = {number: policy for policy, number in POLICY_TO_WIRE.items()}

REJECTION_TO_WIRE = {reason: play_pb2.RejectionReason.Value(f"REJECTION_REASON_{reason.name}") for reason in Rejection}

_ZONE_KIND = "ZONE_KIND_"
ZONE_KIND_TO_WIRE = {
    name.removeprefix(_ZONE_KIND).lower(): number for name, number in view_pb2.ZoneKind.items() if number
}
"""By the core's name of a kind, for example `hand`."""
ZONE_KIND_FROM_WIRE = {number: kind for kind, number in ZONE_KIND_TO_WIRE.items()}
