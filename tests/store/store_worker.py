"""A process that takes a job, for tests that kill, stop and continue it. Arguments: URL of the store, what to do.

It says what happens on standard output, a line each: `took FENCE`, then what became of it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.store import Job, JobQueue, Store
from arena.store.errors import LeaseLostError

if TYPE_CHECKING:
    from arena.store.client import Value


def say(*words: object) -> None:
    print(*words, flush=True)


async def hold(queue: JobQueue) -> None:
    """Hold the lease until the process is killed or the lease is lost."""
    [job] = await queue.claim(1, wait_s=20)
    try:
        async with queue.leases.hold(job):
            say("took", job.fence)
            await asyncio.Event().wait()
    except LeaseLostError:
        say("stopped playing")


async def commit(queue: JobQueue, job: Job) -> None:
    """Commit a match, and say what came of it."""
    try:
        await queue.commit_match(job, b"stale result", b"stale replay")
    except LeaseLostError:
        say("refused")
    else:
        say("committed")


async def commit_late(queue: JobQueue) -> None:
    """Commit without renewing, when a line comes."""
    [job] = await queue.claim(1, wait_s=20)
    say("took", job.fence)
    await asyncio.to_thread(sys.stdin.readline)
    await commit(queue, job)


async def hear_late(queue: JobQueue) -> None:
    """Be stopped between the server's answer to a claim and the queue, and commit what was leased then."""
    logging.basicConfig(stream=sys.stdout, format="%(message)s")
    script = queue._client.script

    async def stopping(name: str, keys: Sequence[str], args: Sequence[Value] = ()) -> Any:
        answer = await script(name, keys, args)
        if name == "claim" and len(answer) > 3:
            say("leased")
            os.kill(os.getpid(), signal.SIGSTOP)
        return answer

    queue._client.script = stopping
    [job] = await queue.claim(1, wait_s=20)
    await commit(queue, job)


async def main(url: str, what: str) -> None:
    async with await Store.open(redis=url) as store:
        await {"hold": hold, "commit_late": commit_late, "hear_late": hear_late}[what](store.jobs())


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
