"""Settings of a process that runs a node."""

import os
import subprocess
import sys

POLICIES = """
import gc, os, subprocess, sys, threading
from arena.node.process import tune_process

going = threading.Event()
earlier = threading.Thread(target=going.wait)
earlier.start()
tune_process()
command = [sys.executable, "-c", "import os; print(os.sched_getscheduler(0))"]
child = subprocess.run(command, capture_output=True, text=True)
own, others = os.sched_getscheduler(0), os.sched_getscheduler(earlier.native_id)
print(own, others, child.stdout.strip(), gc.get_freeze_count() > 0)
going.set()
"""


def test_all_threads_of_a_node_and_its_bots_wait_for_a_free_processor() -> None:
    done = subprocess.run([sys.executable, "-c", POLICIES], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == [str(os.SCHED_BATCH)] * 3 + ["True"]


ENVIRONMENT = """
import os
before = dict(os.environ)
import arena, arena.sdk, arena.node.node
print(dict(os.environ) == before)
"""


def test_importing_the_arena_changes_no_environment_variable() -> None:
    command = [sys.executable, "-c", ENVIRONMENT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env={})
    assert done.stdout.split() == ["True"]


COMMAND = """
import os, sys
from arena.cli import main
assert "grpc" not in sys.modules
os.environ["GRPC_EXPERIMENTS"] = "mine"
sys.argv = ["arena", "--version"]
try:
    main()
except SystemExit:
    print(os.environ["GRPC_EXPERIMENTS"], os.environ["GRPC_ENABLE_FORK_SUPPORT"])
"""


def test_the_command_configures_grpc_and_keeps_what_its_user_has_set() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND], capture_output=True, text=True, timeout=60, check=True, env={}
    )
    assert done.stdout.splitlines()[-1] == "mine false"
