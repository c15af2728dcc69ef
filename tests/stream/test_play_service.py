"""The stream of a connected bot: from its hello to its goodbye, whatever it sends."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from play_arena import Arena, RawBot, soon

from arena.match.model import End, Policy, TimeControl
from arena.match.play import play
from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

REFUSED: list[tuple[dict[str, Any], grpc.StatusCode, str]] = [
    ({"protocol_version": 2}, grpc.StatusCode.FAILED_PRECONDITION, "UNSUPPORTED_PROTOCOL"),
    ({"protocol_version": 0}, grpc.StatusCode.FAILED_PRECONDITION, "UNSUPPORTED_PROTOCOL"),
    ({"bot": "bob"}, grpc.StatusCode.PERMISSION_DENIED, "BOT_MISMATCH"),
    ({"variants": ["koikoi", "poker"]}, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
]


@pytest.mark.parametrize(("hello", "code", "reason"), REFUSED, ids=[reason for *_, reason in REFUSED])
async def test_a_hello_that_cannot_be_met_is_refused_by_name(
    arena: Arena, hello: dict[str, Any], code: grpc.StatusCode, reason: str
) -> None:
    bot = arena.stream(arena.token("alice"))
    await bot.send(hello=play_pb2.Hello(**{"protocol_version": 1, **hello}))
    assert await bot.status() == (code, reason)


@pytest.mark.parametrize(("token", "reason"), [(None, "TOKEN_MISSING"), ("no-such-token", "TOKEN_UNKNOWN")])
async def test_without_a_known_token_nobody_plays(arena: Arena, token: str | None, reason: str) -> None:
    bot = arena.stream(token)
    assert await bot.status() == (grpc.StatusCode.UNAUTHENTICATED, reason)


@pytest.mark.parametrize(("scheme", "known"), [("Bearer", True), ("bearer", True), ("Basic", False)])
async def test_the_scheme_of_a_token_is_bearer_in_any_case(arena: Arena, scheme: str, known: bool) -> None:
    metadata = (("authorization", f"{scheme} {arena.token('alice')}"),)
    bot = RawBot(play_pb2_grpc.PlayServiceStub(arena.channel()).Play(metadata=metadata))
    if known:
        assert (await bot.hello()).bot == "alice"
    else:
        assert await bot.status() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")


async def test_the_refusal_of_a_token_is_never_lost_behind_the_hello(arena: Arena) -> None:
    for _ in range(40):
        bot = arena.stream("no-such-token")
        await bot.send(hello=play_pb2.Hello(protocol_version=1))
        assert await bot.status() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_a_token_that_was_replaced_is_unknown(arena: Arena) -> None:
    old = arena.token("alice")
    arena.token("alice")
    assert await arena.stream(old).status() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_the_first_message_has_to_be_hello(arena: Arena) -> None:
    bot = arena.stream(arena.token("alice"))
    await bot.send(drain=play_pb2.Drain())
    assert await bot.status() == (grpc.StatusCode.FAILED_PRECONDITION, "HELLO_EXPECTED")


async def test_who_says_nothing_at_all_is_sent_away(arena_with: Callable[..., Any]) -> None:
    async with arena_with(hello_ms=50) as arena:
        bot = arena.stream(arena.token("alice"))
        assert await bot.status() == (grpc.StatusCode.FAILED_PRECONDITION, "HELLO_EXPECTED")


async def test_welcome_tells_the_bots_name_and_what_it_will_get(arena_with: Callable[..., Any]) -> None:
    async with arena_with(max_matches=3, reconnect_ms=1234) as arena:
        welcome = await arena.stream(arena.token("alice")).hello(max_matches=9)
        assert (welcome.bot, welcome.max_matches, welcome.reconnect_ms) == ("alice", 3, 1234)
        assert welcome.resume_token
        assert arena.hub.places("alice") == 3


async def test_two_bots_on_streams_play_a_match_to_its_end(arena: Arena) -> None:
    bots = [await arena.connect(name) for name in ("alice", "bob")]
    match = arena.match("alice", "bob", options={})
    players = [asyncio.create_task(bot.play_on()) for bot in bots]
    result = await soon(match)
    assert (result.end, result.offender, result.rejections) == (End.COMPLETED, -1, (0, 0))
    assert arena.hub.places("alice") == arena.hub.places("bob") == 1
    for player in players:
        player.cancel()


async def test_a_bot_plays_many_matches_at_once_on_one_stream(arena: Arena) -> None:
    bots = [await arena.connect(name, max_matches=20) for name in ("alice", "bob")]
    matches = [arena.match("alice", "bob", seed=number.to_bytes(32, "big")) for number in range(20)]
    assert arena.hub.places("alice") == 0
    players = [asyncio.create_task(bot.play_on()) for bot in bots]
    results = await soon(asyncio.gather(*matches))
    assert {result.end for result in results} == {End.COMPLETED}
    for player in players:
        player.cancel()


class Duel:
    """A match of which alice speaks by hand and bob always answers; `open` is alice's open decision."""

    def __init__(self, alice: RawBot, match: "asyncio.Task[Any]", bob: "asyncio.Task[None]") -> None:
        self.alice, self.match, self.bob = alice, match, bob
        self.open = play_pb2.Decision()

    async def next(self) -> play_pb2.Decision:
        """Alice's next decision."""
        self.open = (await self.alice.receive("decision")).decision
        return self.open

    async def finish(self) -> Any:
        """Alice plays on to the end."""
        player = asyncio.create_task(self.alice.play_on())
        try:
            return await soon(self.match)
        finally:
            player.cancel()
            self.bob.cancel()


async def duel(arena: Arena, **changed: Any) -> Duel:
    """A match that waits for alice's first answer."""
    alice = await arena.connect("alice")
    bob = await arena.connect("bob")
    match = arena.match("alice", "bob", **changed)
    started = Duel(alice, match, asyncio.create_task(bob.play_on()))
    await started.next()
    return started


async def test_a_decision_holds_all_that_is_needed_to_answer(arena: Arena) -> None:
    table = await duel(arena)
    decision = table.open
    assert (decision.match_id, decision.decision, decision.repeated) == ("m1", 1, False)
    assert [action.code for action in decision.legal] == sorted(action.code for action in decision.legal)
    assert decision.observation.seat == 0
    assert decision.observation.variant == "koikoi"
    assert decision.events[0].kind == "draw"
    assert (decision.clock.decision_ms, decision.clock.bank_ms) == (60_000, 0)
    await table.alice.move(decision)
    assert (await table.finish()).end is End.COMPLETED


async def test_a_second_answer_is_rejected_and_the_first_one_stands(arena: Arena) -> None:
    table = await duel(arena)
    first = table.open
    await table.alice.move(first)
    await table.alice.move(first, first.legal[-1].code)
    assert await table.alice.rejection() == "ALREADY_ANSWERED"
    result = await table.finish()
    assert (result.end, result.rejections) == (End.COMPLETED, (1, 0))
    assert set(result.choices) == {0}, "everybody plays the first legal action; the second answer was the last one"


STRAYS = {
    "UNKNOWN_MATCH": {"move": play_pb2.Move(match_id="m999", decision=1)},
    "NOT_ASKED": {"move": play_pb2.Move(match_id="m1", decision=77)},
    "MALFORMED": {"hello": play_pb2.Hello(protocol_version=1)},
}


@pytest.mark.parametrize("reason", STRAYS)
async def test_what_answers_nothing_is_rejected_by_name_and_the_match_goes_on(arena: Arena, reason: str) -> None:
    table = await duel(arena)
    await table.alice.send(**STRAYS[reason])
    assert await table.alice.rejection() == reason
    await table.alice.move(table.open)
    assert (await table.finish()).end is End.COMPLETED


async def test_an_empty_message_is_malformed(arena: Arena) -> None:
    table = await duel(arena)
    await table.alice.send()
    assert await table.alice.rejection() == "MALFORMED"
    await table.alice.move(table.open)
    assert (await table.finish()).end is End.COMPLETED


async def test_a_move_with_fields_of_a_newer_protocol_is_taken(arena: Arena) -> None:
    table = await duel(arena)
    move = play_pb2.Move(match_id=table.open.match_id, decision=1, code=table.open.legal[0].code)
    newer = move.SerializeToString() + b"\xa0\x06\x01"  # field 100, of which this program knows nothing
    await table.alice.send(move=play_pb2.Move.FromString(newer))
    result = await table.finish()
    assert (result.end, result.rejections) == (End.COMPLETED, (0, 0))


async def test_a_bot_cannot_answer_for_its_opponent(arena: Arena) -> None:
    table = await duel(arena)
    mallory = await arena.connect("mallory")
    await mallory.move(table.open)
    assert await mallory.rejection() == "UNKNOWN_MATCH"
    await table.alice.move(table.open)
    result = await table.finish()
    assert (result.end, result.rejections) == (End.COMPLETED, (0, 0))


async def test_an_illegal_code_forfeits_under_strict(arena: Arena) -> None:
    table = await duel(arena)
    legal = {action.code for action in table.open.legal}
    await table.alice.move(table.open, next(code for code in range(500) if code not in legal))
    assert await table.alice.rejection() == "ILLEGAL_ACTION"
    result = await soon(table.match)
    assert (result.end, result.offender, result.placing) == (End.ILLEGAL_ACTION, 0, (2, 1))
    end = (await table.alice.receive("match_end")).match_end
    assert (end.match_id, end.offender) == ("m1", 0)
    table.bob.cancel()


async def test_under_lenient_the_default_is_played_and_told(arena: Arena) -> None:
    table = await duel(arena, policy=Policy.LENIENT)
    await table.alice.move(table.open, 4_000_000_000)
    rejected = (await table.alice.receive("move_rejected")).move_rejected
    assert (rejected.code, rejected.default_code) == (4_000_000_000, table.open.legal[0].code)
    assert rejected.rejections == 1
    assert (await table.finish()).end is End.COMPLETED


async def test_an_answer_after_the_time_is_too_late(arena: Arena) -> None:
    time = TimeControl(per_decision_ms=1_500, bank_ms=0)
    table = await duel(arena, policy=Policy.LENIENT, time=time)
    late = table.open
    assert await table.alice.rejection() == "TOO_LATE"
    await table.alice.move(late)
    # Her next decision may come before the answer to this.
    while (said := await table.alice.receive("decision", "move_rejected")).HasField("decision"):
        await table.alice.move(said.decision)
    assert said.move_rejected.reason == play_pb2.REJECTION_REASON_TOO_LATE
    result = await table.finish()
    assert (result.end, result.rejections[0]) == (End.COMPLETED, 2)


async def test_a_bot_that_never_answers_loses_by_timeout(arena: Arena) -> None:
    table = await duel(arena, time=TimeControl(per_decision_ms=50, bank_ms=50))
    result = await soon(table.match)
    assert (result.end, result.offender) == (End.TIMEOUT, 0)
    table.bob.cancel()


async def test_a_bot_that_says_it_failed_loses_at_once(arena: Arena) -> None:
    table = await duel(arena)
    await table.alice.send(failure=play_pb2.Failure(match_id="m1", text="ran out of luck"))
    result = await soon(table.match)
    assert (result.end, result.offender, result.text) == (End.BOT_ERROR, 0, "ran out of luck")
    table.bob.cancel()


async def test_what_a_bot_says_as_it_fails_is_one_line_that_shows_as_it_stands(arena: Arena) -> None:
    table = await duel(arena)
    text = "\x1b[2Jno\u202e luck\r\nbob forfeited\0" + "!" * 200
    await table.alice.send(failure=play_pb2.Failure(match_id="m1", text=text))
    result = await soon(table.match)
    assert result.text == ("[2Jno luck bob forfeited" + "!" * 200)[:200]
    table.bob.cancel()


async def test_a_flood_ends_the_flooders_connection_and_matches_and_nothing_else(arena: Arena) -> None:
    carol, dave = [await arena.connect(name) for name in ("carol", "dave")]
    other = arena.match("carol", "dave", options={})
    others = [asyncio.create_task(bot.play_on()) for bot in (carol, dave)]
    table = await duel(arena)
    for _ in range(arena.hub.limits.strays + 1):
        await table.alice.send(move=play_pb2.Move(match_id="nowhere", decision=1))
    assert await table.alice.goodbye() == "PROTOCOL_ERROR"
    result = await soon(table.match)
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert (await soon(other)).end is End.COMPLETED
    for task in (table.bob, *others):
        task.cancel()


async def test_good_answers_pay_for_stray_ones(arena_with: Callable[..., Any]) -> None:
    async with arena_with(strays=2) as arena:
        table = await duel(arena, options={})
        for _ in range(12):
            stray = play_pb2.Move(match_id="nowhere", decision=1)
            await table.alice.send(move=stray)
            assert await table.alice.rejection() == "UNKNOWN_MATCH"
            await table.alice.move(table.open)
            await table.next()
        await table.alice.move(table.open)
        assert (await table.finish()).end is End.COMPLETED


async def test_a_message_that_is_too_large_costs_the_connection_and_the_bot_may_come_back(arena: Arena) -> None:
    table = await duel(arena)
    token = arena.token("alice")
    await table.alice.send(failure=play_pb2.Failure(match_id="m1", text="x" * (64 << 10)))
    assert (await table.alice.status())[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
    table.alice = await arena.connect("alice", token)
    assert (await table.next()).repeated
    await table.alice.move(table.open)
    assert (await table.finish()).end is End.COMPLETED


async def test_a_bot_that_does_not_read_is_sent_away(arena_with: Callable[..., Any]) -> None:
    async with arena_with(strays=1_000_000, queue_bytes=20_000, queue_bytes_per_match=0, goodbye_ms=100) as arena:
        alice = arena.stream(arena.token("alice"), window=1 << 10)
        await alice.hello()
        while arena.hub.connected("alice"):
            await soon(alice.send(move=play_pb2.Move(match_id="nowhere", decision=1)))
        assert await _drain_to_status(alice) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")


async def _drain_to_status(bot: RawBot) -> tuple[grpc.StatusCode, str]:
    with contextlib.suppress(grpc.aio.AioRpcError):
        while await soon(bot.stream.read()) is not grpc.aio.EOF:
            pass
    return await bot.status()


async def test_an_open_decision_is_asked_again_on_a_resumed_connection(arena: Arena) -> None:
    token = arena.token("alice")
    alice = arena.stream(token)
    welcome = await alice.hello()
    bob = await arena.connect("bob")
    match = arena.match("alice", "bob")
    player = asyncio.create_task(bob.play_on())
    asked = (await alice.receive("decision")).decision
    alice.drop()
    assert await soon(arena.hub.wait_until(lambda: not arena.hub.connected("alice")))

    again = arena.stream(token)
    resumed = await again.hello(resume_token=welcome.resume_token)
    assert list(resumed.open_matches) == ["m1"]
    assert resumed.resume_token != welcome.resume_token
    assert (await again.receive("match_start")).match_start.match_id == "m1"
    repeated = (await again.receive("decision")).decision
    assert repeated.repeated
    repeated.repeated = False
    assert repeated == asked
    await again.move(repeated)
    table = Duel(again, match, player)
    assert (await table.finish()).end is End.COMPLETED


async def test_a_bot_that_does_not_come_back_is_disconnected(arena: Arena) -> None:
    table = await duel(arena, reconnect_ms=80)
    table.alice.drop()
    result = await soon(table.match)
    assert (result.end, result.offender) == (End.DISCONNECTED, 0)
    assert not arena.hub.connected("alice")
    assert arena.hub.connected("bob")
    table.bob.cancel()


async def test_a_newer_connection_takes_over_from_the_older(arena: Arena) -> None:
    token = arena.token("alice")
    alice = await arena.connect("alice", token)
    bob = await arena.connect("bob")
    match = arena.match("alice", "bob")
    await alice.receive("decision")
    newer = await arena.connect("alice", token)
    assert await alice.goodbye() == "REPLACED"
    decision = (await newer.receive("decision")).decision
    assert decision.repeated
    await newer.move(decision)
    table = Duel(newer, match, asyncio.create_task(bob.play_on()))
    assert (await table.finish()).end is End.COMPLETED


async def test_a_replaced_connection_cannot_take_the_newer_one_back_with_its_resume_token(arena: Arena) -> None:
    token = arena.token("alice")
    old = arena.stream(token)
    welcome = await old.hello()
    await arena.connect("alice", token)
    assert await old.goodbye() == "REPLACED"
    back = arena.stream(token)
    await back.send(hello=play_pb2.Hello(protocol_version=1, resume_token=welcome.resume_token))
    assert await back.status() == (grpc.StatusCode.FAILED_PRECONDITION, "CONNECTION_TAKEN_OVER")


async def test_a_match_that_ended_while_the_bot_was_away_is_told_when_it_is_back(arena: Arena) -> None:
    token = arena.token("alice")
    alice = await arena.connect("alice", token)
    bob = await arena.connect("bob")
    match = arena.match("alice", "bob")
    await alice.receive("decision")
    alice.drop()
    assert await soon(arena.hub.wait_until(lambda: not arena.hub.connected("alice")))
    await bob.send(failure=play_pb2.Failure(match_id="m1"))
    stuck = asyncio.create_task(arena.hub.wait_until(lambda: False))
    back = arena.stream(token)
    await back.hello()
    decision = (await back.receive("decision")).decision
    await back.move(decision)
    result = await soon(match)
    assert (result.end, result.offender) == (End.BOT_ERROR, 1)
    assert (await back.receive("match_end")).match_end.offender == 1
    stuck.cancel()


async def test_a_bot_that_drains_finishes_its_matches_and_gets_no_new_ones(arena: Arena) -> None:
    table = await duel(arena)
    await table.alice.send(drain=play_pb2.Drain())
    assert await soon(arena.hub.wait_until(lambda: arena.hub.places("alice") == 0))
    while not table.match.done():
        await table.alice.move(table.open)
        message = await table.alice.receive("decision", "match_end")
        if message.HasField("match_end"):
            break
        table.open = message.decision
    assert (await soon(table.match)).end is End.COMPLETED
    assert await table.alice.goodbye() == "DRAINED"
    table.bob.cancel()


async def test_an_idle_bot_that_drains_leaves_at_once(arena: Arena) -> None:
    alice = await arena.connect("alice")
    await alice.send(drain=play_pb2.Drain())
    assert await alice.goodbye() == "DRAINED"
    assert (await alice.status())[0] is grpc.StatusCode.OK


async def test_a_node_that_goes_down_says_so_and_when_to_come_back(arena: Arena) -> None:
    alice = await arena.connect("alice")
    stopping = asyncio.create_task(arena.server.stop())
    goodbye = (await alice.receive("goodbye")).goodbye
    assert goodbye.reason == play_pb2.GOODBYE_REASON_SHUTTING_DOWN
    assert goodbye.reconnect_after_ms > 0
    await soon(stopping)


async def test_updates_come_to_a_bot_that_asked_for_them(arena: Arena) -> None:
    alice = await arena.connect("alice", updates=True)
    bob = await arena.connect("bob")
    match = arena.match("alice", "bob")
    players = [asyncio.create_task(bob.play_on())]
    kinds: list[str] = []
    while True:
        message = await alice.receive("match_update", "decision", "match_end")
        if message.HasField("decision"):
            await alice.move(message.decision)
        elif message.HasField("match_update"):
            kinds += [event.kind for event in message.match_update.events]
        else:
            break
    assert (await soon(match)).end is End.COMPLETED
    assert kinds[0] == "draw"
    assert kinds[-1] == "match_end"
    players[0].cancel()


async def test_who_waits_for_a_bot_is_woken_when_it_connects(arena: Arena) -> None:
    waiting = asyncio.create_task(arena.connected("alice"))
    told: list[tuple[str, bool]] = []
    arena.hub.listen(lambda bot, connected: told.append((bot.name, connected)))
    alice = await arena.connect("alice")
    await soon(waiting)
    alice.drop()
    assert await soon(arena.hub.wait_until(lambda: not arena.hub.connected("alice")))
    assert told == [("alice", True), ("alice", False)]


async def test_a_kept_bot_may_answer_right_behind_its_hello(arena: Arena) -> None:
    token = arena.token("alice")
    alice, bob = await arena.connect("alice", token), await arena.connect("bob")
    seats = [arena.hub.seat("alice"), arena.hub.seat("bob")]
    seats[0].kept = True
    match = asyncio.create_task(play(arena.spec("alice", "bob"), seats))
    playing = [asyncio.create_task(bob.play_on())]
    asked = (await alice.receive("decision")).decision
    alice.drop()
    assert await arena.hub.wait_until(lambda: not arena.hub.connected("alice"), 10)
    again = arena.stream(token)
    await again.send(hello=play_pb2.Hello(protocol_version=1))
    await again.send(move=play_pb2.Move(match_id=asked.match_id, decision=asked.decision, code=asked.legal[0].code))
    playing.append(asyncio.create_task(again.play_on()))
    result = await soon(match)
    assert result.end is End.COMPLETED
    for task in playing:
        task.cancel()
