"""Workers, servers and arenas are killed or stopped at any moment: no result is lost, and none counts twice."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import AsyncExitStack
from itertools import permutations
from pathlib import Path

import psutil
import pytest
from store_processes import running
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, pairs, play_out, take_one
from store_servers import alive, connected, tell, until

from arena.store import Job, JobQueue, StepWork, Store
from arena.store.directories import announce
from arena.store.embedded import find_binary
from arena.store.errors import DataFolderInUseError, EmbeddedServerError, LeaseLostError, StoreUnavailableError


@pytest.fixture
def url(tcp_url: str) -> str:
    tell(tcp_url, "FLUSHALL")
    return tcp_url


# -- workers ------------------------------------------------------------------------------------------------


async def test_a_killed_workers_job_is_with_another_within_one_and_a_half_leases(url: str) -> None:
    lease_ms = 4_000
    async with await Store.open(redis=url) as store:
        queue = store.jobs()
        await begin_round(store, queue, matches=1, lease_ms=lease_ms)
        async with running("store_worker.py", url, "hold") as worker:
            assert await worker.line() == "took 1"
            # Held for more than a lease: only the renewals of the other process keep the job from this one.
            assert await queue.claim(1, wait_s=1.25 * lease_ms / 1000) == []
            worker.signal(signal.SIGKILL)
            job = await taken_over(queue, lease_ms / 1000)
        assert job.fence == 2
        assert (await queue.commit_match(job, b"result")).outstanding == 0


async def taken_over(queue: JobQueue, lease_s: float) -> Job:
    """Take the job of a worker that was killed just now: whoever asks one and a half leases later gets it."""
    killed_at = asked_at = time.monotonic()
    while True:
        now = time.monotonic()
        if now - asked_at > lease_s / 4:
            killed_at = now  # where nobody could ask for so long, the job's owner is given time to renew its lease
        asked_at = now
        if jobs := await queue.claim(1):
            return jobs[0]
        assert now - killed_at < 1.5 * lease_s


async def test_a_worker_stopped_past_its_lease_cannot_commit_when_it_goes_on(url: str) -> None:
    async with await Store.open(redis=url) as store:
        queue = store.jobs()
        await begin_round(store, queue, matches=1, lease_ms=200)
        async with running("store_worker.py", url, "commit_late") as worker:
            assert await worker.line() == "took 1"
            worker.signal(signal.SIGSTOP)
            job = await take_one(queue)
            worker.tell("commit")
            worker.signal(signal.SIGCONT)
            assert await worker.line() == "refused"
            await queue.commit_match(job, b"fresh result", b"fresh replay")
        assert await store.leagues.results(LEAGUE, VARIANT, 1) == {"t0-0": b"fresh result"}
        assert (await store.leagues.get(LEAGUE)).played == 1


async def test_a_worker_stopped_past_its_lease_stops_playing_when_it_goes_on(url: str) -> None:
    async with await Store.open(redis=url) as store:
        queue = store.jobs()
        await begin_round(store, queue, matches=1, lease_ms=200)
        async with running("store_worker.py", url, "hold") as worker:
            assert await worker.line() == "took 1"
            worker.signal(signal.SIGSTOP)
            await take_one(queue)
            worker.signal(signal.SIGCONT)
            assert await worker.line() == "stopped playing"


async def test_a_worker_stopped_before_it_hears_of_its_lease_says_so_late_and_commits_nothing(url: str) -> None:
    async with await Store.open(redis=url) as store:
        first, third = store.jobs("first"), store.jobs("third")
        await begin_round(store, first, matches=1, lease_ms=200)
        await take_one(first)
        async with running("store_worker.py", url, "hear_late") as worker:
            assert await worker.line() == "leased"
            job = await take_one(third)
            assert job.fence == 3
            worker.signal(signal.SIGCONT)
            assert (await worker.line()).endswith("(fence 2), whose lease ran out, from first"), (
                "it was third's by then"
            )
            assert await worker.line() == "refused"
            await third.commit_match(job, b"fresh result", b"fresh replay")
        assert await store.leagues.results(LEAGUE, VARIANT, 1) == {"t0-0": b"fresh result"}


# -- the embedded server ------------------------------------------------------------------------------------


async def test_a_round_goes_on_while_the_server_is_killed_again_and_again(embedded: Store) -> None:
    queue = embedded.jobs()
    await begin_round(embedded, queue, matches=120)
    server = embedded.embedded
    pids: set[int] = set()

    async def kill() -> None:
        for _ in range(3):
            await until(lambda: server.pid not in {0, *pids}, "there is a new server")
            pids.add(server.pid)
            os.kill(server.pid, signal.SIGKILL)

    killing = asyncio.create_task(kill())
    step = await play_out(queue, batch=4)
    await killing
    assert len(pids) == 3
    await queue.commit_finish(step)
    league = await embedded.leagues.get(LEAGUE)
    assert (league.state, league.played) == ("finished", 120)
    assert set(await embedded.leagues.results(LEAGUE, VARIANT, 1)) == {work.name for work in pairs(120)}


async def test_a_step_under_way_survives_the_servers_death(embedded: Store) -> None:
    queue = embedded.jobs()
    await begin_league(embedded, lease_ms=2000)
    step = await take_one(queue)
    server = embedded.embedded
    async with connected(f"unix://{server.socket_path}") as client:
        committing = asyncio.create_task(queue.commit_round(step, b"plan", pairs(6000)))
        while not await client.call("EXISTS", step.scope.stage):
            assert not committing.done()
    os.kill(server.pid, signal.SIGKILL)
    await committing
    assert (await embedded.leagues.get(LEAGUE)).division(VARIANT).outstanding == 6000


async def test_the_server_dies_with_its_arena_and_the_next_arena_goes_on_with_its_data(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "work") as arena:
        server = int(await arena.line())
        arena.signal(signal.SIGKILL)
        await until(lambda: not alive(server), "the server is dead")
    async with await Store.open(tmp_path) as store:
        assert (await store.leagues.get(LEAGUE)).played == 10
        # Ten were played, ten more were leased when the arena died: thirty are to be played.
        await play_out(store.jobs())
        results = await store.leagues.results(LEAGUE, VARIANT, 1)
        assert len(results) == (await store.leagues.get(LEAGUE)).played == 40
        assert list(results.values()).count(b"first") == 10


async def test_the_next_arena_of_a_folder_waits_for_no_dead_arenas_lease(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with await Store.open(tmp_path) as store:
        await begin_round(store, store.jobs(), matches=600, lease_ms=3_600_000)
        held = await store.jobs().claim(600)
        assert len(held) == 600
    async with await Store.open(tmp_path) as store:
        again = await store.jobs().claim(600)
        assert {job.work for job in again} == {job.work for job in held}
        assert "takes over" not in caplog.text, "nobody's lease ran out"
        with pytest.raises(LeaseLostError):
            await store.jobs().commit_match(held[0], b"late")


async def test_the_leases_of_a_paused_league_end_with_their_arena_as_well(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await begin_round(store, store.jobs(), matches=6, lease_ms=3_600_000)
        held = await store.jobs().claim(4)
        await store.leagues.pause(LEAGUE)
    async with await Store.open(tmp_path) as store:
        assert await store.jobs().claim(6) == []
        await store.leagues.resume(LEAGUE)
        again = await store.jobs().claim(6)
        assert len(again) == 6
        assert {job.work for job in held} <= {job.work for job in again}


async def test_an_arena_that_died_before_its_league_began_leaves_a_league_that_can_begin(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await store.leagues.create(LEAGUE, b"", digest="d", divisions={VARIANT: 1})
        async with connected(f"unix://{store.embedded.socket_path}") as client:
            await announce(client, SCOPE)
    async with await Store.open(tmp_path) as store:
        await store.leagues.start(LEAGUE)
        assert isinstance((await take_one(store.jobs())).work, StepWork)


async def test_an_arena_starts_over_the_socket_that_a_killed_server_left(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "open") as arena:
        server = int(await arena.line())
        # Stopped, the server is not even able to hear a polite word.
        os.kill(server, signal.SIGSTOP)
        arena.signal(signal.SIGKILL)
        async with await Store.open(tmp_path) as store:
            assert await store.leagues.entrants("nobody") == ()
        assert not alive(server)


async def test_a_torn_end_of_the_append_only_file_is_dropped(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await store.leagues.create("kept", b"", digest="d", divisions={VARIANT: 1})
    [log] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as tail:
        tail.write(b"*3\r\n$3\r\nSET\r\n$4\r\nto")
    async with await Store.open(tmp_path) as store:
        assert (await store.leagues.get("kept")).state == "open"


async def test_a_spoilt_append_only_file_is_reported_with_the_servers_own_words(tmp_path: Path) -> None:
    async with await Store.open(tmp_path) as store:
        await store.leagues.create("kept", b"", digest="d", divisions={VARIANT: 1})
    [log] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    spoilt = bytearray(log.read_bytes())
    spoilt[: len(spoilt) // 2] = bytes(len(spoilt) // 2)
    log.write_bytes(spoilt)
    with pytest.raises(EmbeddedServerError, match="Bad file format reading the append only file"):
        await Store.open(tmp_path)


async def test_a_second_arena_on_a_data_folder_is_told_who_holds_it(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "open") as arena:
        await arena.line()
        with pytest.raises(DataFolderInUseError, match=f"process id {arena.pid}"):
            await Store.open(tmp_path)


async def test_a_second_user_of_a_folder_shares_the_first_ones_server(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "open") as arena:
        server = int(await arena.line())
        async with await Store.open(tmp_path, attach=True) as store:
            assert store.embedded.pid == 0
            await store.bots.create("guest")
        assert alive(server)
        arena.signal(signal.SIGKILL)
    async with await Store.open(tmp_path, attach=True) as store:
        assert alive(store.embedded.pid)
        assert (await store.bots.get("guest")).name == "guest"


def servers_on(folder: Path) -> list[int]:
    """The process ids of the servers that run in a data folder."""
    return [
        process.pid
        for process in psutil.process_iter(["cwd", "name"])
        if process.info["name"] == find_binary().name and process.info["cwd"] == str(folder) and alive(process.pid)
    ]


async def test_who_uses_a_folder_beside_an_arena_that_is_killed_runs_the_server_from_then_on(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "open") as arena:
        server = int(await arena.line())
        async with await Store.open(tmp_path, attach=True) as store:
            await store.bots.create("early")
            arena.signal(signal.SIGKILL)
            await until(lambda: not alive(server), "the arena's server has ended")
            await store.bots.create("late")
            assert [(await store.bots.get(name)).name for name in ("early", "late")] == ["early", "late"]
            assert alive(store.embedded.pid)
            async with await Store.open(tmp_path) as next_arena:
                assert next_arena.embedded.pid == 0
                assert (await next_arena.bots.get("late")).name == "late"


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_users_of_a_folder_are_killed_in_any_order_and_one_server_is_left_to_the_last(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    async with AsyncExitStack() as opened:
        users = []
        for what in ("attach", "open", "attach"):
            users.append(await opened.enter_async_context(running("store_arena.py", str(tmp_path), what)))
            await users[-1].line()
        async with await Store.open(tmp_path, attach=True, patience_s=60) as store:
            for number, killed in enumerate(order):
                users[killed].signal(signal.SIGKILL)
                await store.bots.create(f"bot-{number}")
                assert len(servers_on(tmp_path)) <= 1
            await until(lambda: servers_on(tmp_path) == [store.embedded.pid], "the last user runs the server")
            names = [(await store.bots.get(f"bot-{number}")).name for number in range(3)]
            assert names == ["bot-0", "bot-1", "bot-2"]


async def test_a_server_gone_for_good_is_reported_after_the_patience_given(tmp_path: Path) -> None:
    async with running("store_arena.py", str(tmp_path), "open") as arena:
        server = int(await arena.line())
        async with await Store.open(tmp_path, attach=True, patience_s=2) as store:
            os.kill(server, signal.SIGSTOP)
            with pytest.raises(StoreUnavailableError, match=r"store\.sock did not answer for 2 s"):
                await store.leagues.list()
