"""Matches of one board, which caged bots must not notice of one another."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.launcher.cage.moving import Mover
from arena.match.model import MatchSpec

MIN_PAUSE_S = 0.25
PAUSE = 2.0
"""How many times as long as a match the pause after it may be."""


class CagedBoards:
    """Keeps apart the caged matches of the same bots on one board, of which one is played at a time.

    What a bot does in a match could tell its twin in the next one what their opponent holds. By when the match ends: so
    there is a pause by chance before the next, up to `PAUSE` times as long as the match took. By what the kernel counts
    for the whole machine: so that is moved by chance at the pause's end. Then `freed` is called. Not `apart`, the next
    match begins at once.
    """

    def __init__(self, freed: Callable[[], None], *, apart: bool = True) -> None:
        self._freed = freed
        self._apart = apart
        self._taken: set[tuple[bytes, frozenset[str]]] = set()
        """The seeds of the boards that are played or pause, with the names of those who play."""
        self._chance = random.SystemRandom()
        self._mover = Mover()
        self._pauses: set[asyncio.Task[None]] = set()

    def keep(self, spec: MatchSpec) -> bool:
        """Return whether a match has to wait for another of its board."""
        return _board(spec) in self._taken

    @contextmanager
    def played(self, spec: MatchSpec) -> Iterator[None]:
        """Keep others of this match's board waiting while the body runs, and for the pause that follows."""
        board = _board(spec)
        self._taken.add(board)
        began = time.monotonic()
        try:
            yield
        finally:
            if self._apart:
                pause = asyncio.create_task(self._pause(board, time.monotonic() - began))
                self._pauses.add(pause)
                pause.add_done_callback(self._pauses.discard)
            else:
                self._taken.discard(board)

    async def close(self) -> None:
        """End the pauses; no more matches are played."""
        for pause in self._pauses:
            pause.cancel()
        await asyncio.gather(*self._pauses, return_exceptions=True)

    async def _pause(self, board: tuple[bytes, frozenset[str]], match_s: float) -> None:
        await asyncio.sleep(self._chance.uniform(0, max(MIN_PAUSE_S, PAUSE * match_s)))
        await self._mover.moved()
        self._taken.discard(board)
        self._freed()


def _board(spec: MatchSpec) -> tuple[bytes, frozenset[str]]:
    return spec.seed, frozenset(spec.names)
