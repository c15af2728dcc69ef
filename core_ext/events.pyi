EVENT_KINDS: tuple[str, ...]
"""What can happen, in all variants."""
