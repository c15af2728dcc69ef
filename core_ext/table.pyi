PHASES: tuple[str, ...]
"""What a seat can be asked, in all variants, and ``over``."""
ENDINGS: tuple[str, ...]
"""How a deal can end."""
