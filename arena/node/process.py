"""What makes a process a node's."""

import gc
import logging
import os
import sys

log = logging.getLogger(__name__)


def settle() -> None:
    """Make this process a node's: garbage collections are rare, and its threads wait for a free processor.

    A node makes thousands of small values a second that die by themselves; collections among them, and among all that
    is loaded by now, find next to nothing and take a good part of its time. And where each of its threads ran as soon
    as there is something for it, the event loop and gRPC's thread would take turns for every message, which costs more
    than the message does. So they take no processor from a thread that runs, and find several messages when they are
    given one. The bots that the node starts inherit that.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    if sys.platform == "linux":
        for thread in os.listdir("/proc/self/task"):
            try:
                os.sched_setscheduler(int(thread), os.SCHED_BATCH, os.sched_param(0))
            except OSError as error:  # it has ended meanwhile, or the kernel does not let this process
                log.info("thread %s of this node is scheduled as any other: %s", thread, error)
