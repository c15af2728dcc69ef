"""Waits that hide whether a question was asked.

After a deal every seat in turn, from the dealer on, could be asked about its dealt hand, and the others must not
notice which were (a `pass` is seen by nobody). Each seat has a slot of `cover_ms` there: a question is asked when its
slot begins and has no more time than the slot, and play goes on when the last slot is over, whoever was asked and
however quick the answers were.
"""

import asyncio
import time

from core_ext import SPECTATOR, State

SECRET_AFTER = frozenset({"deal"})
"""The kinds of public events after which seats could be asked in secret."""


class Cover:
    """The slots of one match. With `cover_ms` 0 there are none, and nothing is waited for."""

    def __init__(self, state: State, cover_ms: int) -> None:
        self._state = state
        self._slot = cover_ms / 1000
        self._seen = 0
        self._opened_at: float | None = None

    async def hold(self) -> bool:
        """Waits until what the state asks next may be asked; whether that is asked in secret."""
        state = self._state
        events = state.events(SPECTATOR, self._seen)
        self._seen = state.event_count
        if any(event.kind in SECRET_AFTER for event in events):
            self._opened_at = time.monotonic()
        if self._opened_at is None:
            return False
        seat = state.current_player
        secret = seat >= 0 and state.observation(seat).phase != state.spectate().phase
        slots = (seat - state.dealer) % state.seats if secret else state.seats
        wait = self._opened_at + slots * self._slot - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        if not secret:
            self._opened_at = None
        return secret
