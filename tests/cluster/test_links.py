"""The way from node to node."""

import asyncio
import logging
from pathlib import Path

import pytest
from play_arena import soon
from store_servers import until
from windowless_calls import call_without_a_window

from arena.cluster import hosting as hosted
from arena.cluster.links import Links
from arena.match.live import LiveMatches
from arena.match.model import MatchSpec
from arena.node.server import Listen, Server
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.seats.errors import LinkError, NotConnectedError
from arena.stream.hub import ConnectedBot, Hub, Limits
from hanafuda.arena.v1 import node_pb2, play_pb2

SPEC = MatchSpec("m1", "koikoi", bytes(32), ("ann", "bo"))


async def no_job(job: bytes) -> None:
    raise AssertionError("no job is handed over here")


class CountingHub(Hub):
    """Counts how often those are woken who wait for a bot."""

    wakes = 0

    def wake(self) -> None:
        self.wakes += 1
        super().wake()


async def test_a_seat_that_another_node_gives_back_unused_wakes_matches_only_where_one_missed_it() -> None:
    hub = CountingHub(Limits(goodbye_ms=500))
    hub.connect(BotIdentity("ann"), play_pb2.Hello(protocol_version=1, max_matches=1))
    servicer = hosted.NodeServicer(hub, LiveMatches(), no_job)
    server = Server(hub, MemoryTokens(), (servicer,), MemoryTokens({"key": BotIdentity("a node")}))
    await server.start(Listen(("127.0.0.1:0",)))
    links = Links("key")
    try:
        wakes = hub.wakes
        (await soon(links.seat(server.addresses[0], "ann", SPEC, tls=False))).release()
        await until(lambda: hub.find("ann") == ConnectedBot(1, 1), "the place is free again")
        assert hub.wakes == wakes
        seat = await soon(links.seat(server.addresses[0], "ann", SPEC, tls=False))
        waiting = asyncio.create_task(hub.wait_until(lambda: hub.places("ann", "m2") > 0))
        await asyncio.sleep(0)
        seat.release()
        assert await soon(waiting)
    finally:
        await links.close()
        await server.stop()


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


async def test_a_stream_that_ends_in_the_middle_of_an_answer_writes_no_traceback(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted, "_GOODBYE_S", 0.1)
    caplog.set_level(logging.DEBUG, "arena.rpc.auth")
    servicer = hosted.NodeServicer(Hub(), LiveMatches(), no_job)
    server = Server(Hub(), MemoryTokens(), (servicer,), MemoryTokens({"key": BotIdentity("a node")}))
    await server.start(Listen(("127.0.0.1:0",)))
    opens = node_pb2.LinkRequest(seat=1, open=node_pb2.SeatOpen(bot="nobody")).SerializeToString()
    link, token = b"/hanafuda.arena.v1.NodeService/Link", ((b"authorization", b"Bearer key"),)
    host, _, port = server.addresses[0].rpartition(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(call_without_a_window(link, opens, b"\xff", more=token))
        await until(lambda: "a call of bot:a node was refused: INVALID_REQUEST" in caplog.messages, "it is refused")
    finally:
        await server.stop()
    writer.close()
    await writer.wait_closed()
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
