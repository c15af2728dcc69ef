"""Fills the disk under an embedded store, writes, and makes room when its server has been given up once too often."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from store_servers import until

from arena.store import Store, embedded

_DEATHS = 2


async def main(disk: Path) -> None:
    """Print the name of the league that was created on the full disk."""
    embedded._QUICK_DEATHS = _DEATHS
    async with await Store.open(disk / "data", patience_s=60) as store:
        with suppress(OSError), (disk / "filling").open("wb", buffering=0) as filling:
            while True:
                filling.write(bytes(1024))
        servers = set[int]()

        def started_often() -> bool:
            servers.add(store.embedded.pid)
            return len(servers) > _DEATHS + 4

        config = bytes(8192)
        writing = asyncio.create_task(store.leagues.create("kept", config, digest="d", divisions={"koikoi": 1}))
        await until(started_often, "the server has been started again")
        (disk / "filling").unlink()
        await writing
        print((await store.leagues.get("kept")).name)


asyncio.run(main(Path(sys.argv[1])))
