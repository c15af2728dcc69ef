"""Callers that ask for more than their share: of a node's time, its streams, its checks and the store's memory."""

import asyncio
import random
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from play_arena import soon
from service_node import ANYTHING, Node, Sender, create, methods, node_on, packed, refusal
from store_servers import until

from arena.match.model import MatchSpec
from arena.rpc import call_rates, open_calls
from hanafuda.arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
)

ODD = ("x", "ann:submissions", "{bots}", "\0", "../../x", "nan x", "1_0 x", "inf x", "1-1", "(", "crane", "é" * 20_000)
"""Texts for each field: parts of keys of the store, cursors that no listing gave out, and one that is long."""


def requests(kind: Any) -> list[Message]:
    """Requests of a kind, in each of which one field holds something odd, with and without the others."""
    made = [kind()]
    fields = kind.DESCRIPTOR.fields
    common = {field.name: "crane" for field in fields if field.type == field.TYPE_STRING and not field.is_repeated}
    for field in fields:
        values: tuple[Any, ...] = ()
        if field.type == field.TYPE_STRING:
            values = ODD
        elif field.type == field.TYPE_BYTES:
            values = (b"x" * 50_000,)
        elif field.type == field.TYPE_UINT32:
            values = (101, 2**32 - 1)
        for value in values:
            odd = {field.name: [value] if field.is_repeated else value}
            made += [kind(**odd), kind(**{**common, **odd})]
    return made


async def test_a_request_that_is_no_message_is_refused_and_leaves_nothing_in_the_log(
    node: Node, caplog: pytest.LogCaptureFixture
) -> None:
    api, garbage = "/hanafuda.arena.v1.", b"\xff" * 20
    known = (("authorization", f"Bearer {(await node.store.bots.create('crane'))[1]}"),)
    for metadata, reason in (((), "TOKEN_MISSING"), (known, "INVALID_REQUEST")):
        for call in (
            node.channel.unary_unary(f"{api}BotService/GetBot")(garbage, metadata=metadata),
            node.channel.unary_stream(f"{api}MatchService/WatchMatch")(garbage, metadata=metadata).read(),
            node.channel.stream_stream(f"{api}PlayService/Play")(iter((garbage,)), metadata=metadata).read(),
        ):
            assert (await refusal(call))[1] == reason
    assert (await refusal(node.channel.unary_unary(f"{api}ArenaService/GetArena")(garbage)))[1] == "INVALID_REQUEST"
    for nowhere in ("nowhere", "*", "/", "//"):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await soon(node.channel.unary_unary(nowhere)(garbage))
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    # gRPC's own services read it as an empty request.
    health = await soon(node.channel.unary_unary("/grpc.health.v1.Health/Check")(garbage))
    assert health == health_pb2.HealthCheckResponse(status="SERVING").SerializeToString()
    assert not [record for record in caplog.records if record.exc_info]


async def test_no_text_in_a_request_makes_the_arena_fail(
    node: Node, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(call_rates, "CALLS_AT_ONCE", 100_000)
    tokens = [(await node.store.owners.create("ann"))[1], (await node.store.bots.create("crane", owner="ann"))[1]]
    found = set()
    for stub, method, kind in methods():
        if method.name.startswith("Rotate"):
            continue
        for token in tokens:
            for request in requests(kind):
                call = node.call(stub, method.name, request, token)
                try:
                    await soon(call.read() if method.server_streaming else call)
                except grpc.aio.AioRpcError as error:
                    found.add((method.name, error.code()))
    codes = {code for _, code in found}
    assert codes == {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.PERMISSION_DENIED,
    }, found
    assert "Traceback" not in caplog.text


async def test_calls_beyond_an_owners_share_wait_for_their_turn_and_nobody_elses(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_rates, "CALLS_AT_ONCE", 20)
    ann = (await node.store.owners.create("ann"))[1]
    crane = (await node.store.bots.create("crane", owner="ann"))[1]
    bob = (await node.store.owners.create("bob"))[1]

    def ask(token: str) -> Any:
        return node.call(bot_pb2_grpc.BotServiceStub, "GetBot", bot_pb2.GetBotRequest(name="crane"), token)

    begun = asyncio.get_running_loop().time()
    await soon(asyncio.gather(*(ask(token) for token in (ann, crane) * 60)))
    assert asyncio.get_running_loop().time() - begun >= 1.0, "100 of them beyond those at once, at 100 a second"
    # A tenth of the rate: on a busy machine, too, more calls come than it allows.
    monkeypatch.setattr(call_rates, "CALLS_PER_S", 10)
    monkeypatch.setattr(call_rates, "MAX_WAIT_S", 0.1)
    answers = await soon(asyncio.gather(*(ask(ann) for _ in range(60)), return_exceptions=True))
    refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert {one.code() for one in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert 0 < len(refused) < 60
    await soon(ask(bob))


async def test_a_token_opens_so_many_streams_and_others_open_theirs(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_calls, "STREAMS_AT_ONCE", 5)
    tokens = [await node.register(name) for name in ("crane", "deer")]
    for token in tokens:
        await node.connect(token)
    match_id = (await create(node, tokens[0], "crane", "deer")).match_id

    def watch(token: str) -> Any:
        return node.call(
            match_pb2_grpc.MatchServiceStub, "WatchMatch", match_pb2.WatchMatchRequest(match_id=match_id), token
        )

    watching = [watch(tokens[0]) for _ in range(4)]
    for stream in watching:
        await soon(stream.read())
    assert await refusal(watch(tokens[0]).read()) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED", {})
    assert await soon(watch(tokens[1]).read())
    watching.pop().cancel()

    async def another_is_shown() -> bool:
        return await shown(watch(tokens[0])) is None

    await until(another_is_shown, "the stream that was left has ended, so that there is room for another")


async def shown(stream: Any) -> grpc.StatusCode | None:
    """How a stream has ended before its first message; None where there is one."""
    try:
        await stream.read()
    except grpc.aio.AioRpcError as error:
        return error.code()
    return None


async def test_a_bot_that_says_again_and_again_that_it_drains_is_sent_away(node: Node) -> None:
    token = await node.register("crane")
    crane = await node.connect(token, max_matches=4)
    await create(node, token, "crane", "house:random")
    await crane.receive("match_start")
    for _ in range(102):
        await crane.send(drain=play_pb2.Drain())
    assert await crane.rejection() == "MALFORMED"
    assert await crane.goodbye() == "PROTOCOL_ERROR"


async def test_a_challenge_whose_caller_does_not_wait_is_made_or_leaves_nothing(
    tmp_path: Path, short_path: Path
) -> None:
    async with node_on(tmp_path, short_path, ANYTHING) as node:
        token = await node.register("crane")
        await node.connect(token, max_matches=256)
        dice = random.Random(1)

        async def impatient() -> grpc.StatusCode:
            request = match_pb2.CreateMatchRequest(variant="koikoi", bots=["crane", "house:random"])
            metadata = (("authorization", f"Bearer {token}"),)
            stub = match_pb2_grpc.MatchServiceStub(node.channel)
            call = stub.CreateMatch(request, metadata=metadata, timeout=dice.uniform(0.001, 0.1))
            return await call.code()

        codes = set()
        for _ in range(4):
            codes.update(await asyncio.gather(*(impatient() for _ in range(32))))
        assert grpc.StatusCode.DEADLINE_EXCEEDED in codes
        await create(node, token, "crane", "house:random")
        call = node.store._client.call

        async def nothing_is_half_made() -> bool:
            heads = await call("KEYS", "hfa:{match:*}:head")
            made = [head for head in heads if await call("HGET", head, "state") is not None]
            return 0 < len(made) == len(heads) == await call("ZCARD", "hfa:matches")

        await until(nothing_is_half_made, "every match is made whole or has left nothing")


async def test_what_is_there_already_is_checked_for_nobody_who_has_not_sent_it_in(node: Node, tmp_path: Path) -> None:
    ann = Sender(node, (await node.store.owners.create("ann"))[1])
    one = packed(tmp_path, filler=1_000)
    await ann.submit(one)
    assert (await refusal(ann.finish("deer", one.version)))[1] == "UNKNOWN_UPLOAD"
    assert (await soon(ann.begin("deer", one.version, one.data))).received == len(one.data)
    assert (await refusal(ann.finish("deer", one.version)))[1] == "PACK_REFUSED", "it is the bot crane"
    assert (await refusal(ann.finish("deer", one.version)))[1] == "UNKNOWN_UPLOAD"
    await soon(ann.begin("deer", one.version, one.data))
    assert (await node.store.owners.usage("ann")).submissions == 3, "the second time counts as well"


async def test_a_page_of_a_list_costs_few_exchanges_with_the_store_and_counts_as_several_calls(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = (await node.store.owners.create("ann"))[1]
    spec = MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"))
    for number in range(40):
        match_id = f"m{number}"
        await node.store.matches.create(
            match_id,
            bots=spec.names,
            payload=b"",
            commitment="00",
            about=msgspec.msgpack.encode(msgspec.structs.replace(spec, match_id=match_id)),
            delay_s=100,
        )
    exchanges = 0
    exchange = node.store._client._exchange

    async def counted(commands: Any) -> Any:
        nonlocal exchanges
        exchanges += 1
        return await exchange(commands)

    monkeypatch.setattr(node.store._client, "_exchange", counted)
    request = match_pb2.ListMatchesRequest(page_size=40)
    found = await soon(node.call(match_pb2_grpc.MatchServiceStub, "ListMatches", request, ann))
    assert len(found.matches) == 40
    assert exchanges < 20, "with what the node does besides"
    monkeypatch.setattr(call_rates, "CALLS_AT_ONCE", 30)
    monkeypatch.setattr(call_rates, "MAX_WAIT_S", 0.05)
    calls = (node.call(match_pb2_grpc.MatchServiceStub, "ListMatches", request, ann) for _ in range(10))
    answers = await soon(asyncio.gather(*calls, return_exceptions=True))
    assert sum(isinstance(answer, grpc.aio.AioRpcError) for answer in answers) >= 3
