"""Why an address is out of reach is told in one line that says what to do: each case is a real socket."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.sdk import reach
from arena.sdk.reach import why_unreachable

TLS = Path(__file__).parents[1] / "node/tls"
CERTIFICATE = TLS / "cert.pem"


@asynccontextmanager
async def listening(
    answer: Callable[[asyncio.StreamWriter], Awaitable[None]], *, tls: bool = False
) -> AsyncIterator[int]:
    """A server that answers each connection so; its port."""
    context = None
    if tls:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(CERTIFICATE, TLS / "key.pem")

    async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answer(writer)
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def nonsense(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("address", ["foo", ":7777", "host:99999", "host:x", ""])
async def test_what_is_no_address_is_named_so(address: str) -> None:
    assert await why_unreachable(address, False, None) == "this is no address; it has the form HOST:PORT or unix:PATH"


async def test_an_address_at_which_nothing_listens_is_told_apart_from_a_socket_and_a_host_that_are_not_there(
    short_path: Path,
) -> None:
    async with listening(nonsense) as port:
        pass
    for tls in (False, True):
        assert await why_unreachable(f"127.0.0.1:{port}", tls, None) == "nothing listens there; is the node running?"
    missing = await why_unreachable(f"unix:{short_path}/node", False, None)
    assert missing == "there is no such socket; is the node running?"
    assert await why_unreachable("nowhere.invalid:7777", False, None) == "there is no host of this name"


async def test_tls_where_there_is_none_and_none_where_there_is_are_told_with_the_option() -> None:
    async with listening(nonsense) as port:
        address = f"localhost:{port}"
        assert await why_unreachable(address, False, None) == "what listens there did not answer as an arena does"
        told = "it does not speak TLS; leave out --tls and --tls-ca"
        assert await why_unreachable(address, True, None) == told
        assert await why_unreachable(address, False, CERTIFICATE) == told
    async with listening(nonsense, tls=True) as port:
        told = await why_unreachable(f"localhost:{port}", False, None)
        assert told == "it speaks TLS; give --tls, or --tls-ca with its certificate"


async def test_a_certificate_that_is_refused_is_told_with_the_reason() -> None:
    async with listening(nonsense, tls=True) as port:
        told = await why_unreachable(f"localhost:{port}", True, None)
        assert (
            told == "its certificate is refused (self-signed certificate); is this its name, and does it need --tls-ca?"
        )
        told = await why_unreachable(f"127.0.0.1:{port}", True, CERTIFICATE)
        assert "certificate is not valid for '127.0.0.1'" in told


async def test_who_takes_a_connection_and_answers_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "_SECONDS", 0.2)
    over = asyncio.Event()

    async def silent(_: asyncio.StreamWriter) -> None:
        await over.wait()

    async with listening(silent) as port:
        told = await why_unreachable(f"127.0.0.1:{port}", False, None)
        over.set()
    assert told == "it takes connections and answers nothing; has the node been stopped, or is it no arena?"
