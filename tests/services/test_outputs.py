"""Who may read what a bot wrote in its matches, and when."""

import grpc
from play_arena import soon
from service_node import Node, refusal

from arena.rpc.errors import Reason
from arena.store.outputs import Output, OutputPart
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc

STUB = bot_pb2_grpc.BotServiceStub


async def outputs(node: Node, token: str, bot: str = "crane") -> list[bot_pb2.BotOutput]:
    request = bot_pb2.ListOutputsRequest(bot=bot)
    return list((await soon(node.call(STUB, "ListOutputs", request, token))).outputs)


def output(match: str) -> Output:
    return Output("ab" * 32, match, 1_500_000, (OutputPart(1_000_000, b"\x1b[31mhello \xff\n"),), 12)


async def test_an_owner_reads_what_its_bots_wrote_and_nobody_else_does(node: Node) -> None:
    _, ann = await node.store.owners.create("ann")
    _, bob = await node.store.owners.create("bob")
    _, crane = await node.store.bots.create("crane", owner="ann")
    _, deer = await node.store.bots.create("deer", owner="bob")
    await node.store.outputs.add("crane", output(""))
    for token in (ann, crane):
        [told] = await outputs(node, token)
        assert (told.version, told.match_id, told.left_out) == ("ab" * 32, "", 12)
        assert (told.lines[0].text, told.lines[0].written_at.seconds) == ("\x1b[31mhello \ufffd\n", 1)
        assert told.ended_at.ToMicroseconds() == 1_500_000
    for token in (bob, deer):
        request = bot_pb2.ListOutputsRequest(bot="crane")
        code, reason, _ = await refusal(node.call(STUB, "ListOutputs", request, token))
        assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, Reason.NOT_YOUR_BOT.name)


async def test_what_a_bot_wrote_is_told_when_the_cards_of_its_match_may_be_known(node: Node) -> None:
    _, ann = await node.store.owners.create("ann")
    await node.store.bots.create("crane", owner="ann")
    league = await node.store.leagues.create("spring", b"{}", digest="d", divisions={"koikoi": 1})
    await node.store.outputs.add("crane", output(f"{league.name}.koikoi.r1.t1.b1.a"))
    assert await outputs(node, ann) == []
    await node.store.leagues.cancel(league.name)
    client = node.store._client
    await client.call("HSET", "hfa:{league:spring}:koikoi:replay_info", "r1.t1.b1.a", b"\x95\x01\xa2b1\x90\x00\xc4\x00")
    await client.call("HSET", "hfa:{league:spring}:koikoi:boards", "b1", 1)
    await client.call("HSET", "hfa:{league:spring}:koikoi:head", "state", "running")
    assert await outputs(node, ann) == [], "another match is played with these cards"
    await client.call("HSET", "hfa:{league:spring}:koikoi:boards", "b1", 0)
    assert len(await outputs(node, ann)) == 1
