"""What can be wrong with a tuning."""


class TuningError(Exception):
    """A bot cannot be tuned like this; the text says why, and what to do."""
