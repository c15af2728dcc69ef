"""What a data folder says of the names in its store, for shells that complete them: no store is started for that.

The file holds the names as they were when somebody last opened or left the store, and the commands by which a server
that runs is asked for them.
"""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from arena.store.client import Client, Value
from arena.store.embedded import SOCKET
from arena.store.errors import StoreError
from arena.store.keys import BOTS, LADDERS, LEAGUES, MATCHES, OWNERS

FILE = "names.json"
MAX_NAMES = 2_000
"""Names of a kind that are offered at most."""

_PATIENCE_S = 0.5
_QUERIES: dict[str, tuple[Value, ...]] = {
    "leagues": ("ZRANGE", LEAGUES, 0, MAX_NAMES - 1),
    "ladders": ("HKEYS", LADDERS),
    "bots": ("ZRANGE", BOTS.names, 0, MAX_NAMES - 1),
    "owners": ("ZRANGE", OWNERS.names, 0, MAX_NAMES - 1),
    "matches": ("ZREVRANGE", MATCHES, 0, MAX_NAMES - 1),
}


async def keep(client: Client, folder: Path) -> None:
    """Write the names into a store's folder. Where that cannot be done, shells offer older names, or none."""
    with suppress(StoreError, OSError):  # a TimeoutError too
        async with asyncio.timeout(_PATIENCE_S):
            names = {kind: [name.decode() for name in await client.call(*query)] for kind, query in _QUERIES.items()}
        text = json.dumps({"socket": SOCKET, "queries": _QUERIES, "names": names}).encode()
        file = folder / FILE
        if not file.exists() or file.read_bytes() != text:
            part = file.with_suffix(".part")
            part.write_bytes(text)
            part.replace(file)
