"""A bot of the SDK plays, waits for its arena and takes up a lost connection by itself."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from play_arena import Arena, soon

from arena.match.model import End
from arena.sdk import Bot, BotClient, BotFailedError, Decision, DismissedError, Endpoint, RefusedError
from arena.sdk.bot import Answer
from arena.sdk.errors import ArenaAwayError
from hanafuda.arena.v1 import match_pb2

ROOT = Path(__file__).parents[2]


class First(Bot):
    """Answers the first legal action; counts what it is told."""

    max_matches = 8

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.over: list[int] = []
        self.answered = 0

    def started(self, match: Any) -> None:
        self.begun.append(match.id)

    def ended(self, match: Any, end: match_pb2.MatchEnd) -> None:
        self.over.append(end.reason)

    def choose(self, decision: Decision) -> Answer:
        self.answered += 1
        return decision.legal[0]


class Played:
    """A bot at the arena: its client, its run, what it said to the person."""

    def __init__(self, arena: Arena, bot: Bot, name: str, **options: Any) -> None:
        self.said: list[str] = []
        self.client = BotClient(bot, Endpoint(arena.address, arena.token(name)), self.said.append, **options)
        self.run = asyncio.create_task(self.client.run())

    async def drained(self) -> None:
        """Drain, and wait for the end of the run."""
        await self.client.drain()
        await soon(self.run)


@asynccontextmanager
async def playing(arena: Arena, *bots: tuple[str, Bot]) -> AsyncIterator[list[Played]]:
    """Bots that are connected; ended afterwards, however they stand."""
    played = [Played(arena, bot, name) for name, bot in bots]
    try:
        await arena.connected(*(name for name, _ in bots))
        yield played
    finally:
        for one in played:
            one.run.cancel()
        await asyncio.gather(*(one.run for one in played), return_exceptions=True)


def test_a_bot_without_choose_cannot_be_made() -> None:
    with pytest.raises(TypeError, match=r"abstract class Bot .*choose"):
        Bot()  # type: ignore[abstract]


async def test_two_bots_play_and_are_told_of_beginning_and_end(arena: Arena) -> None:
    alice, bob = First(), First()
    async with playing(arena, ("alice", alice), ("bob", bob)) as played:
        result = await soon(arena.match("alice", "bob", options={}))
        assert result.end is End.COMPLETED
        for one in played:
            await one.drained()
    assert alice.begun == bob.begun == ["m1"]
    assert alice.over == bob.over == [match_pb2.MATCH_END_REASON_COMPLETED]
    assert alice.answered + bob.answered == len(result.choices)


class Thinker(First):
    """Answers later, so that its matches overlap."""

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self._gate = asyncio.Barrier(at_once)
        self._met: set[str] = set()

    async def choose(self, decision: Decision) -> Answer:  # type: ignore[override]
        if decision.match.id not in self._met:
            self._met.add(decision.match.id)
            await self._gate.wait()
        return decision.legal[-1].text


async def test_an_async_bot_thinks_about_many_matches_at_once(arena: Arena) -> None:
    async with playing(arena, ("alice", Thinker(4)), ("bob", First())):
        results = await soon(asyncio.gather(*(arena.match("alice", "bob") for _ in range(4))))
        assert {result.end for result in results} == {End.COMPLETED}


async def test_a_lost_connection_is_taken_up_again_and_the_match_goes_on(arena: Arena) -> None:
    class Loser(First):
        def choose(self, decision: Decision) -> Answer:
            if self.answered == 2:
                arena.hub.drop("alice")
            return super().choose(decision)

    alice = Loser()
    async with playing(arena, ("alice", alice), ("bob", First())) as (client, _):
        result = await soon(arena.match("alice", "bob"))
        assert result.end is End.COMPLETED
        assert any("trying again" in line for line in client.said)
        await client.drained()
    assert alice.begun == ["m1"]


async def test_a_challenge_is_declined_again_when_the_connection_was_lost_as_it_was_declined(arena: Arena) -> None:
    class Declines(First):
        def accepts(self, match: Any) -> bool:
            arena.hub.drop("alice")
            return False

    alice = Declines()
    async with playing(arena, ("alice", alice), ("bob", First())) as (client, _):
        result = await soon(arena.match("alice", "bob", declinable=True))
        assert (result.end, result.text) == (End.ABANDONED, "alice declined the match")
        assert sum("declined a challenge" in line for line in client.said) == 1
        await client.drained()
    assert (alice.begun, alice.over) == ([], [])


async def test_a_bot_waits_for_an_arena_that_is_away(arena: Arena, short_path: Path) -> None:
    token = arena.token("alice")
    said: list[str] = []
    complained = asyncio.Event()

    def say(text: str) -> None:
        said.append(text)
        complained.set()

    client = BotClient(First(), Endpoint(f"unix:{short_path}/later", token), say)
    run = asyncio.create_task(client.run())
    await soon(complained.wait())
    os.symlink(arena.address.removeprefix("unix:"), short_path / "later")
    await arena.connected("alice")
    await client.drain()
    await soon(run)
    away, there = said
    assert "is away" in away
    assert there.endswith("as alice")


async def test_patience_can_be_bounded(short_path: Path) -> None:
    client = BotClient(First(), Endpoint(f"unix:{short_path}/nowhere", "t"), lambda _: None, give_up_after=0.2)
    with pytest.raises(ArenaAwayError, match="nowhere"):
        await soon(client.run())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"token": "wrong"}, "TOKEN_UNKNOWN"),
        ({"name": "bob"}, "BOT_MISMATCH"),
        ({"variants": ("poker",)}, "INVALID_REQUEST"),
    ],
)
async def test_a_refusal_ends_the_bot_with_its_reason(arena: Arena, change: dict[str, Any], reason: str) -> None:
    bot = First()
    bot.variants = change.get("variants", ())
    endpoint = Endpoint(arena.address, change.get("token", arena.token("alice")))
    client = BotClient(bot, endpoint, lambda _: None, name=change.get("name", ""))
    with pytest.raises(RefusedError) as caught:
        await soon(client.run())
    assert caught.value.reason == reason


async def test_the_older_of_two_bots_with_one_token_gives_way(arena: Arena) -> None:
    token = arena.token("alice")
    endpoint = Endpoint(arena.address, token)
    older = asyncio.create_task(BotClient(First(), endpoint, lambda _: None).run())
    await arena.connected("alice")
    newer_client = BotClient(First(), endpoint, lambda _: None)
    newer = asyncio.create_task(newer_client.run())
    with pytest.raises(DismissedError, match="REPLACED"):
        await soon(older)
    await soon(newer_client.connected.wait())
    await newer_client.drain()
    await soon(newer)


def _raise(decision: Decision) -> Answer:
    raise ZeroDivisionError("oops")


FAULTS: dict[str, Callable[[Decision], Answer]] = {
    "ZeroDivisionError: oops": _raise,
    "is not legal here": lambda decision: 99_999,
    "SystemExit: 3": lambda decision: sys.exit(3),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_bots_fault_costs_its_match_at_once_and_is_shown_with_the_decision(arena: Arena, fault: str) -> None:
    class Faulty(First):
        def choose(self, decision: Decision) -> Answer:
            if decision.match.id == "m2" and decision.number == 2:
                return FAULTS[fault](decision)
            return super().choose(decision)

    async with playing(arena, ("alice", Faulty()), ("bob", First())) as (alice, _):
        good, bad = await soon(asyncio.gather(arena.match("alice", "bob"), arena.match("alice", "bob")))
        assert (good.end, bad.end, bad.offender) == (End.COMPLETED, End.BOT_ERROR, 0)
        with pytest.raises(BotFailedError, match=fault) as caught:
            await soon(alice.run)
        for part in ("match m2, decision 2, seat 0", "field:", "legal:"):
            assert part in str(caught.value)


async def test_a_bot_that_fails_in_several_matches_drains_once(arena: Arena) -> None:
    class Faulty(First):
        def choose(self, decision: Decision) -> Answer:
            return _raise(decision)

    async with playing(arena, ("alice", Faulty()), ("bob", First())) as (alice, _):
        results = await soon(asyncio.gather(*(arena.match("alice", "bob") for _ in range(3))))
        assert [(result.end, result.offender) for result in results] == 3 * [(End.BOT_ERROR, 0)]
        with pytest.raises(BotFailedError):
            await soon(alice.run)
        assert not [line for line in alice.said if "was not taken" in line]


PROGRAM = """
from arena.sdk import Bot, run

class MyBot(Bot):
    def choose(self, decision):
        return decision.legal[0]

run(MyBot())
"""


@asynccontextmanager
async def program(arena: Arena, token: str) -> AsyncIterator[asyncio.subprocess.Process]:
    env = {**os.environ, "ARENA_ADDRESS": arena.address, "ARENA_TOKEN": token, "PYTHONPATH": str(ROOT)}
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, env=env, stderr=asyncio.subprocess.PIPE)
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def test_a_bot_prints_a_line_for_each_match_with_its_running_score(arena: Arena) -> None:
    async with playing(arena, ("bob", First())), program(arena, arena.token("alice")) as child:
        await arena.connected("alice")
        results = [await soon(arena.match("alice", "bob", options={})) for _ in range(2)]
        child.terminate()
        said = (await soon(child.stderr.read())).decode().splitlines()
    lines = [line for line in said if line.startswith("koikoi against bob: ")]
    assert len(lines) == 2
    places = [result.placing[0] + (result.placing.count(1) - 1) / 2 for result in results]
    for line, result, place in zip(lines, results, places, strict=True):
        shown = {1.0: "won", 1.5: "drawn", 2.0: "lost"}[place]
        assert f": {shown} {result.results[0]}:{result.results[1]}; so far " in line
    assert lines[-1].endswith(f"{places.count(1.0)} won, {places.count(1.5)} drawn, {places.count(2.0)} lost")


async def test_a_quiet_bot_prints_no_results(arena: Arena) -> None:
    async with playing(arena):
        quiet, loud = Played(arena, First(), "alice", quiet=True), Played(arena, First(), "carol")
        for name in ("alice", "carol"):
            await arena.connected(name)
        await soon(arena.match("alice", "carol"))
        for one in (quiet, loud):
            await one.drained()
    assert not [line for line in quiet.said if "against" in line]
    assert len([line for line in loud.said if line.startswith("koikoi against alice: ")]) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_ten_line_bot_plays_and_on_a_signal_finishes_its_match_first(arena: Arena, number: int) -> None:
    async with playing(arena, ("bob", First())), program(arena, arena.token("alice")) as child:
        await arena.connected("alice")
        match = arena.match("alice", "bob", options={})
        child.send_signal(number)
        assert (await soon(match)).end is End.COMPLETED
        assert await soon(child.wait()) == 0


async def test_a_bot_with_a_wrong_token_ends_with_one_clear_line(arena: Arena) -> None:
    async with program(arena, "wrong") as child:
        assert await soon(child.wait()) == 1
        lines = (await child.stderr.read()).decode().splitlines()
        assert len(lines) == 1
        assert "TOKEN_UNKNOWN" in lines[0]


async def test_a_bot_without_address_or_token_says_what_is_missing() -> None:
    env = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")} | {"PYTHONPATH": str(ROOT)}
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, env=env, stderr=asyncio.subprocess.PIPE)
    _, said = await soon(child.communicate())
    assert child.returncode == 2
    assert "--address or ARENA_ADDRESS is needed" in said.decode()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ARENA_ADDRESS": ","}, "--address or ARENA_ADDRESS names no node: ','"),
        ({"ARENA_ADDRESS": " , ,,"}, "--address or ARENA_ADDRESS names no node: ' , ,,'"),
        (
            {"ARENA_ADDRESS": "unix:none,localhost"},
            "--address or ARENA_ADDRESS, 'localhost': this is no address; it has",
        ),
        ({"ARENA_TOKEN": "one\ntwo"}, "--token or ARENA_TOKEN holds characters that no token has"),
        ({"ARENA_TOKEN": "札"}, "--token or ARENA_TOKEN holds characters that no token has"),
        ({"ARENA_TLS_CA": "none.pem"}, "--tls-ca or ARENA_TLS_CA: none.pem: No such file or directory"),
        ({"ARENA_TLS_CA": __file__}, f"--tls-ca or ARENA_TLS_CA: {__file__} holds no certificates in PEM form"),
    ],
)
async def test_a_bot_that_is_told_what_cannot_be_says_so(given: dict[str, str], words: str) -> None:
    env = {**os.environ, "ARENA_ADDRESS": "unix:none", "ARENA_TOKEN": "t", "PYTHONPATH": str(ROOT), **given}
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, env=env, stderr=asyncio.subprocess.PIPE)
    _, said = await soon(child.communicate())
    assert child.returncode == 2
    assert words in said.decode()


@pytest.mark.parametrize("given", [{}, {"ARENA_TLS_CA": ""}], ids=["plain", "with a variable that is empty"])
async def test_a_bot_that_waits_for_an_arena_leaves_on_a_signal(short_path: Path, given: dict[str, str]) -> None:
    known = {"ARENA_ADDRESS": f"unix:{short_path}/nowhere", "ARENA_TOKEN": "t", "PYTHONPATH": str(ROOT)}
    env = {**os.environ, **known, **given}
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, env=env, stderr=asyncio.subprocess.PIPE)
    assert b"is away" in await soon(child.stderr.readline())
    child.terminate()
    assert await soon(child.wait()) == 0
