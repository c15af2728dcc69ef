"""Why no arena could be reached at an address, found out by knocking at it again without gRPC.

gRPC's own text of a failed connection is long, and says what failed inside it and not what can be done.
"""

import asyncio
import socket
import ssl
from pathlib import Path

from arena.sdk.addresses import host_and_port

_SECONDS = 5.0
_UNIX = "unix:"
NO_ADDRESS = "this is no address; it has the form HOST:PORT or unix:PATH"
_NO_ARENA = "what listens there did not answer as an arena does"
_CAUSES: dict[type[OSError], str] = {
    socket.gaierror: "there is no host of this name",
    ConnectionRefusedError: "nothing listens there; is the node running?",
    FileNotFoundError: "there is no such socket; is the node running?",
    PermissionError: "this user may not connect to it",
}


async def why_unreachable(address: str, tls: bool, ca: Path | None) -> str:
    """What is wrong, and what to do, in one line; `tls` and `ca` are how it was tried."""
    place = place_of(address)
    if place is None:
        return NO_ADDRESS
    tls = (tls or ca is not None) and not address.startswith(_UNIX)
    try:
        async with asyncio.timeout(_SECONDS):
            await _connect(place)
    except TimeoutError:
        return f"no connection within {_SECONDS:g} s; is the address right, and does a firewall let it through?"
    except OSError as error:
        causes = (cause for kind, cause in _CAUSES.items() if isinstance(error, kind))
        return next(causes, error.strerror or str(error))
    try:
        async with asyncio.timeout(_SECONDS):
            await _connect(place, _context(tls, ca))
    except TimeoutError:
        return "it takes connections and answers nothing; has the node been stopped, or is it no arena?"
    except ssl.SSLCertVerificationError as error:
        return f"its certificate is refused ({error.verify_message}); is this its name, and does it need --tls-ca?"
    except OSError:
        return "it does not speak TLS; leave out --tls and --tls-ca" if tls else _NO_ARENA
    return _NO_ARENA if tls else "it speaks TLS; give --tls, or --tls-ca with its certificate"


def place_of(address: str) -> str | tuple[str, int] | None:
    """The path of a socket, or a host and a port; None for what is neither."""
    if address.startswith(_UNIX):
        return address.removeprefix(_UNIX).removeprefix("//")
    return host_and_port(address)


def certificates_fault(file: Path) -> str:
    """What is wrong with a file of certificates to trust; empty where nothing is."""
    try:
        ssl.create_default_context(cafile=file)
    except ssl.SSLError:
        return f"{file} holds no certificates in PEM form"
    except OSError as error:
        return f"{file}: {error.strerror}"
    return ""


def _context(verified: bool, ca: Path | None) -> ssl.SSLContext:
    """TLS as a client of gRPC speaks it; where it is not wanted, any certificate does."""
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(["h2"])
    if not verified:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


async def _connect(place: str | tuple[str, int], context: ssl.SSLContext | None = None) -> None:
    """Open a connection, and close it. OSError, which includes what is wrong with TLS."""
    if isinstance(place, str):
        _, writer = await asyncio.open_unix_connection(place, ssl=context, server_hostname="" if context else None)
    else:
        _, writer = await asyncio.open_connection(*place, ssl=context)
    writer.transport.abort()
