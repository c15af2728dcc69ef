"""Shows the matches that this node plays, as far as they may be watched, to pages in other processes."""

import asyncio
import logging

from arena.match.live import LiveMatches, snapshot
from arena.store.boards import ShownBoards
from arena.store.errors import StoreError

LOOK_S = 1.0
"""How often the node looks whether somebody wants to see its matches, and shows how they stand."""

log = logging.getLogger(__name__)


async def show_boards(boards: ShownBoards, node: str, live: LiveMatches, look_s: float = LOOK_S) -> None:
    """Show the matches in `live` while somebody wants to see them, until cancelled."""
    while True:
        try:
            if await boards.are_wanted():
                await boards.show(node, snapshot(live))
        except StoreError as error:
            log.debug("matches cannot be shown now: %s", error)  # who watches them sees that, too
        await asyncio.sleep(look_s)
