"""How the queues and the server stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from store_rounds import LEAGUE, VARIANT, begin_round

from arena.store.errors import UnknownNodeError
from arena.store.node_states import NodeState

if TYPE_CHECKING:
    from arena.store import Store


async def test_a_round_is_told_by_its_jobs_that_wait_are_leased_and_were_given_up(store: Store) -> None:
    queue = store.jobs("one")
    queue.max_failures = 1
    await begin_round(store, queue, matches=40)
    jobs = await queue.claim(10)
    await queue.fail(jobs[0], "it cannot be played")
    [division] = (await store.survey.queues()).divisions
    assert (division.league, division.variant, division.state, division.round) == (LEAGUE, VARIANT, "running", 1)
    assert (division.ready, division.leased, division.parked) == (30, 9, 1)
    assert division.oldest_leased_s > 0


async def test_a_job_that_waits_has_an_age(store: Store) -> None:
    queue = store.jobs("one")
    await begin_round(store, queue, matches=2)
    jobs = await queue.claim(2)
    await queue.release(jobs[0])
    [division] = (await store.survey.queues()).divisions
    assert (division.ready, division.leased) == (1, 1)
    assert division.oldest_ready_s > 0


async def test_an_empty_store_waits_for_nothing(store: Store) -> None:
    queues = await store.survey.queues()
    assert (queues.divisions, queues.singles, queues.versions) == ((), 0, 0)


async def test_the_server_tells_what_keeps_its_data(store: Store) -> None:
    server = await store.survey.server()
    assert (server.name, server.eviction, server.writes) == ("Valkey", "noeviction", True)
    assert server.memory > 1 << 19
    assert abs(server.clock_s) < 60


async def test_a_node_is_told_of_until_it_is_removed_and_is_asked_to_drain_by_the_beginning_of_its_id(
    store: Store,
) -> None:
    states = store.node_states
    one, two = (NodeState(f"host.{n}.a", "1", "host", n, (), 0, 0) for n in (1, 2))
    assert not await states.show(one)
    assert not await states.show(two)
    assert await states.list() == [one, two]
    for name in ("host", "elsewhere", ""):
        with pytest.raises(UnknownNodeError, match=r"host\.1\.a, host\.2\.a"):
            await states.drain(name)
    assert await states.drain("host.2") == two
    assert await states.show(two)
    assert not await states.show(one)
    await states.remove(two.id)
    assert await states.list() == [one]
    assert not await states.show(two)
