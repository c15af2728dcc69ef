"""Users for caged programs on a node that runs as root: limits on processes do not bind root."""

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

_HIGHEST = 2_000_000_000
_BECOME = str(files("arena.launcher.cage") / "become")


def readers() -> int:
    """The number of the group of all cages' users, which no other user of the machine has."""
    return min(_top("gid_map"), _HIGHEST)


def _top(numbers: str) -> int:
    """The highest number of a user, or of a group, that this process knows."""
    lines = Path(f"/proc/self/{numbers}").read_text().splitlines()
    return max(int(first) + int(count) - 1 for first, _, count in map(str.split, lines))


class Users:
    """Numbers of users that nobody else has, one for each cage that runs."""

    def __init__(self) -> None:
        top = _top("uid_map")
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
    """What to put before a command line so that it runs as this user, in no group but `readers`, with these limits."""
    return [_BECOME, str(user), str(readers()), *(str(part) for limit in rlimits.items() for part in limit), "--"]
