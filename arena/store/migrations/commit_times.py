"""Part of schema 3: replays are listed by the time of their commit, in place of their number in the division.

That time was not kept. The id of a match's job holds the time at which it was queued, which comes close to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.store.keys import LEAGUES, Scope

if TYPE_CHECKING:
    from arena.store.migrations.steps import Walk


async def date_replays(walk: Walk) -> None:
    """Date the replays of every league that are only numbered."""
    async for names in walk.pages("3 commit times", LEAGUES):
        for name in names:
            scope = Scope.league(name)
            variants = (await walk.client.call("HGET", scope.head, "divisions") or b"").decode().split()
            bots = [bot.decode() for bot in await walk.client.call("HKEYS", scope.entrants)]
            for variant in variants:
                part = Scope.league(name, variant)
                keys = [part.done, part.replay_index, *map(part.replay_index_of, bots)]
                await walk.client.script("date_replays", keys)
                await walk.keep_lock()
