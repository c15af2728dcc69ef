"""From the bots that a match names to seats that the referee can ask."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from arena.referee.model import End, MatchResult, MatchSpec, Rejection
from arena.referee.seat import Question, Seat, SeatFailure
from arena.server.errors import NotConnectedError
from arena.server.hub import Hub
from arena.server.seat import StreamSeat
from arena.worker.errors import BotStartError
from arena.worker.processes import BotProcess, KeptBot, Launcher, running
from arena.worker.sources import HouseBot, PathBot, RegisteredBot, Source
from core_ext import Event

FRESH_AT_ONCE = 4
"""How many matches with bots that are started for them run at once: each is a process, and a start costs."""


class EmptySeat:
    """The seat of a bot that could not be started: it fails its match, and nobody else's."""

    wants_updates = False

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Fails with BOT_ERROR."""
        raise SeatFailure(End.BOT_ERROR, self._reason)

    async def decide(self, question: Question) -> int:
        """Is not reached: the match ended at its start."""
        raise SeatFailure(End.BOT_ERROR, self._reason)

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
            found = [await self._find(stack, group, name, source) for name, source in players]
            names = [one for one in found if isinstance(one, str)]
            # All places are taken in one step of the loop: two matches that each hold one seat and wait for the other's
            # would wait for ever.
            await self._hub.wait_until(lambda: all(self._hub.places(name) >= names.count(name) for name in names))
            yield [self._take(stack, one) if isinstance(one, str) else one for one in found]

    def groups(self) -> set[str]:
        """The groups that have kept bots."""
        return {group for group, _ in self._kept}

    async def try_start(self, group: str, name: str, source: Source) -> None:
        """See whether a bot that the arena starts can be started. Raises BotStartError."""
        async with AsyncExitStack() as stack:
            if isinstance(source, PathBot):
                await stack.enter_async_context(running(self._launcher, source, name))
            else:
                await self._find(stack, group, name, source)

    async def close(self, group: str | None = None) -> None:
        """End the kept bots of a group, or all."""
        keys = [key for key in self._kept if group in (None, key[0])]
        await asyncio.gather(*(self._kept.pop(key).end() for key in keys))

    def _take(self, stack: AsyncExitStack, name: str) -> StreamSeat:
        """A place of the bot of this name at the hub, until the stack is closed."""
        seat = self._hub.seat(name)
        stack.callback(seat.release)
        return seat

    async def _find(self, stack: AsyncExitStack, group: str, name: str, source: Source) -> str | StreamSeat | EmptySeat:
        """The bot's name at the hub; its seat where it is started for this match, so that nobody else waits for it."""
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
                    process = await stack.enter_async_context(running(self._launcher, source, name))
                    seat = self._take(stack, process.name)
                except (BotStartError, NotConnectedError) as error:
                    return EmptySeat(str(error))
                stack.callback(asyncio.create_task(fail_when_dead(process, seat)).cancel)
                return seat


async def fail_when_dead(bot: BotProcess, seat: StreamSeat) -> None:
    """Fail the seat when the process ends: it does not come back, so the match need not wait for that."""
    seat.fail(End.BOT_ERROR, await bot.obituary("in the middle of the match"))
