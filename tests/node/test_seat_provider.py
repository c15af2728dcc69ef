"""The seats that a match gets for the bots it names."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from arena_command import until
from bots_in_tests import FIRST as BOT

from arena.launcher.path_bots import Confinement
from arena.launcher.sources import PathBot, RegisteredBot
from arena.match.clock import clock
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.match.recess import Recess
from arena.node.seat_provider import IN_RECESS
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.rpc.identity import BotIdentity
from arena.sdk import Action, Bot, Decision
from arena.sdk.connection import BotClient, Endpoint
from arena.seats.failover import FailoverSeat
from arena.stream.hub import Hub
from hanafuda.arena.v1 import play_pb2

DEADLINE_S = 60.0
RECONNECT_MS = 1_500


class First(Bot):
    """Plays one match at once."""

    max_matches = 1

    def choose(self, decision: Decision) -> Action:
        return decision.legal[0]


@asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[None]:
    """A bot that is connected for as long as the body runs."""
    client = BotClient(First(), Endpoint(address, token), lambda _: None)
    running = asyncio.create_task(client.run())
    try:
        await asyncio.wait_for(client.connected.wait(), DEADLINE_S)
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_the_time_that_a_match_waited_for_a_busy_bot_is_no_absence_of_that_bot(tmp_path: Path) -> None:
    hub, tokens = Hub(), NodeTokens()
    token = tokens.started.issue(BotIdentity("busy"))
    spec = MatchSpec("m", "koikoi", bytes(32), ("busy", "other"), reconnect_ms=RECONNECT_MS)
    async with serving(hub, tokens, tmp_path / "logs") as (server, provider), AsyncExitStack() as match:
        async with connected(server.addresses[0], token):
            other_match = hub.seat("busy")
            seats = provider.seats("match", [("busy", RegisteredBot("busy"))], spec)
            waiting = asyncio.create_task(match.enter_async_context(seats))
            with clock.held():
                await clock.sleep_until(clock.now() + 1.2 * RECONNECT_MS / 1000)
        async with connected(server.addresses[0], token):
            other_match.release()
            [seat] = await asyncio.wait_for(waiting, DEADLINE_S)
            assert isinstance(seat, FailoverSeat)


async def test_a_bot_whose_opponent_never_came_is_told_of_its_match_from_start_to_end(tmp_path: Path) -> None:
    hub = Hub()
    spec = MatchSpec("m", "koikoi", bytes(32), ("gone", "here"), reconnect_ms=0)
    bots = [(name, RegisteredBot(name)) for name in spec.names]
    async with serving(hub, NodeTokens(), tmp_path / "logs") as (_, provider):
        _, connection = hub.connect(BotIdentity("here"), play_pb2.Hello(protocol_version=1))
        async with provider.seats("match", bots, spec) as seats:
            result = await play(spec, seats)
    assert (result.end, result.offender) == (End.DISCONNECTED, 0)
    welcome, start, end = (play_pb2.PlayResponse.FromString(connection.next()) for _ in range(3))
    assert welcome.HasField("welcome")
    assert start.match_start.match_id == "m"
    assert (end.match_end.match_id, end.match_end.offender) == ("m", 0)


NOTES = """\
    def started(self, match):
        self.note("begins", match)

    def ended(self, match, end):
        self.note("ends", match)

    def note(self, what, match):
        with open(__file__ + ".notes", "a") as notes:
            notes.write(f"match {match.id} {what}\\n")

    def choose"""


async def test_a_bot_that_the_node_started_is_told_which_match_begins_and_ends(tmp_path: Path) -> None:
    program = tmp_path / "notes.py"
    program.write_text(BOT.replace("    def choose", NOTES))
    notes = tmp_path / "notes.py.notes"
    spec = MatchSpec("m", "koikoi", bytes(32), ("gone", "notes"), reconnect_ms=0)
    bots = [("gone", RegisteredBot("gone")), ("notes", PathBot(program))]
    uncaged = BotOptions(confinement=Confinement.UNCAGED)
    async with (
        serving(Hub(), NodeTokens(), tmp_path / "logs", uncaged) as (_, provider),
        provider.seats("match", bots, spec) as seats,
    ):
        await play(spec, seats)
        await asyncio.to_thread(until, lambda: notes.exists() and "ends" in notes.read_text(), "the match has ended")
    assert notes.read_text() == "match m begins\nmatch m ends\n"


class CountingHub(Hub):
    """Counts how often those are woken who wait for a bot."""

    wakes = 0

    def wake(self) -> None:
        self.wakes += 1
        super().wake()


async def test_matches_that_wait_for_a_busy_bot_do_not_wake_one_another(tmp_path: Path) -> None:
    hub = CountingHub()
    bots = [(name, RegisteredBot(name)) for name in ("free", "busy")]
    async with serving(hub, NodeTokens(), tmp_path / "logs") as (_, provider), AsyncExitStack() as matches:
        for name, _ in bots:
            hub.connect(BotIdentity(name), play_pb2.Hello(protocol_version=1, max_matches=1))
        other_match = hub.seat("busy")
        specs = [MatchSpec(f"m{number}", "koikoi", bytes(32), ("free", "busy")) for number in range(2)]
        waiting = [
            asyncio.create_task(matches.enter_async_context(provider.seats("match", bots, spec))) for spec in specs
        ]
        await asyncio.wait(waiting, timeout=0.2)
        wakes = hub.wakes
        for _ in range(100):
            await asyncio.sleep(0)
        assert hub.wakes == wakes
        other_match.release()
        begun, still_waiting = await asyncio.wait(waiting, timeout=DEADLINE_S, return_when=asyncio.FIRST_COMPLETED)
        assert (len(begun), hub.places("free"), hub.places("busy")) == (1, 0, 0)
        for task in still_waiting:
            task.cancel()
        await asyncio.wait(still_waiting)


async def test_a_match_in_recess_leaves_its_place_to_others_as_long_as_there_are_not_too_many(tmp_path: Path) -> None:
    program = tmp_path / "first.py"
    program.write_text(BOT)
    options = BotOptions(fresh_at_once=1, confinement=Confinement.UNCAGED)
    async with serving(Hub(), NodeTokens(), tmp_path / "logs", options) as (_, provider), AsyncExitStack() as matches:

        async def begun(recess: Recess) -> None:
            seats = provider.seats("league", [("first", PathBot(program))], recess=recess)
            await matches.enter_async_context(seats)

        async with AsyncExitStack() as recesses:
            for _ in range(IN_RECESS):
                recess = Recess()
                await asyncio.wait_for(begun(recess), DEADLINE_S)
                recesses.enter_context(recess.taken())
            late = asyncio.create_task(begun(Recess()))
            done, _ = await asyncio.wait([late], timeout=0.5)
            assert not done, "as many have begun as may"
        assert not late.done(), "those in recess go on at once, and it waits for one of them to end"
        await matches.aclose()
        await asyncio.wait_for(late, DEADLINE_S)
