"""What becomes of a job on which a node works and that it does not commit."""

import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

from arena.launcher.errors import LauncherError
from arena.metrics import meters
from arena.packs.errors import SubmissionError
from arena.seats.errors import SeatTakenError
from arena.store import Job, JobQueue
from arena.store.errors import LeaseLostError, StoreError, UnknownError

_SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC})
"""Errors of a node that runs out of files, memory or disk: its jobs are not to blame."""
_PAUSE_S = 1.0

log = logging.getLogger(__name__)


@asynccontextmanager
async def handled(jobs: JobQueue, job: Job) -> AsyncIterator[None]:
    """Report the job according to what the body raises; only a cancellation goes on from here.

    A job that was interrupted, or that this node lacks the means for, is released, as is a match whose seat was taken:
    by a node that has the lease, or by one that has lost it and does not know yet. Any other failure is reported as
    one. Without the store, or the lease, the job is left to its lease, or to its new owner.
    """
    try:
        yield
    except asyncio.CancelledError:
        await _report(job, jobs.release(job))
        raise
    except LeaseLostError as error:
        meters.jobs_not_committed.add("lease_lost")
        await _report(job, _log_lost(jobs, job, error))
    except SeatTakenError as error:
        await _give_back(jobs, job, "seat_taken", str(error))
    except (LauncherError, SubmissionError, UnknownError) as error:
        if _is_shortage(error.__cause__):
            await _give_back(jobs, job, "shortage", f"this node lacks what it needs: {error}")
        else:
            meters.jobs_not_committed.add("failed")
            log.warning("%s failed: %s", job, error)
            await _report(job, jobs.fail(job, str(error)))
    except StoreError as error:
        _log_left(job, error)
    except Exception as error:
        if _is_shortage(error):
            await _give_back(jobs, job, "shortage", f"this node lacks what it needs: {error}")
        else:
            meters.jobs_not_committed.add("failed")
            log.exception("%s failed", job)
            await _report(job, jobs.fail(job, f"{type(error).__name__}: {error}"))


def _is_shortage(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in _SHORTAGES


async def _give_back(jobs: JobQueue, job: Job, outcome: str, reason: str) -> None:
    """Release the job after a pause, as it is perhaps this node that claims it next."""
    meters.jobs_not_committed.add(outcome)
    log.warning("%s is given back: %s", job, reason)
    await asyncio.sleep(_PAUSE_S)
    await _report(job, jobs.release(job))


async def _log_lost(jobs: JobQueue, job: Job, error: LeaseLostError) -> None:
    """Tell that the job is another's by now; where its league was cancelled, that it is no fault. StoreError."""
    if await jobs.leases.is_cancelled(job):
        log.info("%s is not finished: its league was cancelled", job)
    else:
        meters.leases_lost.add()
        log.warning("%s", error)


async def _report(job: Job, report: Awaitable[object]) -> None:
    try:
        await report
    except StoreError as error:
        _log_left(job, error)


def _log_left(job: Job, error: StoreError) -> None:
    """Log that the lease runs out, and that whoever reaches the store then has the job."""
    meters.jobs_not_committed.add("left_to_lease")
    log.warning("%s is left to its lease: %s", job, error)
