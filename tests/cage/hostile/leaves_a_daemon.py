"""Says Hello, and leaves a daemon that is to outlive its match."""

import os
import time

from arena.sdk import Bot, run

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(0.01)
    os._exit(0)


class Daemon(Bot):
    def choose(self, decision):
        return decision.legal[0]


run(Daemon())
