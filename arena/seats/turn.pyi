"""When a caged bot runs."""

from collections.abc import Callable
from typing import Protocol, final

from arena.match.clock import DecisionTimer
from arena.seats.outbox import Outbox, Pending
from arena.seats.processors import Processors
from arena.seats.rest import Rest

class Freezer(Protocol):
    """What stops a program and lets it go on."""

    def freeze(self) -> object:
        """Let none of its processes run."""
    def thaw(self) -> object:
        """Let its processes run again."""
    def used_s(self) -> float:
        """Return the processor time that its processes have used."""

@final
class Turn(Pending):
    """One frozen bot, which runs from when a processor is free for a decision until that is answered.

    Bots are thawed and frozen at the end of a turn of the event loop, right after what asks them is written. Where
    others wait for a processor, the next of them is asked and thawed at once. A bot that is found at `rest` is not
    frozen until something other than a question is to be written to it. While a processor is free, it is looked at two
    turns of the event loop later, unless it is asked again by then.

    A bot that sleeps runs on, and its time too, but has no processor. If none is free when it wakes, it is frozen and
    waits for one again; its `timer` stands still meanwhile.
    """

    freezer: Freezer
    timer: DecisionTimer
    def __init__(self, freezer: Freezer, processors: Processors, outbox: Outbox, rest: Rest | None = None) -> None: ...
    def begin(self, ask: Callable[[], None], at_once: bool = False) -> None:
        """Call `ask`, which writes to the bot by the outbox, when a processor is free for it, and let it run.

        With `at_once` it does not wait for one, neither now nor when it wakes: its time is the same on any node.
        """
    def end(self) -> None:
        """Freeze it, and give its processor to the next. Nothing happens to a bot that does not run."""
    @property
    def asleep(self) -> bool:
        """Whether it runs without a processor, as it sleeps."""
    def on_free(self) -> None:
        """It has a processor, for which it waited."""
    def used_s(self) -> float:
        """Return the processor time that the bot has used."""
    def sleep(self) -> None:
        """It has no processor from now on, as it sleeps."""
    def wake(self) -> None:
        """It works again: let it run if a processor is free, else freeze it until one is."""
    def hold(self) -> None:
        """Freeze it at once, unless it runs, so that nothing it may read lets it run."""
    def close(self) -> None:
        """Give its processor to the next, and from now on neither freeze nor thaw it."""
