"""From the bots that a match names to seats that the referee can ask."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from arena.referee.clock import clock
from arena.referee.local import LocalSeat
from arena.referee.model import End, MatchResult, MatchSpec, Rejection
from arena.referee.seat import Question, Seat, SeatFailure
from arena.server.errors import LinkError, NoPlaceError, NotConnectedError
from arena.server.hub import Hub
from arena.server.seat import StreamSeat
from arena.worker.errors import BotStartError
from arena.worker.peers import Alone, Peers
from arena.worker.processes import BotProcess, KeptBot, Launcher, running
from arena.worker.roaming import RoamingSeat
from arena.worker.sources import HouseBot, PathBot, RegisteredBot, Source
from bots import house
from core_ext import Event

_FIRST_LOOK_S = 0.05
_LONGEST_LOOK_S = 1.0

FRESH_AT_ONCE = 4
"""How many matches with bots that are started for them run at once: each is a process, and a start costs."""


class EmptySeat:
    """The seat of a bot that could not be started, or did not come: it fails its match, and nobody else's."""

    wants_updates = False

    def __init__(self, end: End, reason: str) -> None:
        self._failure = SeatFailure(end, reason)

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Fails."""
        raise self._failure

    async def decide(self, question: Question) -> int:
        """Is not reached: the match ended at its start."""
        raise self._failure

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Nobody to tell."""

    async def update(self, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""


Found = StreamSeat | LocalSeat | EmptySeat | RegisteredBot | KeptBot


class Players:
    """Finds, or starts, the bots of matches.

    A house bot is started when it is first needed and kept, one process for each group (a league) and name; a bot by
    path is started for the match and ended after it; a registered bot may be connected to this node or to one of its
    peers, and has the time to reconnect to come. With `in_process`, house bots are called in this process instead: for
    measuring what a node does by itself.
    """

    def __init__(
        self,
        hub: Hub,
        launcher: Launcher,
        fresh_at_once: int = FRESH_AT_ONCE,
        peers: Peers | Alone | None = None,
        *,
        in_process: bool = False,
    ) -> None:
        self._hub = hub
        self._launcher = launcher
        self._in_process = in_process
        self._peers = peers or Alone(hub)
        self._fresh = asyncio.Semaphore(fresh_at_once)
        self._kept: dict[tuple[str, str], KeptBot] = {}

    @asynccontextmanager
    async def seats(
        self,
        group: str,
        players: Sequence[tuple[str, Source]],
        spec: MatchSpec | None = None,
        *,
        open_at: int | None = None,
    ) -> AsyncIterator[list[Seat]]:
        """Seats for a match of these players (name, bot), in this order; they are free again afterwards.

        Waits until every bot has a place free. A registered bot that is not there within the `reconnect_ms` of `spec`
        (which such a bot needs) gets a seat that fails with DISCONNECTED; of a match that is taken up after `open_at`
        actions, a seat that waits for it. Raises BotStartError when a house bot cannot be started.
        """
        async with AsyncExitStack() as stack:
            if any(isinstance(source, PathBot) for _, source in players):
                await stack.enter_async_context(self._fresh)
            found = [await self._find(stack, group, name, source) for name, source in players]
            if any(isinstance(one, RegisteredBot) for one in found):
                assert spec is not None
                yield await self._take_anywhere(stack, found, spec, open_at=open_at)
            else:
                yield await self._take_here(stack, found)

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

    async def _take_here(self, stack: AsyncExitStack, found: Sequence[Found]) -> list[Seat]:
        """Places of bots that this node has started."""
        kept = [one for one in found if isinstance(one, KeptBot)]
        # All places are taken in one step of the loop: two matches that each hold one seat and wait for the other's
        # would wait for ever.
        await self._hub.wait_until(
            lambda: all(bot.given_up or self._hub.places(bot.name) >= kept.count(bot) for bot in kept)
        )
        return [
            self._take(stack, one) if isinstance(one, KeptBot) else one
            for one in found
            if not isinstance(one, RegisteredBot)
        ]

    async def _take_anywhere(
        self, stack: AsyncExitStack, found: Sequence[Found], spec: MatchSpec, *, open_at: int | None
    ) -> list[Seat]:
        """Places of bots wherever they are: all, or none yet, for the same reason."""
        names = {one.name for one in found if isinstance(one, RegisteredBot)}
        began = clock.now()
        pause = _FIRST_LOOK_S
        with clock.held():
            while True:
                away = {name for name in names if not self._peers.connected(name)}
                late = clock.settled() - began > spec.reconnect_ms / 1000
                if not away or late or open_at is not None:
                    taken = AsyncExitStack()
                    try:
                        seats = [await self._try(taken, one, away, spec, open_at=open_at) for one in found]
                    except (NotConnectedError, NoPlaceError, LinkError):
                        await taken.aclose()
                    except BaseException:
                        await taken.aclose()
                        raise
                    else:
                        stack.push_async_callback(taken.aclose)
                        return seats
                await self._peers.changed(pause)
                pause = min(2 * pause, _LONGEST_LOOK_S)

    async def _try(
        self, stack: AsyncExitStack, one: Found, away: set[str], spec: MatchSpec, *, open_at: int | None
    ) -> Seat:
        if isinstance(one, KeptBot):
            return self._take(stack, one)
        if not isinstance(one, RegisteredBot):
            return one
        if one.name in away and open_at is None:
            return EmptySeat(End.DISCONNECTED, f"not connected within {spec.reconnect_ms / 1000:g} s")
        carrier = None if one.name in away else await self._peers.seat(one.name, spec)
        seat = RoamingSeat(one.name, carrier, self._peers.seat, self._peers.changed, open_at)
        stack.callback(seat.release)
        return seat

    def _take(self, stack: AsyncExitStack, bot: KeptBot) -> StreamSeat:
        """A place of a kept bot, until the stack is closed. Raises BotStartError, NotConnectedError, NoPlaceError."""
        bot.check()
        seat = self._hub.seat(bot.name)
        seat.kept = True
        bot.seats.add(seat)
        stack.callback(bot.seats.discard, seat)
        stack.callback(seat.release)
        return seat

    async def _find(self, stack: AsyncExitStack, group: str, name: str, source: Source) -> Found:
        """Who plays; the seat where a bot is started for this match, so that nobody else waits for it."""
        match source:
            case RegisteredBot():
                return source
            case HouseBot(house_name) if self._in_process:
                return LocalSeat(house(house_name))
            case HouseBot():
                kept = self._kept.get((group, name))
                if kept is None:
                    kept = self._kept[group, name] = KeptBot(self._launcher, source, name)
                try:
                    await kept.ready()
                except BotStartError:
                    self._kept.pop((group, name), None)
                    raise
                return kept
            case PathBot():
                try:
                    process = await stack.enter_async_context(running(self._launcher, source, name))
                    seat = await self._launcher.seat(process)
                except BotStartError as error:
                    return EmptySeat(End.BOT_ERROR, str(error))
                stack.callback(seat.release)
                stack.callback(asyncio.create_task(fail_when_dead(process, seat)).cancel)
                return seat


async def fail_when_dead(bot: BotProcess, seat: StreamSeat) -> None:
    """Fail the seat when the process ends: it does not come back, so the match need not wait for that."""
    seat.fail(End.BOT_ERROR, await bot.obituary("in the middle of the match"))
