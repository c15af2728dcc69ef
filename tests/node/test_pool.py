"""The jobs that a node works on, and of which leagues it takes no more."""

import asyncio
from functools import partial

from arena.match.recess import Recess
from arena.node.job_loop import LEVEL_STEP, Pool
from arena.rpc.identity import BotIdentity
from arena.seats.outbox import Outbox
from arena.seats.pipe import PipeSeat
from arena.seats.processors import Processors
from arena.seats.turn import Turn
from arena.store import Job, Scope, StepWork
from arena.stream.hub import Hub
from hanafuda.arena.v1 import play_pb2

SPRING, AUTUMN = Scope.league("spring", "koikoi"), Scope.league("autumn", "koikoi")


def caged_seat() -> tuple[PipeSeat, Turn]:
    """A bot's seat, and the turns by which it runs."""
    hub = Hub()
    hub.connect(BotIdentity("ann"), play_pb2.Hello(protocol_version=1, max_matches=1))
    seat, turn = hub.seat_of(PipeSeat, "ann"), Turn(None, Processors(1), Outbox())
    seat.use(turn, "", partial(asyncio.sleep, 0))
    return seat, turn


async def test_a_league_that_has_enough_jobs_here_gets_no_more_while_one_of_its_bots_sleeps() -> None:
    pool, over = Pool(lambda: 100), asyncio.Event()
    seat, turn = caged_seat()

    async def work(*, caged: bool) -> None:
        if caged:
            pool.slot.in_cages = [seat]
        await over.wait()

    def begin(scope: Scope, count: int, *, caged: bool = False) -> None:
        for number in range(count):
            job = Job(scope, str(number), 1, 1_000, StepWork(1))
            pool.begin(job, asyncio.create_task(work(caged=caged)))

    begin(SPRING, 1, caged=True)
    begin(SPRING, LEVEL_STEP - 2)
    begin(AUTUMN, LEVEL_STEP)
    await asyncio.sleep(0)
    turn.sleep()
    assert pool.full() == [], "it has not enough jobs yet, and in the other league nobody sleeps"
    begin(SPRING, 1)
    assert pool.full() == [SPRING]
    over.set()
    await asyncio.gather(*pool.tasks)


async def test_a_match_in_recess_takes_no_place_until_it_goes_on() -> None:
    pool, begun, over = Pool(lambda: 2), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        recess = Recess()
        with recess.notifying(partial(pool.recess, pool.slot)), recess.taken():
            await begun.wait()
        await over.wait()

    for number in range(2):
        pool.begin(Job(SPRING, str(number), 1, 1_000, StepWork(1)), asyncio.create_task(work()))
    assert pool.room() == 0
    await asyncio.sleep(0)
    assert (pool.working(), pool.room()) == (0, 2)
    begun.set()
    await asyncio.sleep(0)
    assert (pool.working(), pool.room()) == (2, 0)
    over.set()
    await asyncio.gather(*pool.tasks)
