"""A process that migrates a data folder and stops in the middle, for a test that kills it. Argument: the folder."""

import asyncio
import signal
import sys
from pathlib import Path

from arena.store import Store, schema
from arena.store.migrations import steps


async def main(folder: Path) -> None:
    steps.LOCK_MS = schema.LOCK_MS = 500
    pages = steps.Walk.pages

    async def stopping(walk: steps.Walk, step: str, index: str) -> object:
        async for names in pages(walk, step, index):
            yield names
            print("in the middle", flush=True)
            signal.pause()

    steps.Walk.pages = stopping
    store = await Store.open(folder, attach=True, as_is=True)
    await store.finish_migration()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
