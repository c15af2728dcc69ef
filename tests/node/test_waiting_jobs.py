"""Jobs that wait for a bot hold up no others, and wait no longer than the bot may be away."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
from store_servers import until

from arena import wire
from arena.match.model import End, MatchResult, MatchSpec, TimeControl
from arena.node import job_loop, node
from arena.node.job_loop import JobLoop
from arena.node.server import Listen
from arena.organizer.matches import queue_match
from arena.rpc.identity import OwnerIdentity
from arena.sdk import Action, Bot, Decision
from arena.sdk.connection import BotClient, Endpoint
from arena.store import Store

DEADLINE_S = 60.0


class Waits(Bot):
    """Answers with the first legal action as soon as it may."""

    def __init__(self, max_matches: int = 1) -> None:
        self.max_matches = max_matches
        self.may = asyncio.Event()
        self.asked = asyncio.Event()

    async def choose(self, decision: Decision) -> Action:
        self.asked.set()
        await self.may.wait()
        return decision.legal[0]


class Arena:
    """A node in this process, and bots that connect to it."""

    def __init__(self, store: Store, worker: node.Node, address: str) -> None:
        self.store = store
        self._worker = worker
        self._address = address
        self._tasks: list[asyncio.Task[None]] = []
        self._tokens: dict[str, str] = {}

    async def register(self, *names: str) -> None:
        for name in names:
            _, self._tokens[name] = await self.store.bots.create(name)

    async def connect(self, name: str, bot: Bot) -> Bot:
        player = BotClient(bot, Endpoint(self._address, self._tokens[name]), lambda _: None)
        self._tasks.append(asyncio.create_task(player.run()))
        await asyncio.wait_for(player.connected.wait(), DEADLINE_S)
        return bot

    async def match(self, *names: str, reconnect_ms: int = 60_000, owner: str = "") -> str:
        spec = MatchSpec(
            match_id=f"m{'-'.join(names)}{len(self._tasks)}{reconnect_ms}",
            variant="koikoi",
            seed=bytes(32),
            names=names,
            options={"months": 1},
            time=TimeControl(per_decision_ms=60_000, bank_ms=0),
            reconnect_ms=reconnect_ms,
        )
        return (await queue_match(self.store, spec, bytes(32), owner=owner)).id

    async def result(self, match_id: str) -> MatchResult:
        async with asyncio.timeout(DEADLINE_S):
            while True:
                result = (await self.store.matches.get(match_id)).result
                if result is not None:
                    return msgspec.json.decode(result, type=MatchResult)
                await self._worker.progress(timeout=1)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def arena(folder: Path) -> AsyncIterator[Arena]:
    async with AsyncExitStack() as stack:
        socket = stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-"))
        store = await stack.enter_async_context(await Store.open(folder / "data"))
        address = f"unix:{socket}/s"
        worker = await stack.enter_async_context(node.running_node(store, folder, Listen((address,))))
        made = Arena(store, worker, address)
        stack.push_async_callback(made.close)
        yield made


@pytest.fixture
def one_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that works on one job at once."""
    monkeypatch.setattr(node, "JobLoop", partial(JobLoop, at_once=1))


@pytest.mark.usefixtures("one_slot")
async def test_a_bot_that_is_not_there_holds_up_nobody_but_its_own_table(tmp_path: Path) -> None:
    async with arena(tmp_path) as here:
        await here.register("ann", "bo", "absent")
        bots = [await here.connect(name, Waits()) for name in ("ann", "bo")]
        for bot in bots:
            bot.may.set()
        waiting = [await here.match("absent", "ann", reconnect_ms=60_000 + number) for number in range(3)]
        results = [await here.result(await here.match("ann", "bo", reconnect_ms=number)) for number in range(1, 4)]
        assert {result.end for result in results} == {End.COMPLETED}
        assert [(await here.store.matches.get(match_id)).result for match_id in waiting] == [None] * 3
        (await here.connect("absent", Waits())).may.set()
        assert {(await here.result(match_id)).end for match_id in waiting} == {End.COMPLETED}


@pytest.mark.usefixtures("one_slot")
async def test_a_bot_without_a_free_place_is_waited_for_and_holds_up_nobody_else(tmp_path: Path) -> None:
    async with arena(tmp_path) as here:
        await here.register("ann", "bo", "slow")
        for name in ("ann", "bo"):
            (await here.connect(name, Waits(max_matches=2))).may.set()
        slow = await here.connect("slow", Waits())
        first = await here.match("slow", "ann", reconnect_ms=1)
        await asyncio.wait_for(slow.asked.wait(), DEADLINE_S)
        # One match of the slow bot is under way and has the only slot; a second one waits for its place beside that.
        second = await here.match("slow", "ann", reconnect_ms=2)
        assert (await here.store.matches.get(second)).result is None
        slow.may.set()
        for match_id in (first, second, await here.match("ann", "bo")):
            assert (await here.result(match_id)).end is End.COMPLETED


async def test_a_bot_that_does_not_come_in_its_time_forfeits(tmp_path: Path) -> None:
    async with arena(tmp_path) as here:
        await here.register("ann", "absent")
        (await here.connect("ann", Waits())).may.set()
        result = await here.result(await here.match("ann", "absent", reconnect_ms=300))
        assert (result.end, result.offender, result.placing) == (End.DISCONNECTED, 1, (1, 2))
        # And ann's place is free again.
        await here.register("bo")
        (await here.connect("bo", Waits())).may.set()
        assert (await here.result(await here.match("ann", "bo"))).end is End.COMPLETED


async def test_a_match_whose_owner_ends_while_it_waits_for_its_bots_ends_too(tmp_path: Path) -> None:
    async with arena(tmp_path) as here:
        await here.store.owners.create("ann")
        await here.register("absent", "gone")
        waiting = await here.match("absent", "gone", reconnect_ms=3_600_000, owner=OwnerIdentity("ann").share)

        async def is_waiting() -> bool:
            return bool(await here.store.matches.player(waiting))

        await until(is_waiting, "the node has the match")
        await here.store.owners.end("ann")
        result = await here.result(waiting)
        assert (result.end, result.offender, result.text) == (End.ABANDONED, -1, "owner ann has ended")


async def test_a_job_that_has_waited_long_makes_room_where_there_is_none(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(job_loop, "WAITING_AT_ONCE", 2)
    monkeypatch.setattr(job_loop, "_REQUEUE_AFTER_S", 0.5)
    async with arena(tmp_path) as here:
        await here.register("ann", "bo", "absent")
        for name in ("ann", "bo"):
            (await here.connect(name, Waits())).may.set()
        waiting = [await here.match("absent", "ann", reconnect_ms=60_000 + number) for number in range(4)]
        assert (await here.result(await here.match("ann", "bo"))).end is End.COMPLETED
        (await here.connect("absent", Waits())).may.set()
        assert {(await here.result(match_id)).end for match_id in waiting} == {End.COMPLETED}


async def test_an_error_of_the_arena_forfeits_nobody_and_the_match_is_played_again(tmp_path, monkeypatch) -> None:
    """The question of one seat cannot be made, twice: the job fails and is tried again, where it was."""
    asked = 0
    message = wire.decision_response_bytes

    def fails(question, *, repeated):
        nonlocal asked
        asked += 1
        if asked in (5, 6):
            raise RuntimeError("a bug of the arena")
        return message(question, repeated=repeated)

    monkeypatch.setattr(wire, "decision_response_bytes", fails)
    async with arena(tmp_path) as here:
        await here.register("ann", "bo")
        for name in ("ann", "bo"):
            (await here.connect(name, Waits())).may.set()
        result = await here.result(await here.match("ann", "bo"))
        assert (result.end, result.offender) == (End.COMPLETED, -1)
        assert result.rejections == (0, 0)
