"""Looks for what somebody outside sends to the machine: its network namespace counts that too."""

import os

from attempt import attempt

for name in ("protocols", "sockstat", "softnet_stat", "stat/arp_cache", "stat/rt_cache"):
    for path in (f"/proc/self/net/{name}", f"/proc/{os.getpid()}/task/{os.getpid()}/net/{name}"):
        attempt(path, lambda path=path: os.open(path, os.O_RDONLY))
    attempt(f"mode of {name}", lambda name=name: os.chmod(f"/proc/self/net/{name}", 0o444))
