"""Sockets for what is served over HTTP."""

import socket

from arena.cli.failures import WrongUseError


def listening_socket(address: str, what: str) -> socket.socket:
    """A socket that listens at HOST:PORT, or one that was inherited; WrongUseError, which names `what` is served."""
    from arena.sdk.addresses import host_and_port
    from arena.web.beside import INHERITED

    inherited = address.removeprefix(INHERITED)
    if inherited != address and inherited.isdecimal():
        try:
            return socket.socket(fileno=int(inherited))
        except (OSError, OverflowError, ValueError) as error:
            why = "a node passes its listening socket on like this, and no socket has this number here"
            raise WrongUseError(f"{address}: {why}; give HOST:PORT") from error
    place = host_and_port(address)
    if place is None:
        raise WrongUseError(f"{address!r} is not HOST:PORT, for example 127.0.0.1:8080")
    try:
        family = socket.getaddrinfo(*place, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server(place, family=family)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]  # create_server repeats the address
        raise WrongUseError(f"{what} cannot be served at {address}: {why}") from error
