"""The way from node to node."""

import logging
from pathlib import Path

import pytest
from play_arena import soon

from arena.cluster import hosting as hosted
from arena.cluster.links import Links
from arena.match.live import LiveMatches
from arena.match.model import MatchSpec
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.seats.errors import LinkError, NotConnectedError
from arena.stream.hub import Hub, Limits

SPEC = MatchSpec("m1", "koikoi", bytes(32), ("ann", "bo"))


async def no_job(job: bytes) -> None:
    raise AssertionError("no job is handed over here")


async def test_why_a_node_cannot_be_reached_is_said_once_however_often_it_is_tried(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "arena.cluster.links")
    hub = Hub(Limits(goodbye_ms=500))
    servicer = hosted.NodeServicer(hub, LiveMatches(), no_job)
    server = Server(hub, MemoryTokens(), (servicer,), MemoryTokens({"right": BotIdentity("a node")}))
    await server.start(Listen(("127.0.0.1:0",)))
    [address] = server.addresses
    wrong, right = Links("wrong"), Links("right")
    try:
        for _ in range(3):
            with pytest.raises(LinkError, match="this arena does not know the token"):
                await soon(wrong.seat(address, "ann", SPEC, tls=False))
        [said] = [record.getMessage() for record in caplog.records]
        assert said.startswith(f"the link to the node at {address} is lost with 1 seats: UNAUTHENTICATED: ")
        with pytest.raises(NotConnectedError):
            await soon(right.seat(address, "ann", SPEC, tls=False))
        with pytest.raises(LinkError, match="this arena does not know the token"):
            async for _ in wrong.watch(address, "m1", 0, tls=False):
                pass
        assert [message async for message in right.watch(address, "m1", 0, tls=False)] == []
    finally:
        await wrong.close()
        await right.close()
        await server.stop()
    assert len(caplog.records) == 1
