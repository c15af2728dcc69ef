# cython: language_level=3
"""What a viewer sees, by its names."""
from core_ext.errors import ObservationError

ZONE_KINDS = tuple("hand shown field turned pile discard stock bottom".split())
COUNTER_NAMES = tuple(
    "balance points koi stake multiplier exchanges cup_void months_won season_won card_points by_number by_poverty "
    "declared field bind pot turns run_outs as_dealt".split()
)
assert len(ZONE_KINDS) == ZONE_KIND_COUNT and len(COUNTER_NAMES) == COUNTER_NAME_COUNT


cdef int seat_of(item) except -1:
    """The seat whose counter or event it is; ObservationError when it is nobody's."""
    if item.seat < 0:
        raise ObservationError(f"{item} is of no seat")
    return item.seat
