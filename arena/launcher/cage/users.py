"""Users for caged programs on a node that runs as root: limits on processes do not bind root."""

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

_HIGHEST = 2_000_000_000
_BECOME = str(files("arena.launcher.cage") / "become")


class Users:
    """Numbers of users that nobody else has, one for each cage that runs."""

    def __init__(self) -> None:
        lines = Path("/proc/self/uid_map").read_text().splitlines()
        top = max(int(first) + int(count) - 1 for first, _, count in map(str.split, lines))
        # Apart from those of other nodes on this machine, as far as the numbers reach.
        self._next = min(top, _HIGHEST) - (os.getpid() % 30_000) * 1_000 if top > _HIGHEST // 2 else top
        self._free: list[int] = []

    def take(self) -> int | None:
        """A user number; None where this process is not root: then programs run as its own user."""
        if os.geteuid():
            return None
        if self._free:
            return self._free.pop()
        self._next -= 1
        return self._next

    def give_back(self, user: int | None) -> None:
        """Free the number of a cage that is gone."""
        if user is not None:
            self._free.append(user)


def become(user: int, rlimits: Mapping[int, int]) -> list[str]:
    """What to put before a command line so that it runs as this user, in no other group, with these limits."""
    return [_BECOME, str(user), *(str(part) for limit in rlimits.items() for part in limit), "--"]
