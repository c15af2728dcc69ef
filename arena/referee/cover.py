"""Waits that hide whether a question was asked.

After a deal every seat in turn, from the dealer on, could be asked about its dealt hand; after a discard every other
seat, from the next one on, whether it claims it. The others must not notice which were (a `pass` is seen by nobody).
Each of these seats has a slot of `cover_ms` there: a question is asked when its slot begins and has no more time than
the slot, and nothing that others notice happens until the last slot is over, whoever was asked and however quickly.
"""

import asyncio
import time
from collections.abc import Iterable

from core_ext import Event, State

FIRST_ASKED = {"deal": 0, "discard": 1}
"""The kinds of public events after which seats could be asked in secret: how far from the event's seat the first is."""


class Cover:
    """The slots of one match. With `cover_ms` 0 there are none, and nothing is waited for."""

    def __init__(self, state: State, cover_ms: int) -> None:
        self._state = state
        self._slot = cover_ms / 1000
        self._first = 0
        self._opened_at = 0.0
        self._over_at = 0.0

    def open(self, events: Iterable[Event]) -> None:
        """Public events have been told: if seats could be asked after them, their slots begin."""
        seats = self._state.seats
        for event in events:
            if event.kind in FIRST_ASKED:
                skipped = FIRST_ASKED[event.kind]
                self._first = (event.seat + skipped) % seats
                self._opened_at = max(self._over_at, time.monotonic())
                self._over_at = self._opened_at + (seats - skipped) * self._slot

    async def over(self) -> None:
        """Waits until the last slot is over."""
        await _until(self._over_at)

    async def hold(self) -> bool:
        """Waits until what the state asks next may be asked; whether that is asked in secret."""
        state = self._state
        seat = state.current_player
        secret = seat >= 0 and state.observation(seat).phase != state.spectate().phase
        if secret:
            await _until(self._opened_at + (seat - self._first) % state.seats * self._slot)
        else:
            await self.over()
        return secret


def portions(state: State, since: int, seat: int) -> list[tuple[Event, ...]]:
    """The events from number `since` on as a seat may see them, in portions that are told one by one: as many for all.

    What follows a discard in the same action would come later if somebody were asked first: a portion of its own.
    """
    found: list[list[Event]] = [[]]
    for event in state.events(seat, since):
        found[-1].append(event)
        if event.kind == "discard":
            found.append([])
    return [tuple(portion) for portion in found]


async def _until(moment: float) -> None:
    wait = moment - time.monotonic()
    if wait > 0:
        await asyncio.sleep(wait)
