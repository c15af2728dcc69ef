"""How much of an arena the challenges of one owner may take: the operator's limits."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ChallengeLimits:
    """What owners may ask for.

    A challenge gives at most `clock_ms` for a decision, and ten times that in the bank. An owner has at most `open`
    single matches under way, and makes at most `hourly` in any hour. They are kept for `keep_s` seconds.
    """

    clock_ms: int = 60_000
    open: int = 32
    hourly: int = 240
    keep_s: int = 7 * 86_400

    @property
    def bank_ms(self) -> int:
        """The largest bank."""
        from arena.match.model import MAX_TIME_MS  # here, since the command line's help loads this module

        return min(10 * self.clock_ms, MAX_TIME_MS)
