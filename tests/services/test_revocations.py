"""Streams at a node whose tokens are revoked on the store."""

import asyncio

import grpc
import pytest
from play_arena import RawBot, soon
from service_node import Node

from arena.rpc.errors import ApiError, Reason
from arena.rpc.open_calls import OpenCalls
from hanafuda.arena.v1 import match_pb2, match_pb2_grpc, play_pb2_grpc


async def test_a_bot_is_told_goodbye_and_goes_on_with_its_new_token(node: Node) -> None:
    token = await node.register("crane")
    crane, deer = await node.connect(token), await node.connect(await node.register("deer"))
    challenge = match_pb2.CreateMatchRequest(
        variant="koikoi", bots=["crane", "deer"], options={"months": "1"}, time_control={"per_decision_ms": 60_000}
    )
    match = (await soon(node.call(match_pb2_grpc.MatchServiceStub, "CreateMatch", challenge, token))).match
    await crane.receive("match_start")
    fresh = await node.store.bots.rotate("crane")
    assert await crane.goodbye() == "TOKEN_REVOKED"
    again = RawBot(play_pb2_grpc.PlayServiceStub(node.channel).Play(metadata=(("authorization", f"Bearer {fresh}"),)))
    assert list((await again.hello()).open_matches) == [match.match_id]
    crane.drop()
    deer.drop()


async def test_a_stream_without_hello_ends_too(node: Node) -> None:
    token = await node.register("crane")
    silent = RawBot(play_pb2_grpc.PlayServiceStub(node.channel).Play(metadata=(("authorization", f"Bearer {token}"),)))
    await soon(silent.stream.wait_for_connection())
    await node.store.bots.rotate("crane")
    assert await silent.status() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED")


async def test_a_token_that_was_revoked_while_its_stream_began_is_found_by_the_first_look() -> None:
    calls = OpenCalls()

    async def stream() -> None:
        with calls.until_revoked("old"):
            assert calls.unchecked(0) == ["old"]
            calls.check(["old"], {"old"}, 0)
            await asyncio.get_running_loop().create_future()

    with pytest.raises(ApiError) as caught:
        await soon(stream())
    assert caught.value.reason is Reason.TOKEN_REVOKED
    with calls.until_revoked("new"):
        calls.check(["new"], set(), 1)
        assert calls.unchecked(1) == []
        assert calls.unchecked(2) == ["new"]
    assert calls.unchecked(2) == []
