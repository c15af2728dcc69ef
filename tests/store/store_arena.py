"""An arena as a process of its own, for tests that kill it. Arguments: data folder, what to do.

`open` opens the store and waits, `attach` does so beside others; `work` also makes a league of 40 matches and commits
ten of them. A line on standard output says when it is done: the process id of the server.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from store_rounds import begin_round

from arena.store import Store


async def main(folder: Path, what: str) -> None:
    store = await Store.open(folder, attach=what == "attach")
    if what == "work":
        queue = store.jobs()
        await begin_round(store, queue, matches=40, lease_ms=300)
        for job in await queue.claim(10):
            await queue.commit_match(job, b"first", b"replay")
        await queue.claim(10)
    print(store.embedded.pid, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
