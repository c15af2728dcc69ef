"""Settings of a process that runs a node."""

import gc
import logging
import os
import sys

log = logging.getLogger(__name__)


_GRPC_DEFAULTS = {
    # It would log each failed TLS handshake; the client gets that error anyway.
    "GRPC_VERBOSITY": "ERROR",
    # Bots are started while gRPC's threads run. They exec at once and share no channel with the node: gRPC's handlers
    # for forks do nothing for them, print a line at each fork, and crash a child now and then (SIGSEGV).
    "GRPC_ENABLE_FORK_SUPPORT": "false",
    # The event engine passes what arrives from thread to thread. Where few cores serve many streams that costs a third
    # of all decisions a second; the older polling reads and writes in the thread that waits.
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener",
}


def configure_grpc() -> None:
    """Set gRPC's environment variables for a node, those that are not set yet.

    gRPC reads them when it is first imported, so an entry point calls this before. The bots that a node starts inherit
    them.
    """
    for name, value in _GRPC_DEFAULTS.items():
        os.environ.setdefault(name, value)


def collect_rarely() -> None:
    """Look for garbage rarely: while a program is loaded, which would take a seventh longer, and while it works."""
    gc.set_threshold(50_000, 20, 50)


def collect_while_serving() -> None:
    """Look through nothing that is loaded by now, and for garbage a little more often than before.

    What a match or a page leaves behind is in cycles: of thousands it is some MiB, which a process that has little to
    do would keep for hours.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def tune_process() -> None:
    """Tune this process for a node: collect garbage rarely, and let its threads wait for a free processor.

    A node makes thousands of small, short-lived values a second. Garbage collection would scan them, and everything
    that is loaded, for next to nothing. And if each thread ran as soon as there is something for it, the event loop and
    gRPC's thread would switch for every message, which costs more than the message does. With SCHED_BATCH they do not
    preempt a running thread, and find several messages when they run. The bots that the node starts inherit that, but
    for those in cages.
    """
    collect_while_serving()
    if sys.platform == "linux":
        for thread in os.listdir("/proc/self/task"):
            try:
                os.sched_setscheduler(int(thread), os.SCHED_BATCH, os.sched_param(0))
            except OSError as error:  # it has ended by now, or the kernel does not permit it
                log.debug("thread %s of this node is scheduled as any other: %s", thread, error)
