"""What can be wrong with a message."""


class WireError(ValueError):
    """A message holds a value that means nothing here: text that is no JSON, a kind that is not set or not known."""
