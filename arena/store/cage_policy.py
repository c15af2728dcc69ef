"""Which single matches a node with a cage takes: one of an owner's at a time needs it."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from arena.store.records import Job, MatchWork

_LEFT_S = 0.5
"""How long an owner's single matches are not looked at again here when all were left to others."""


@dataclass
class LeftSingles:
    """By owner: until when its single matches are left to others, and the runtimes that are too few for them."""

    by_owner: dict[str, tuple[float, Collection[str] | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class CagePolicy:
    """What one claim offers to single matches: `runtimes` (None: any), and none to owners whom `caging` names.

    `caging` names those who have a match in a cage here. What cannot be played here at once is left to others, and not
    looked at again for a while.
    """

    runtimes: Collection[str] | None
    caging: Callable[[], Collection[str]]
    left_singles: LeftSingles

    def offered(self, owner: str) -> Collection[str] | None:
        """Return the runtimes offered to an owner's matches now."""
        # With a match in a cage here, the others are looked through for those that need none.
        return () if owner in self.caging() else self.runtimes

    def remaining(self, offered: Collection[str] | None, leased: Iterable[Job]) -> Collection[str] | None:
        """Return what of this is still offered to an owner to whom these matches were leased."""
        return () if any(isinstance(job.work, MatchWork) and job.work.caged for job in leased) else offered

    def leaves(self, owner: str, offered: Collection[str] | None) -> bool:
        """Tell whether all matches of the owner were left to others a moment ago, for the same offer."""
        until, too_few = self.left_singles.by_owner.get(owner, (0.0, None))
        return asyncio.get_running_loop().time() < until and offered == too_few

    def leave(self, owner: str, offered: Collection[str] | None) -> None:
        """Leave the owner's matches to others for a while, as long as no more is offered than this."""
        self.left_singles.by_owner[owner] = asyncio.get_running_loop().time() + _LEFT_S, offered
