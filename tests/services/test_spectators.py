"""Spectators at a node that does not see the match."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from arena import wire
from arena.match.live import LiveMatches
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.node.job_loop import JobLoop
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.organizer.matches import MatchJob
from arena.rpc.errors import ApiError, Reason
from arena.seats.in_process import InProcessSeat
from arena.services.watching import Spectators
from arena.store import Match, Store
from arena.stream.hub import Hub
from bots import house
from hanafuda.arena.v1 import match_pb2

SPEC = MatchSpec("m1", "koikoi", bytes(32), ("ann", "bo"), options={"months": 2})


async def queue(store: Store, *bots: str) -> Match:
    """A match between house bots that waits to be played."""
    return await store.matches.create(
        SPEC.match_id, bots=SPEC.names, payload=msgspec.msgpack.encode(MatchJob(SPEC, bots)), commitment="00"
    )


async def end_of_show(spectators: Spectators) -> list[match_pb2.WatchMatchResponse]:
    """All that is shown of the match."""
    shown: list[match_pb2.WatchMatchResponse] = []

    async def show(message: match_pb2.WatchMatchResponse) -> None:
        shown.append(message)

    async with asyncio.timeout(60):
        await spectators.show(SPEC.match_id, show)
    return shown


async def test_a_match_that_ends_out_of_sight_is_shown_whole_all_the_same(store: Store, tmp_path: Path) -> None:
    await queue(store, "house:greedy", "house:greedy")
    watching = asyncio.create_task(end_of_show(Spectators(store, LiveMatches())))
    async with AsyncExitStack() as stack:
        _, players = await stack.enter_async_context(serving(Hub(), NodeTokens(), tmp_path / "logs"))
        # Another node's matches, to which there is no way from here.
        worker = asyncio.create_task(JobLoop(store, store.jobs(), players).run())
        *shown, end = await watching
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
    public = []
    await play(SPEC, [InProcessSeat(house("greedy")) for _ in range(2)], spectator=public.extend)
    assert [message.event for message in shown] == list(map(wire.event_to_wire, public))
    assert end.match_end.reason == wire.END_TO_WIRE[End.COMPLETED]


async def test_the_spectators_of_a_match_that_is_parked_and_of_a_node_that_goes_are_told_so(store: Store) -> None:
    await queue(store, "house:greedy", "house:greedy")
    jobs = store.jobs()
    jobs.max_failures = 1
    spectators = Spectators(store, LiveMatches())
    watching = asyncio.create_task(end_of_show(spectators))
    [job] = await jobs.claim(1, wait_s=10)
    assert await jobs.fail(job, "it cannot be played")
    with pytest.raises(ApiError) as parked:
        await watching
    assert parked.value.reason is Reason.MATCH_PARKED
    await store.stalled.requeue((await store.stalled.parked(job.scope)).items[0])
    for _ in range(2):
        watching = asyncio.create_task(end_of_show(spectators))
        await asyncio.sleep(0)
        spectators.leave()
        with pytest.raises(ApiError) as gone:
            await watching
        assert gone.value.reason is Reason.SHUTTING_DOWN
