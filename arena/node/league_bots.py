"""Ends the bots of leagues that are over."""

import asyncio
import logging

from arena.node.job_loop import SINGLES
from arena.node.seat_provider import SeatProvider
from arena.store import Scope, Store
from arena.store.errors import StoreError

LOOK_S = 2.0

log = logging.getLogger(__name__)


async def end_bots(store: Store, seat_provider: SeatProvider) -> None:
    """End the supervised bots of each league as soon as it is over, until cancelled."""
    while True:
        for group in seat_provider.groups():
            if group == SINGLES:
                continue
            scope = Scope.parse(group)
            try:
                league = await store.leagues.get(scope.name)
            except StoreError as error:
                log.debug("the bots of %s go on running: %s", group, error)
                continue
            if league.state in ("finished", "cancelled"):
                await seat_provider.close(group)
        await asyncio.sleep(LOOK_S)
