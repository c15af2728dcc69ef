"""Schema 3: names are kept by what they look like, replays are listed by time, and bots' output is in the store.

Stores that were made before names were compared by their look have none of those fields, or only names in lower case.
Scripts of schema 2 build them when a name is taken; those of schema 3 rely on them.
"""

from __future__ import annotations

from arena.store.keys import BOTS, OWNERS
from arena.store.migrations.commit_times import date_replays
from arena.store.migrations.steps import Migration, Walk


async def _expand(walk: Walk) -> None:
    for registry in (BOTS, OWNERS):
        async for names in walk.pages(f"3 looks {registry.names}", registry.names):
            await walk.client.script("keep_looks", [registry.folded], names)
    await date_replays(walk)


async def _contract(walk: Walk) -> None:
    async for names in walk.pages("3 versions of schema 2", BOTS.names):
        for name in names:
            await walk.client.call("UNLINK", _versions_of(name))
    for registry in (BOTS, OWNERS):
        await walk.client.call("HDEL", registry.folded, _BUILT)


async def _back(walk: Walk) -> None:
    for registry in (BOTS, OWNERS):
        await walk.client.call("HSET", registry.folded, _BUILT, "")


_BUILT = "~"
"""The field by which scripts of schema 2 know that all names are there."""


def _versions_of(bot: str) -> str:
    """Records of versions, before bots were sent in: nothing has read them since."""
    return f"hfa:{{bots}}:versions:{bot}"


TO_3 = Migration(3, _expand, _contract, _back)
