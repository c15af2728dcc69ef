"""Where a node listens: nothing beyond loopback without encryption, and each address that cannot be had is named."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from play_arena import Arena, soon

from arena.node.errors import AddressError, AddressInUseError, InsecureListenError, TlsFilesError
from arena.node.server import Listen, Server
from arena.rpc import auth
from arena.rpc.identity import MemoryTokens
from arena.stream.hub import Hub
from hanafuda.arena.v1 import variant_pb2, variant_pb2_grpc

TLS = Path(__file__).with_name("tls")
"""A certificate of localhost that nobody trusts but these tests, good until 2126."""


@asynccontextmanager
async def listening(*addresses: str, **how: Any) -> AsyncIterator[Server]:
    """A server while the body runs; raises what its start does."""
    server = Server(Hub(), MemoryTokens())
    await server.start(Listen(addresses, **how))
    try:
        yield server
    finally:
        await server.stop()


async def refused(*addresses: str, **how: Any) -> None:
    """Start a server that is not to come up."""
    async with listening(*addresses, **how):
        pass


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "10.1.2.3:7777", "arena.example:7777"])
async def test_beyond_loopback_nothing_is_served_without_encryption(address: str) -> None:
    with pytest.raises(InsecureListenError, match="--insecure"):
        await refused(address)


async def test_insecure_says_that_it_is_meant() -> None:
    async with listening("0.0.0.0:0", insecure=True) as server:
        assert server.addresses[0].startswith("0.0.0.0:")


async def test_a_port_in_use_is_named() -> None:
    async with listening("127.0.0.1:0") as first:
        with pytest.raises(AddressInUseError, match=first.addresses[0]):
            await refused(*first.addresses)


async def test_a_socket_in_use_is_not_taken_away(short_path: Path) -> None:
    address = f"unix:{short_path}/s"
    async with listening(address):
        with pytest.raises(AddressInUseError, match="another process listens"):
            await refused(address)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(short_path / "s"))


async def test_a_socket_that_a_dead_node_left_is_taken_over(short_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(short_path / "s"))
    async with listening(f"unix:{short_path}/s"):
        pass


@pytest.mark.parametrize(
    "address",
    ["here", "localhost", "localhost:x", "localhost:70000", "unix:", "unix:/no/such/folder/s", "unix:/" + "x" * 200],
)
async def test_an_address_that_is_none_is_named(address: str) -> None:
    with pytest.raises(AddressError):
        await refused(address)


async def test_certificate_and_key_belong_together(tmp_path: Path) -> None:
    with pytest.raises(TlsFilesError, match="belong together"):
        await refused("127.0.0.1:0", tls_cert=tmp_path / "c")
    with pytest.raises(TlsFilesError, match="cannot be read"):
        await refused("127.0.0.1:0", tls_cert=tmp_path / "c", tls_key=tmp_path / "k")


async def test_with_tls_files_the_node_speaks_tls() -> None:
    cert, key = TLS / "cert.pem", TLS / "key.pem"
    async with listening("127.0.0.1:0", tls_cert=cert, tls_key=key) as server:
        port = server.addresses[0].rpartition(":")[2]
        credentials = grpc.ssl_channel_credentials(cert.read_bytes())
        async with grpc.aio.secure_channel(f"localhost:{port}", credentials) as channel:
            checked = await soon(health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest()))
            assert checked.status == health_pb2.HealthCheckResponse.SERVING


async def test_health_and_reflection_tell_what_is_served(arena: Arena) -> None:
    channel = arena.channel()
    for service in ("", "hanafuda.arena.v1.PlayService", "hanafuda.arena.v1.VariantService"):
        checked = await soon(health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service)))
        assert checked.status == health_pb2.HealthCheckResponse.SERVING
    call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    found = {service.name for service in (await soon(call.read())).list_services_response.service}
    assert {"hanafuda.arena.v1.PlayService", "hanafuda.arena.v1.VariantService", "grpc.health.v1.Health"} <= found
    await call.done_writing()
    assert await soon(call.read()) is grpc.aio.EOF


async def test_reflection_is_answered_only_where_it_is_asked_for(short_path: Path) -> None:
    address = f"unix:{short_path}/s"
    async with listening(address), grpc.aio.insecure_channel(address) as channel:
        call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
        assert await soon(call.code()) is grpc.StatusCode.UNIMPLEMENTED


async def end_of(stream: Any) -> grpc.StatusCode:
    """How a stream ends."""
    try:
        while await stream.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def test_calls_without_a_token_end_and_are_only_so_many_at_once(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(auth, "OPEN_CALL_S", 0.3)
    monkeypatch.setattr(auth, "MAX_OPEN_CALLS", 3)
    channel = arena.channel()
    watches = [health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest()) for _ in range(6)]
    asked = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
    await asked.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    codes = [await soon(end_of(watch)) for watch in watches]
    assert sorted(code.name for code in codes) == ["DEADLINE_EXCEEDED"] * 3 + ["RESOURCE_EXHAUSTED"] * 3
    assert await soon(end_of(asked)) is grpc.StatusCode.DEADLINE_EXCEEDED
    for method, code in (("List", grpc.StatusCode.UNIMPLEMENTED), ("Nothing", grpc.StatusCode.UNIMPLEMENTED)):
        with pytest.raises(grpc.aio.AioRpcError) as refusal:
            await soon(channel.unary_unary(f"/grpc.health.v1.Health/{method}")(b""))
        assert refusal.value.code() is code
    assert not [record for record in caplog.records if record.exc_info]


async def test_variants_are_listed_without_a_token(arena: Arena) -> None:
    stub = variant_pb2_grpc.VariantServiceStub(arena.channel())
    listed = await soon(stub.ListVariants(variant_pb2.ListVariantsRequest()))
    assert "koikoi" in {variant.id for variant in listed.variants}
    one = (await soon(stub.GetVariant(variant_pb2.GetVariantRequest(id="koikoi")))).variant
    assert {row.id for row in one.yaku} >= {"goko", "kasu"}
