"""Where a bot is that computes on when its time is nearly over: its stack goes to standard error."""

import atexit
import os
import signal
import time
import traceback
from collections.abc import Callable
from types import FrameType

from arena.sdk.decision import Decision

_SHARE = 0.95
"""The share of its time after which a bot's stack is shown."""
_LOOKS = 200
"""How often in its time a bot that computes is looked at."""
_MIN_LOOK_S = 0.01
_SDK = os.path.dirname(__file__)
STILL_THINKS = "the bot still thinks about decision"
_NEVER = float("inf")


class Overtime:
    """Says where the bot is when the time of a decision is nearly over, once for each decision.

    The timer counts the time in which the bot computes, so it interrupts no bot that waits for something, and runs on
    from one decision to the next. It is not used where the bot uses its signal, where this is not the main thread, or
    where a cage forbids it.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._decision = 0
        self._seconds = 0.0
        self._due = _NEVER
        self._every_s = _NEVER
        self._usable = False
        if signal.getsignal(signal.SIGVTALRM) is not signal.SIG_DFL:
            return
        try:
            stop_timer()
            signal.signal(signal.SIGVTALRM, self._look)
        except (OSError, ValueError):  # a cage that allows no timers; another thread than the main one
            return
        self._usable = True
        # A timer that runs on would kill the program as it ends, when Python has taken back its handlers.
        atexit.register(stop_timer)

    def begin(self, decision: Decision) -> None:
        """The bot is asked."""
        clock = decision.message.clock
        self._seconds = (clock.decision_ms + clock.bank_ms) / 1000
        if not self._usable or not self._seconds:
            return
        self._decision = decision.number
        self._due = time.monotonic() + _SHARE * self._seconds
        if self._seconds < self._every_s * _LOOKS / 2:
            self._every_s = max(_MIN_LOOK_S, self._seconds / _LOOKS)
            signal.setitimer(signal.ITIMER_VIRTUAL, self._every_s, self._every_s)

    def end(self) -> None:
        """The bot has answered."""
        self._due = _NEVER

    def _look(self, _: int, frame: FrameType | None) -> None:
        if time.monotonic() < self._due:
            return
        self._due = _NEVER
        frames = list(traceback.extract_stack(frame))
        called = [depth for depth, line in enumerate(frames) if os.path.dirname(line.filename) == _SDK]
        # What comes before is how the bot was started; below the SDK's last frame is its own code.
        stack = "".join(traceback.format_list(frames[called[-1] + 1 :] if called else frames)).rstrip()
        self._say(f"after {_SHARE * self._seconds:.1f} s {STILL_THINKS} {self._decision}:\n{stack}")


def stop_timer() -> None:
    """Have the bot looked at no more."""
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
