"""What one owner can take of a node, of other bots and of the store: the node, its sockets and its store are real."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from play_arena import RawBot, reason_of, soon
from service_node import ANYTHING, HOUR_MS, Node, create, ended, match, node_on, refusal
from store_servers import until

from arena.challenges import Challenges
from arena.launcher.sources import HouseBot, RegisteredBot
from arena.league.reader import parse_league
from arena.organizer import steps as league
from arena.organizer.entries import check, enter, entrants_of
from arena.organizer.league_places import LeaguePlaces
from arena.organizer.limits import ChallengeLimits
from arena.sdk import Bot, BotClient, Decision, Endpoint, Match
from arena.sdk.bot import Answer
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, match_pb2, match_pb2_grpc, play_pb2

PRACTICE = ("alice", "house:greedy")


async def refused(call: Any) -> tuple[str, float]:
    """The reason of a refusal, and the seconds after which it asks to try again."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await soon(call)
    status = rpc_status.from_call(caught.value)
    retry = error_details_pb2.RetryInfo()
    found = [detail.Unpack(retry) for detail in status.details]
    return reason_of(status), retry.retry_delay.seconds if any(found) else 0.0


async def make_league(
    node: Node, folder: Path, name: str, bots: Sequence[str] = ("house:greedy", "house:random"), **keys: str
) -> None:
    """A league of a round between these bots, which is open."""
    rows = {"name": f'"{name}"', "rounds": "1", "options": "{ months = 1 }", "entries": str([*bots]), **keys}
    spec = parse_league("".join(f"{key} = {value}\n" for key, value in rows.items()), "league.toml")
    await league.create(node.store, spec, await entrants_of(node.store, spec, check(spec, folder)))


async def begin_league(node: Node, folder: Path, name: str, *bots: Sequence[str], **keys: str) -> None:
    """The same, which starts at once."""
    await make_league(node, folder, name, *bots, **keys)
    await league.start(node.store, name)


async def finished(node: Node, name: str) -> None:
    """Wait until a league is over."""

    async def is_over() -> bool:
        return (await node.store.leagues.get(name)).state == "finished"

    await until(is_over, f"league {name} is over")


class Player:
    """A bot that answers everything, and its token."""

    def __init__(self, token: str, bot: RawBot) -> None:
        self.token = token
        self.bot = bot
        self.task = asyncio.create_task(bot.play_on())


@pytest.fixture
async def players(node: Node) -> AsyncIterator[dict[str, Player]]:
    """Bots of several owners; anyone may challenge bob."""
    made = {}
    for name, owner, max_matches in (("alice", "ann", 4), ("also", "ann", 4), ("bob", "ben", 2), ("carol", "", 2)):
        _, token = await node.store.bots.create(name, owner=owner)
        made[name] = Player(token, await node.connect(token, max_matches=max_matches))
    await node.store.bots.take_challenges("bob", Challenges.ANYONE)
    yield made
    for player in made.values():
        player.task.cancel()
    await asyncio.gather(*(player.task for player in made.values()), return_exceptions=True)


async def test_challenges_that_nobody_answers_stop_no_league_and_no_other_match(
    tmp_path: Path, short_path: Path
) -> None:
    count = 80
    async with node_on(tmp_path, short_path, ANYTHING) as node:
        tokens = [await node.register(name) for name in ("mute", "mum")]
        mutes = [await node.connect(token, max_matches=256) for token in tokens]
        clock = match_pb2.TimeControl(per_decision_ms=HOUR_MS)
        waiting = [await create(node, tokens[0], "mute", "mum", time_control=clock) for _ in range(count)]
        # More matches than a node has places are under way: each of them waits for an answer.
        for _ in range(count):
            await mutes[0].receive("match_start")
        await begin_league(node, tmp_path, "cup")
        await finished(node, "cup")
        other = await node.register("alice")
        alice = Player(other, await node.connect(other))
        over = await ended(node, other, (await create(node, other, *PRACTICE)).match_id)
        alice.task.cancel()
        assert over.end.reason == match_pb2.MATCH_END_REASON_COMPLETED
        states = Counter([(await match(node, other, one.match_id)).status for one in waiting])
        assert states == {match_pb2.MATCH_STATUS_RUNNING: count}


async def test_a_league_of_bots_that_answer_nothing_stops_no_other_league(tmp_path: Path, short_path: Path) -> None:
    async with node_on(tmp_path, short_path) as node:
        names = [f"mute-{number}" for number in range(4)]
        mutes = [await node.connect(await node.register(name), max_matches=256) for name in names]
        await begin_league(
            node, tmp_path, "slow", names, boards="40", board_sets='"field"', per_decision_ms=str(HOUR_MS)
        )
        for mute in mutes:
            for _ in range(40):
                await mute.receive("match_start")
        await begin_league(node, tmp_path, "cup")
        await finished(node, "cup")


async def test_of_many_challenges_at_once_as_many_are_taken_as_the_bot_has_places(node: Node) -> None:
    tokens = [await node.register(name) for name in ("mute", "mum")]
    mute, _ = [await node.connect(token, max_matches=1) for token in tokens]
    answers = await asyncio.gather(
        *(create(node, tokens[0], "mute", "mum") for _ in range(100)), return_exceptions=True
    )
    assert sum(isinstance(answer, match_pb2.Match) for answer in answers) == 1
    await mute.receive("match_start")
    assert await refused(create(node, tokens[0], "mute", "mum")) == ("BOT_BUSY", 5.0)
    assert len((await node.store.matches.list()).items) == 1, "nothing is left of a challenge that was refused"


async def test_an_owners_bots_share_its_matches_under_way_and_nobody_elses(tmp_path: Path, short_path: Path) -> None:
    async with node_on(tmp_path, short_path, ChallengeLimits(open=3)) as node:
        tokens = {}
        for name, owner in (("mute", "ann"), ("also", "ann"), ("other", "ben")):
            _, tokens[name] = await node.store.bots.create(name, owner=owner)
            await node.connect(tokens[name], max_matches=100)
        calls = [create(node, tokens[name], name, "house:random") for name in ("mute", "also") * 10]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(answer, match_pb2.Match) for answer in answers) == 3
        assert await refused(create(node, tokens["mute"], "mute", "also")) == ("CHALLENGE_LIMIT", 5.0)
        assert (await create(node, tokens["other"], "other", "house:random")).match_id


async def test_an_owner_makes_so_many_matches_an_hour_however_many_are_over(tmp_path: Path, short_path: Path) -> None:
    async with node_on(tmp_path, short_path, ChallengeLimits(hourly=3)) as node:
        token = await node.register("alice")
        alice = Player(token, await node.connect(token))
        for _ in range(3):
            await ended(node, token, (await create(node, token, *PRACTICE)).match_id)
        reason, retry_s = await refused(create(node, token, *PRACTICE))
        assert reason == "CHALLENGE_LIMIT"
        assert 3500 < retry_s <= 3600
        alice.task.cancel()


async def test_a_challenge_gives_no_more_time_than_the_operator_lets_it(node: Node) -> None:
    token = await node.register("alice")
    limits = ChallengeLimits()
    for field, longest in (("per_decision_ms", limits.clock_ms), ("bank_ms", limits.bank_ms)):
        clock = match_pb2.TimeControl(**{"per_decision_ms": 1, field: longest + 1})
        _, reason, fields = await refusal(create(node, token, *PRACTICE, time_control=clock))
        assert (reason, list(fields)) == ("INVALID_REQUEST", [f"time_control.{field}"])


async def test_a_bot_says_from_whom_it_takes_challenges(node: Node, players: dict[str, Player]) -> None:
    ann, bob, carol = players["alice"].token, players["bob"].token, players["carol"].token

    async def takes(token: str, name: str) -> bool:
        own = {ann: "alice", bob: "bob", carol: "carol"}[token]
        [made] = await asyncio.gather(create(node, token, own, name), return_exceptions=True)
        if isinstance(made, grpc.aio.AioRpcError):
            assert reason_of(rpc_status.from_call(made)) == "CHALLENGE_REFUSED"
            return False
        await ended(node, token, made.match_id)
        return True

    async def say(token: str, challenges: int) -> int:
        request = bot_pb2.UpdateBotRequest(challenges=challenges)
        return int((await soon(node.call(bot_pb2_grpc.BotServiceStub, "UpdateBot", request, token))).bot.challenges)

    assert await takes(ann, "also"), "one's own bot, by default"
    assert await takes(ann, "bob"), "one that takes anyone's"
    assert not await takes(bob, "alice"), "another owner's, by default"
    assert not await takes(bob, "carol"), "one that is nobody's, by default"
    assert await say(carol, bot_pb2.CHALLENGES_ANYONE) == bot_pb2.CHALLENGES_ANYONE
    assert await takes(bob, "carol")
    assert await say(carol, bot_pb2.CHALLENGES_UNSPECIFIED) == bot_pb2.CHALLENGES_ANYONE, "it stays as it was"
    assert await say(carol, bot_pb2.CHALLENGES_NONE) == bot_pb2.CHALLENGES_NONE
    assert not await takes(bob, "carol")
    assert await takes(carol, "bob"), "its own challenges are another matter"
    wrong = node.call(bot_pb2_grpc.BotServiceStub, "UpdateBot", bot_pb2.UpdateBotRequest(challenges=9), ann)
    assert (await refusal(wrong))[2].keys() == {"challenges"}


async def test_house_bots_can_be_challenged_for_practice(node: Node, players: dict[str, Player]) -> None:
    token = players["carol"].token
    for opponent in ("house:greedy", "house:random", "house:greedy"):
        over = await ended(node, token, (await create(node, token, opponent, "carol")).match_id)
        assert over.end.reason == match_pb2.MATCH_END_REASON_COMPLETED
        assert list(over.bots) == [opponent, "carol"]
    for name in ("house:nobody", "./bot.py", "bot.py"):
        _, reason, fields = await refusal(create(node, token, "carol", name))
        assert (reason, list(fields)) == ("INVALID_REQUEST", ["bots"])


async def test_a_challenge_is_declined_before_the_first_move_and_the_place_is_free_at_once(node: Node) -> None:
    tokens = [await node.register(name) for name in ("alice", "bob")]
    alice, bob = [await node.connect(token) for token in tokens]
    declined = await create(node, tokens[0], "alice", "bob")
    for bot in (alice, bob):
        await bot.receive("match_start")
    await bob.send(decline=play_pb2.Decline(match_id=declined.match_id))
    tasks = [asyncio.create_task(alice.play_on())]
    over = await ended(node, tokens[0], declined.match_id)
    assert (over.end.reason, over.end.offender) == (match_pb2.MATCH_END_REASON_ABANDONED, -1)
    assert over.end.text == "bob declined the match"
    assert (await bob.receive("match_end")).match_end.match_id == declined.match_id
    # After its first move the bot plays on, or loses. One month may be won before it is asked again.
    begun = await create(node, tokens[0], "alice", "bob", options={"months": "12"})
    await bob.move((await bob.receive("decision")).decision)
    await bob.send(decline=play_pb2.Decline(match_id=begun.match_id))
    over = await ended(node, tokens[0], begun.match_id)
    assert (over.end.reason, over.end.offender) == (match_pb2.MATCH_END_REASON_BOT_ERROR, 1)
    await bob.send(decline=play_pb2.Decline(match_id="nothing"))
    assert await bob.rejection() == "UNKNOWN_MATCH"
    for task in tasks:
        task.cancel()


class Choosy(Bot):
    """Plays no challenge of alice's; counts what it is told."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.told: list[str] = []

    def accepts(self, match: Match) -> bool:
        self.asked.append(match.bots)
        return "alice" not in match.bots

    def started(self, match: Match) -> None:
        self.told.append("started")

    def ended(self, match: Match, end: match_pb2.MatchEnd) -> None:
        self.told.append("ended")

    def choose(self, decision: Decision) -> Answer:
        return decision.legal[0]


async def test_a_bot_of_the_sdk_is_asked_for_each_challenge_and_told_nothing_of_what_it_declines(
    node: Node, players: dict[str, Player], tmp_path: Path
) -> None:
    choosy, said = Choosy(), list[str]()
    client = BotClient(choosy, Endpoint(node.address, await node.register("choosy")), said.append)
    run = asyncio.create_task(client.run())
    await soon(client.connected.wait())
    ends = []
    for name in ("alice", "carol"):
        token = players[name].token
        ends.append(await ended(node, token, (await create(node, token, "choosy", name)).match_id))
    declined, played = ends
    assert (declined.end.reason, declined.end.text) == (
        match_pb2.MATCH_END_REASON_ABANDONED,
        "choosy declined the match",
    )
    assert f"declined a challenge: match {declined.match_id} of choosy, alice" in said
    assert played.end.reason == match_pb2.MATCH_END_REASON_COMPLETED
    await begin_league(node, tmp_path, "cup", ("choosy", "house:random"), boards="2", board_sets='"field"')
    await finished(node, "cup")
    await client.drain()
    await soon(run)
    assert choosy.asked == [("choosy", "alice"), ("choosy", "carol")], "not of the league's matches"
    assert choosy.told[:2] == ["started", "ended"]
    assert choosy.told[2:] == ["started", "ended"] * 2, "a field league of two plays two boards"


async def test_a_place_of_a_bot_is_kept_for_its_league(node: Node, players: dict[str, Player], tmp_path: Path) -> None:
    await make_league(node, tmp_path, "cup", board_sets='"field"')
    cup = await node.store.leagues.get("cup")
    leagues = LeaguePlaces(node.store)
    await enter(node.store, cup, RegisteredBot("bob"), "robert")
    await enter(node.store, cup, RegisteredBot("carol"), "carol")
    await enter(node.store, cup, HouseBot("greedy"), "alice")
    assert await leagues.league_of("bob") == "", "it is not under way yet"
    await node.store.leagues.start("cup")
    await node.store.leagues.pause("cup")
    assert [await leagues.league_of(name) for name in ("bob", "carol", "alice", "robert")] == ["cup", "cup", "", ""]
    mute = await node.connect(await node.store.bots.rotate("bob"), max_matches=2)
    await node.store.bots.take_challenges("carol", Challenges.ANYONE)
    await create(node, players["alice"].token, "alice", "bob")
    await mute.receive("match_start")
    assert (await refused(create(node, players["alice"].token, "alice", "bob")))[0] == "BOT_BUSY"
    single = await node.connect(await node.store.bots.rotate("carol"), max_matches=1)
    assert (await refused(create(node, players["alice"].token, "alice", "carol")))[0] == "BOT_BUSY"
    await node.store.leagues.withdraw("cup", "carol")
    await create(node, players["alice"].token, "alice", "carol")
    await single.receive("match_start")


async def test_a_match_that_is_over_is_deleted_by_the_owner_who_asked_for_it(
    node: Node, players: dict[str, Player]
) -> None:
    def delete(match_id: str, token: str) -> Any:
        request = match_pb2.DeleteMatchRequest(match_id=match_id)
        return soon(node.call(match_pb2_grpc.MatchServiceStub, "DeleteMatch", request, token))

    ann, bob = players["alice"].token, players["bob"].token
    over = await ended(node, ann, (await create(node, ann, "alice", "bob")).match_id)
    assert (await refusal(delete(over.match_id, bob)))[1] == "NOT_YOUR_MATCH"
    await delete(over.match_id, players["also"].token)
    assert (await refusal(delete(over.match_id, ann)))[1] == "UNKNOWN_MATCH"
    assert not (await node.store.matches.list(bot="bob")).items
    mute = await node.connect(await node.store.bots.rotate("bob"))
    running = await create(node, ann, "alice", "bob")
    await mute.receive("match_start")
    assert (await refusal(delete(running.match_id, ann)))[1] == "MATCH_RUNNING"


async def test_matches_that_were_kept_long_enough_leave_nothing(node: Node, players: dict[str, Player]) -> None:
    store, token = node.store, players["alice"].token
    for _ in range(3):
        over = await ended(node, token, (await create(node, token, *PRACTICE)).match_id)
    call = store._client.call
    await store.matches.delete_older(60.0)
    assert (await store.matches.get(over.match_id)).result, "not old enough"
    assert await call("KEYS", "hfa:{match:*") != []
    assert await store.matches.delete_older(0.0) == 3
    assert await call("KEYS", "hfa:{match:*") == []
    assert await call("KEYS", "hfa:matches*") == []
    assert await call("KEYS", "hfa:{matches}:open:*") == []
    assert not (await store.replays.list()).items
