"""From the bots that a match names to seats that the referee can ask."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from arena.referee.model import End, MatchResult, MatchSpec, Rejection
from arena.referee.seat import Question, Seat, SeatFailure
from arena.server.hub import Hub
from arena.worker.errors import BotStartError
from arena.worker.processes import KeptBot, Launcher, running
from arena.worker.sources import HouseBot, PathBot, RegisteredBot, Source
from core_ext import Event

FRESH_AT_ONCE = 4
"""How many matches with bots that are started for them run at once: each is a process, and a start costs."""


class EmptySeat:
    """The seat of a bot that could not be started: it fails its match, and nobody else's."""

    wants_updates = False

    def __init__(self, error: BotStartError) -> None:
        self._error = error

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Fails with BOT_ERROR."""
        raise SeatFailure(End.BOT_ERROR, str(self._error))

    async def decide(self, question: Question) -> int:
        """Is not reached: the match ended at its start."""
        raise SeatFailure(End.BOT_ERROR, str(self._error))

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Nobody to tell."""

    async def update(self, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""


class Players:
    """Finds, or starts, the bots of matches.

    A house bot is started when it is first needed and kept, one process for each group (a league) and name; a bot by
    path is started for the match and ended after it; a registered bot is waited for until it is connected.
    """

    def __init__(self, hub: Hub, launcher: Launcher, fresh_at_once: int = FRESH_AT_ONCE) -> None:
        self._hub = hub
        self._launcher = launcher
        self._fresh = asyncio.Semaphore(fresh_at_once)
        self._kept: dict[tuple[str, str], KeptBot] = {}

    @asynccontextmanager
    async def seats(self, group: str, players: Sequence[tuple[str, Source]]) -> AsyncIterator[list[Seat]]:
        """Seats for a match of these players (name, bot), in this order; they are free again afterwards.

        Raises BotStartError when a house bot cannot be started.
        """
        async with AsyncExitStack() as stack:
            if any(isinstance(source, PathBot) for _, source in players):
                await stack.enter_async_context(self._fresh)
            found: list[str | EmptySeat] = []
            for name, source in players:
                found.append(await self._find(stack, group, name, source))
            names = [one for one in found if isinstance(one, str)]
            # All places are taken in one step of the loop: two matches that each hold one seat and wait for the other's
            # would wait for ever.
            await self._hub.wait_until(lambda: all(self._hub.places(name) >= names.count(name) for name in names))
            seats: list[Seat] = []
            for one in found:
                if isinstance(one, EmptySeat):
                    seats.append(one)
                else:
                    seat = self._hub.seat(one)
                    stack.callback(seat.release)
                    seats.append(seat)
            yield seats

    async def close(self, group: str | None = None) -> None:
        """End the kept bots of a group, or all."""
        keys = [key for key in self._kept if group in (None, key[0])]
        await asyncio.gather(*(self._kept.pop(key).end() for key in keys))

    async def _find(self, stack: AsyncExitStack, group: str, name: str, source: Source) -> str | EmptySeat:
        """The name at the hub of the bot, started where that is for us to do."""
        match source:
            case RegisteredBot(registered):
                return registered
            case HouseBot():
                kept = self._kept.get((group, name))
                if kept is None:
                    kept = self._kept[group, name] = KeptBot(self._launcher, source, name)
                try:
                    await kept.ready()
                except BotStartError:
                    self._kept.pop((group, name), None)
                    raise
                return kept.name
            case PathBot():
                try:
                    return (await stack.enter_async_context(running(self._launcher, source, name))).name
                except BotStartError as error:
                    return EmptySeat(error)
