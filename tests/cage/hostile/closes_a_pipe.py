"""Closes its standard input (0) or output (1) before its Hello or at its second decision, and runs on."""

import os
import signal
import sys

from arena.sdk import Bot, run

descriptor, when = int(sys.argv[1]), sys.argv[2]
pipe = os.fstat(descriptor)


def close() -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for copy in range(null):
        if os.path.samestat(os.fstat(copy), pipe):
            os.dup2(null, copy)


class Closes(Bot):
    def choose(self, decision):
        if when == "playing" and decision.number == 2:
            close()
        return decision.legal[0]


if when == "starting":
    close()
else:
    run(Closes())
signal.pause()
