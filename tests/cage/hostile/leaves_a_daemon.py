"""Says Hello, and leaves a daemon that is to outlive its match."""

import os
import signal

from arena.sdk import Bot, run

if os.fork() == 0:
    if os.fork() == 0:
        signal.pause()
    os._exit(0)


class Daemon(Bot):
    def choose(self, decision):
        return decision.legal[0]


run(Daemon())
