"""A process that is a node's."""

import os
import subprocess
import sys

POLICIES = """
import gc, os, subprocess, sys, threading
from arena.node.process import settle

going = threading.Event()
earlier = threading.Thread(target=going.wait)
earlier.start()
settle()
command = [sys.executable, "-c", "import os; print(os.sched_getscheduler(0))"]
child = subprocess.run(command, capture_output=True, text=True)
own, others = os.sched_getscheduler(0), os.sched_getscheduler(earlier.native_id)
print(own, others, child.stdout.strip(), gc.get_freeze_count() > 0)
going.set()
"""


def test_all_threads_of_a_node_and_its_bots_wait_for_a_free_processor() -> None:
    done = subprocess.run([sys.executable, "-c", POLICIES], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == [str(os.SCHED_BATCH)] * 3 + ["True"]
