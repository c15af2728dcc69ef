# cython: language_level=3
"""The names of what a viewer sees."""

ZONE_KINDS = tuple("hand shown field turned pile discard stock bottom".split())
COUNTER_NAMES = tuple(
    "balance points koi stake multiplier exchanges cup_void months_won season_won card_points by_number by_poverty "
    "declared field bind pot turns run_outs as_dealt".split()
)
assert len(ZONE_KINDS) == ZONE_KIND_COUNT and len(COUNTER_NAMES) == COUNTER_NAME_COUNT
