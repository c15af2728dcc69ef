"""Addresses of the form HOST:PORT."""

_HIGHEST_PORT = 65_535


def host_and_port(address: str) -> tuple[str, int] | None:
    """`[::1]:7777` as `("::1", 7777)`; None for what is no such address."""
    host, _, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    is_number = port.isascii() and port.isdecimal() and len(port) <= len(str(_HIGHEST_PORT))
    return (host, int(port)) if host and is_number and int(port) <= _HIGHEST_PORT else None
