"""Challenges, and what bots read of bots, matches and replays: calls of a node over a real store."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from play_arena import Arena, soon
from service_node import Node, methods, refusal

from arena.match.live import LiveMatches
from arena.match.model import End, MatchSpec
from hanafuda.arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    replay_pb2,
    replay_pb2_grpc,
    variant_pb2,
    variant_pb2_grpc,
)


class Caller:
    """The matches service, called by one bot."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self._stub = match_pb2_grpc.MatchServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),)

    def create(self, **fields: Any) -> Any:
        request = {"variant": "koikoi", "bots": ["alice", "bob"], "options": {"months": "1"}, **fields}
        return self._stub.CreateMatch(match_pb2.CreateMatchRequest(**request), metadata=self._metadata)

    def get(self, match_id: str) -> Any:
        return self._stub.GetMatch(match_pb2.GetMatchRequest(match_id=match_id), metadata=self._metadata)

    def list(self, size: int = 0, token: str = "") -> Any:
        request = match_pb2.ListMatchesRequest(page_size=size, page_token=token)
        return self._stub.ListMatches(request, metadata=self._metadata)

    def watch(self, match_id: str) -> Any:
        return self._stub.WatchMatch(match_pb2.WatchMatchRequest(match_id=match_id), metadata=self._metadata)


@pytest.fixture
async def alice(node: Node) -> AsyncIterator[Caller]:
    """Alice's calls; she and bob are connected and play whatever they are asked."""
    token = await node.register("alice")
    players = [
        await node.connect(token, max_matches=4),
        await node.connect(await node.register("bob"), max_matches=4),
    ]
    tasks = [asyncio.create_task(bot.play_on()) for bot in players]
    yield Caller(node.channel, token)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def ended(alice: Caller, match_id: str) -> match_pb2.Match:
    """The match once it is over, by watching it to its end."""
    async for _ in alice.watch(match_id):
        pass
    return (await soon(alice.get(match_id))).match


async def test_a_challenge_hides_who_is_asked_in_secret_for_as_long_as_it_says(alice: Caller) -> None:
    refused = await refusal(alice.create(cover_ms=10_001))
    assert refused[1:] == ("INVALID_REQUEST", {"cover_ms": "at most 10000 ms, not 10001"})
    over = await soon(ended(alice, (await soon(alice.create(cover_ms=1))).match.match_id))
    assert over.end.reason == match_pb2.MATCH_END_REASON_COMPLETED


async def test_a_challenge_is_played_and_its_seed_is_the_arenas(alice: Caller) -> None:
    created = (await soon(alice.create())).match
    assert created.status == match_pb2.MATCH_STATUS_RUNNING
    assert len(created.seed_commitment) == 32
    assert dict(created.options) == {"months": "1"}
    other = (await soon(alice.create())).match
    assert other.seed_commitment != created.seed_commitment
    over = await soon(ended(alice, created.match_id))
    assert over.status == match_pb2.MATCH_STATUS_OVER
    assert over.end.reason == match_pb2.MATCH_END_REASON_COMPLETED
    assert list(over.bots) == ["alice", "bob"]


async def test_a_spectator_sees_public_events_from_the_beginning_to_the_end(alice: Caller) -> None:
    match_id = (await soon(alice.create())).match.match_id
    messages = [message async for message in alice.watch(match_id)]
    kinds = [message.event.kind for message in messages[:-1]]
    assert kinds[0] == "draw"
    assert "deal" in kinds
    assert messages[-1].match_end.match_id == match_id
    assert "pass" not in kinds
    again = [message async for message in alice.watch(match_id)]
    assert [message.WhichOneof("message") for message in again] == ["match_end"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"variant": "poker"}, "variant"),
    ({"bots": ["alice"]}, "bots"),
    ({"bots": ["alice", "alice"]}, "bots"),
    ({"bots": ["alice", "bob", "carol"]}, "bots"),
    ({"options": {"months": "0"}}, "options"),
    ({"options": {"months": "{"}}, "options"),
    ({"options": {"weeks": "3"}}, "options"),
    ({"policy": 9}, "policy"),
    ({"time_control": {"per_decision_ms": 0, "bank_ms": 0}}, "time_control"),
    ({"time_control": {"per_decision_ms": 9_999_999}}, "time_control.per_decision_ms"),
]


async def test_a_wrong_challenge_names_its_field(alice: Caller) -> None:
    for fields, at_fault in WRONG:
        code, reason, found = await refusal(alice.create(**fields))
        assert (code, reason, list(found)) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", [at_fault])
        assert found[at_fault]


async def test_nobody_makes_a_match_between_others(alice: Caller) -> None:
    code, reason, _ = await refusal(alice.create(bots=["bob", "carol"]))
    assert (code, reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_MATCH")


async def test_a_bot_that_is_away_or_busy_or_plays_other_variants_is_not_challenged(node: Node, alice: Caller) -> None:
    assert (await refusal(alice.create(bots=["alice", "zoe"])))[1] == "BOT_NOT_CONNECTED"
    carol = await node.connect(await node.register("carol"), variants=["koikoi"])
    other = alice.create(bots=["alice", "carol"], variant="kyogi", options={})
    assert (await refusal(other))[1] == "VARIANT_NOT_PLAYED"
    await soon(alice.create(bots=["alice", "carol"]))
    await carol.receive("match_start")
    assert (await refusal(alice.create(bots=["alice", "carol"])))[1] == "BOT_BUSY"


async def test_matches_are_listed_in_pages(alice: Caller) -> None:
    made = [(await soon(alice.create())).match.match_id for _ in range(3)]
    for match_id in made:
        await soon(ended(alice, match_id))
    first = await soon(alice.list(2))
    second = await soon(alice.list(2, first.next_page_token))
    assert [match.match_id for match in (*first.matches, *second.matches)] == made
    assert not second.next_page_token


async def test_a_page_token_that_no_list_gave_out_and_a_page_too_large_are_named(alice: Caller) -> None:
    assert (await refusal(alice.list(101)))[2].keys() == {"page_size"}
    assert (await refusal(alice.list(1, "nonsense")))[2].keys() == {"page_token"}


async def test_an_unknown_match_is_not_found(alice: Caller) -> None:
    found = (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH", {})
    assert await refusal(alice.get("no-such-match")) == found

    async def watch() -> None:
        async for _ in alice.watch("no-such-match"):
            pass

    assert await refusal(watch()) == found


async def test_an_unknown_variant_is_not_found_and_the_known_ones_are_named(arena: Arena) -> None:
    stub = variant_pb2_grpc.VariantServiceStub(arena.channel())
    call = stub.GetVariant(variant_pb2.GetVariantRequest(id="poker"))
    with pytest.raises(grpc.aio.AioRpcError, match="koikoi"):
        await soon(call)


async def test_no_call_is_answered_without_a_token(node: Node) -> None:
    for stub, method, kind in methods():
        for token, reason in ((None, "TOKEN_MISSING"), ("wrong", "TOKEN_UNKNOWN")):
            call = node.call(stub, method.name, kind(), token)
            found = await refusal(call.read() if method.server_streaming else call)
            assert found[:2] == (grpc.StatusCode.UNAUTHENTICATED, reason), method.name


async def test_bots_are_shown_and_a_token_is_replaced_at_once(node: Node) -> None:
    bot, token = await node.store.bots.create("alice", owner="ann")
    stub = bot_pb2_grpc.BotServiceStub
    shown = await soon(node.call(stub, "GetBot", bot_pb2.GetBotRequest(), token))
    assert (shown.bot.name, shown.bot.connected) == ("alice", False)
    assert shown.bot.created_at.ToMicroseconds() == bot.created_us
    listed = await soon(node.call(stub, "ListBots", bot_pb2.ListBotsRequest(), token))
    assert [one.name for one in listed.bots] == ["alice"]
    rotated = await soon(node.call(stub, "RotateBotToken", bot_pb2.RotateBotTokenRequest(), token))
    assert (await node.store.bots.authenticate(rotated.token)).name == "alice"
    assert (await refusal(node.call(stub, "GetBot", bot_pb2.GetBotRequest(), token)))[1] == "TOKEN_UNKNOWN"
    unknown = node.call(stub, "GetBot", bot_pb2.GetBotRequest(name="nobody"), rotated.token)
    assert (await refusal(unknown))[:2] == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BOT")


async def test_an_unknown_replay_and_one_without_an_id_are_refused_by_name(node: Node) -> None:
    token = await node.register("alice")
    stub = replay_pb2_grpc.ReplayServiceStub
    for replay_id, reason in (("nothing", "UNKNOWN_REPLAY"), ("", "INVALID_REQUEST")):
        call = node.call(stub, "GetReplay", replay_pb2.GetReplayRequest(replay_id=replay_id), token)
        assert (await refusal(call))[1] == reason
    listed = await soon(node.call(stub, "ListReplays", replay_pb2.ListReplaysRequest(), token))
    assert list(listed.replays) == []


async def test_what_fails_inside_is_logged_and_reported_without_details(
    node: Node, alice: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(match_id: str) -> None:
        raise RuntimeError(f"the seed of {match_id} is 42")

    monkeypatch.setattr(node.store.matches, "get", fail)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await soon(alice.get("m1"))
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "42" not in caught.value.details()
    assert "the seed of m1 is 42" in caplog.text


def test_every_end_has_a_word_on_the_wire() -> None:
    assert {f"MATCH_END_REASON_{end.name}" for end in End} < set(match_pb2.MatchEndReason.keys())


async def test_spectators_who_come_before_a_match_begins_all_see_it() -> None:
    live = LiveMatches()
    impatient = asyncio.create_task(live.wait_for("m1", 0.01))
    patient = [asyncio.create_task(live.wait_for("m1", 10)) for _ in range(2)]
    assert await soon(impatient) is None
    with live.playing(MatchSpec("m1", "koikoi", bytes(32), ("ann", "bo")), None, (), whole=False) as match:
        assert [await soon(one) for one in patient] == [match, match]
