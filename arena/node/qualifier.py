"""Qualifies submitted versions on a node that can cage them."""

import asyncio
import logging
from pathlib import Path

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.errors import LauncherError
from arena.store import JobQueue, Store
from arena.store.errors import LeaseLostError, StoreError
from arena.store.keys import VERSION_WORK
from arena.submissions.cache import PackCache
from arena.submissions.errors import SubmissionError
from arena.submissions.submit import work_on

_LOOK_S = 1.0
_AWAY_S = 1.0

log = logging.getLogger(__name__)


async def qualify_versions(store: Store, jobs: JobQueue, folder: Path) -> None:
    """Take versions that are to be qualified, one at a time, until cancelled; `folder` is for what they unpack to.

    A node that cannot cage programs takes none, and says why.
    """
    try:
        cages = Cages()
    except NoCageError as error:
        log.warning("this node qualifies no submitted bots: %s", error)
        return
    cache = PackCache(store, folder)
    try:
        while True:
            try:
                claimed = await jobs.claim(1, wait_s=_LOOK_S, directory=VERSION_WORK)
            except StoreError as error:
                log.warning("no versions to be had: %s", error)
                await asyncio.sleep(_AWAY_S)
                continue
            for job in claimed:
                try:
                    await work_on(job, jobs, cache, cages)
                except (LauncherError, SubmissionError, OSError) as error:
                    await jobs.fail(job, str(error))
                except asyncio.CancelledError:
                    await jobs.release(job)
                    raise
                except LeaseLostError as error:
                    log.warning("%s", error)
                except StoreError as error:
                    log.warning("%s is left to run out: %s", job, error)
    finally:
        cages.close()
