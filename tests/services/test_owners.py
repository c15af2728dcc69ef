"""What a call may do with an owner's token."""

from typing import Any

import grpc
import pytest
from play_arena import RawBot, soon
from service_node import Node, refusal

from arena.challenges import Challenges
from arena.rpc.errors import Reason
from arena.rpc.identity import BotIdentity, caller
from arena.rpc.store_errors import refusal_of
from arena.services.bots import BotServicer
from arena.store import OwnerLimits
from arena.store.errors import OwnerEndedError
from arena.stream.hub import Hub
from hanafuda.arena.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    league_pb2,
    league_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    owner_pb2,
    owner_pb2_grpc,
    play_pb2_grpc,
    replay_pb2,
    replay_pb2_grpc,
)

DENIED = grpc.StatusCode.PERMISSION_DENIED
CHALLENGE = {"variant": "koikoi", "bots": ["crane", "deer"], "options": {"months": "1"}}
FOR_A_BOT: list[tuple[Any, str, Any, dict[str, Any]]] = [
    (bot_pb2_grpc.BotServiceStub, "RotateBotToken", bot_pb2.RotateBotTokenRequest, {}),
    (league_pb2_grpc.LeagueServiceStub, "EnterLeague", league_pb2.EnterLeagueRequest, {"league": "spring"}),
    (league_pb2_grpc.LeagueServiceStub, "RevealNonce", league_pb2.RevealNonceRequest, {"league": "s"}),
    (league_pb2_grpc.LeagueServiceStub, "WithdrawFromLeague", league_pb2.WithdrawFromLeagueRequest, {"league": "s"}),
    (match_pb2_grpc.MatchServiceStub, "CreateMatch", match_pb2.CreateMatchRequest, CHALLENGE),
]
"""The calls that are made for a bot."""
FIRST = "EnterLeague"
"""It looks for the league first, so that the bot matters only where there is one."""


@pytest.fixture
async def ann(node: Node) -> str:
    """The token of an owner of the bot crane; deer is bob's, and swan is nobody's."""
    _, token = await node.store.owners.create("ann")
    await node.store.owners.create("bob")
    for name, owner in (("crane", "ann"), ("deer", "bob"), ("swan", "")):
        await node.store.bots.create(name, owner=owner)
    return token


@pytest.mark.parametrize(("stub", "method", "kind", "fields"), [one for one in FOR_A_BOT if one[1] != FIRST])
async def test_an_owner_acts_for_its_own_bots_alone(
    node: Node, ann: str, stub: Any, method: str, kind: Any, fields: dict[str, Any]
) -> None:
    for bot in ("deer", "swan"):
        found = await refusal(node.call(stub, method, kind(**fields, bot=bot), ann))
        assert found[:2] == (DENIED, "NOT_YOUR_BOT")
    assert (await refusal(node.call(stub, method, kind(**fields, bot="nobody"), ann)))[1] == "UNKNOWN_BOT"
    assert (await refusal(node.call(stub, method, kind(**fields), ann)))[2].keys() == {"bot"}


@pytest.mark.parametrize(("stub", "method", "kind", "fields"), [one for one in FOR_A_BOT if one[1] != FIRST])
async def test_a_bot_acts_for_itself_alone(
    node: Node, ann: str, stub: Any, method: str, kind: Any, fields: dict[str, Any]
) -> None:
    token = await node.store.bots.rotate("crane")
    for bot in ("deer", "nobody"):
        found = await refusal(node.call(stub, method, kind(**fields, bot=bot), token))
        assert found[:2] == (DENIED, "NOT_YOUR_BOT")


async def test_an_owner_gives_its_bot_a_new_token(node: Node, ann: str) -> None:
    request = bot_pb2.RotateBotTokenRequest(bot="crane")
    rotated = await soon(node.call(bot_pb2_grpc.BotServiceStub, "RotateBotToken", request, ann))
    assert (await node.store.bots.authenticate(rotated.token)).name == "crane"
    again = bot_pb2.RotateBotTokenRequest(bot="crane")
    more = await soon(node.call(bot_pb2_grpc.BotServiceStub, "RotateBotToken", again, rotated.token))
    assert more.token != rotated.token


async def test_an_owner_challenges_for_its_bot(node: Node, ann: str) -> None:
    for name in ("crane", "deer"):
        await node.connect(await node.store.bots.rotate(name))
    await node.store.bots.take_challenges("deer", Challenges.ANYONE)
    challenge = match_pb2.CreateMatchRequest(**CHALLENGE, bot="crane")
    made = await soon(node.call(match_pb2_grpc.MatchServiceStub, "CreateMatch", challenge, ann))
    assert list(made.match.bots) == ["crane", "deer"]


async def test_an_owner_reads_what_bots_read(node: Node, ann: str) -> None:
    for stub, method, request in (
        (bot_pb2_grpc.BotServiceStub, "GetBot", bot_pb2.GetBotRequest(name="deer")),
        (match_pb2_grpc.MatchServiceStub, "ListMatches", match_pb2.ListMatchesRequest()),
        (league_pb2_grpc.LeagueServiceStub, "ListLeagues", league_pb2.ListLeaguesRequest()),
        (replay_pb2_grpc.ReplayServiceStub, "ListReplays", replay_pb2.ListReplaysRequest()),
    ):
        await soon(node.call(stub, method, request, ann))
    nameless = node.call(bot_pb2_grpc.BotServiceStub, "GetBot", bot_pb2.GetBotRequest(), ann)
    assert (await refusal(nameless))[2].keys() == {"name"}


async def test_bots_are_listed_with_their_owner(node: Node, ann: str) -> None:
    async def listed(**fields: Any) -> list[tuple[str, str]]:
        request = bot_pb2.ListBotsRequest(**fields)
        found = await soon(node.call(bot_pb2_grpc.BotServiceStub, "ListBots", request, ann))
        return [(bot.name, bot.owner) for bot in found.bots]

    assert await listed() == [("crane", "ann"), ("deer", "bob"), ("swan", "")]
    assert await listed(owner="ann") == [("crane", "ann")]


async def test_an_owner_does_not_play_itself(node: Node, ann: str) -> None:
    metadata = (("authorization", f"Bearer {ann}"),)
    bot = RawBot(play_pb2_grpc.PlayServiceStub(node.channel).Play(metadata=metadata))
    await bot.send(hello={"protocol_version": 1, "bot": "crane"})
    assert await bot.status() == (DENIED, "BOT_TOKEN_REQUIRED")


async def test_the_token_of_an_owner_that_has_ended_opens_nothing(node: Node, ann: str) -> None:
    crane = await node.store.bots.rotate("crane")
    await node.store.owners.end("ann")
    for token in (ann, crane):
        call = node.call(bot_pb2_grpc.BotServiceStub, "ListBots", bot_pb2.ListBotsRequest(), token)
        assert (await refusal(call))[:2] == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_a_call_under_way_as_its_owner_ends_gives_no_token(node: Node, ann: str) -> None:
    """The caller was let in before; what the call then finds in the store is an owner that has ended."""
    identity = BotIdentity("crane", "")
    await node.store.owners.end("ann")
    token = caller.set(identity)
    try:
        with pytest.raises(OwnerEndedError) as caught:
            await BotServicer(node.store, Hub()).RotateBotToken(bot_pb2.RotateBotTokenRequest(), None)
    finally:
        caller.reset(token)
    assert refusal_of(caught.value).reason is Reason.TOKEN_REVOKED


async def test_a_limit_beyond_what_the_wire_carries_is_shown_as_the_most_that_it_does(node: Node) -> None:
    _, token = await node.store.owners.create("eve", OwnerLimits(bots=1 << 33, versions=1 << 33, submissions=1 << 33))
    found = await node.call(owner_pb2_grpc.OwnerServiceStub, "GetOwner", owner_pb2.GetOwnerRequest(), token)
    limits = found.owner.limits
    assert {limits.bots, limits.versions, limits.submissions_per_hour} == {(1 << 32) - 1}
