ZONE_KINDS: tuple[str, ...]
"""The kinds of zones, which ``Zone`` explains."""
COUNTER_NAMES: tuple[str, ...]
"""The names of counters, of all variants."""
