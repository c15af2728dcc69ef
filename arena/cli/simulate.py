"""`arena simulate`."""


def simulate() -> None:
    """Play matches in this process, without a server."""
