"""From the bots that a match names to seats that the referee can ask."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from arena.cluster.peers import Alone, Peers
from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_at
from arena.launcher.errors import BotStartError, LauncherError
from arena.launcher.processes import BotProcess, Launcher, running
from arena.launcher.sources import HouseBot, PathBot, RegisteredBot, Source
from arena.launcher.supervised import SupervisedBot
from arena.match.clock import clock
from arena.match.model import End, MatchSpec
from arena.match.seat import Seat
from arena.seats.absent import AbsentSeat
from arena.seats.errors import LinkError, NoPlaceError, NotConnectedError
from arena.seats.failover import FailoverSeat
from arena.seats.in_process import InProcessSeat
from arena.seats.stream import StreamSeat
from arena.stream.hub import Hub
from bots import house

_FIRST_LOOK_S = 0.05
_LONGEST_LOOK_S = 1.0

FRESH_AT_ONCE = 4
"""How many matches with bots that are started for them run at once: each is a process, and a start costs."""


Found = StreamSeat | InProcessSeat | AbsentSeat | RegisteredBot | SupervisedBot


class SeatProvider:
    """Finds, or starts, the bots of matches.

    A house bot is started when it is first needed and kept, one process for each group (a league) and name; a bot by
    path is started for the match and ended after it; a registered bot may be connected to this node or to one of its
    peers, and has the time to reconnect to come. With `in_process`, house bots are called in this process instead: for
    measuring what a node does by itself. With `cages`, bots by path run in them.
    """

    def __init__(
        self,
        hub: Hub,
        launcher: Launcher,
        fresh_at_once: int = FRESH_AT_ONCE,
        peers: Peers | Alone | None = None,
        *,
        in_process: bool = False,
        cages: Cages | None = None,
    ) -> None:
        self._hub = hub
        self._launcher = launcher
        self._in_process = in_process
        self._cages = cages
        self._peers = peers or Alone(hub)
        self._fresh = asyncio.Semaphore(fresh_at_once)
        self._kept: dict[tuple[str, str], SupervisedBot] = {}

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

        Waits until every bot has a place free. A registered bot that is away for longer than the `reconnect_ms` of
        `spec` (which such a bot needs) gets a seat that fails with DISCONNECTED; in a match that resumes after
        `open_at` actions, a seat that waits for it. Raises BotStartError when a house bot cannot be started.
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
                await stack.enter_async_context(running(self._launcher, source, name, group))
            else:
                await self._find(stack, group, name, source)

    async def close(self, group: str | None = None) -> None:
        """End the kept bots of a group, or all."""
        keys = [key for key in self._kept if group in (None, key[0])]
        await asyncio.gather(*(self._kept.pop(key).end() for key in keys))

    async def _take_here(self, stack: AsyncExitStack, found: Sequence[Found]) -> list[Seat]:
        """Places of bots that this node has started."""
        kept = [one for one in found if isinstance(one, SupervisedBot)]
        # All places are taken in one step of the loop: two matches that each hold one seat and wait for the other's
        # would wait for ever.
        await self._hub.wait_until(
            lambda: all(bot.given_up or self._hub.places(bot.name) >= kept.count(bot) for bot in kept)
        )
        return [
            self._take(stack, one) if isinstance(one, SupervisedBot) else one
            for one in found
            if not isinstance(one, RegisteredBot)
        ]

    async def _take_anywhere(
        self, stack: AsyncExitStack, found: Sequence[Found], spec: MatchSpec, *, open_at: int | None
    ) -> list[Seat]:
        """Places of bots wherever they are: all, or none yet, for the same reason.

        A bot's absence counts from when it was last seen, however long the match has waited for a free place by then.
        """
        pause = _FIRST_LOOK_S
        with clock.held():
            last_seen = {one.name: clock.now() for one in found if isinstance(one, RegisteredBot)}
            while True:
                away = {name for name in last_seen if not self._peers.connected(name)}
                last_seen.update(dict.fromkeys(last_seen.keys() - away, clock.now()))
                late = all(clock.settled() - last_seen[name] > spec.reconnect_ms / 1000 for name in away)
                if late or open_at is not None:
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
        if isinstance(one, SupervisedBot):
            return self._take(stack, one)
        if not isinstance(one, RegisteredBot):
            return one
        if one.name in away and open_at is None:
            return AbsentSeat(End.DISCONNECTED, f"not connected within {spec.reconnect_ms / 1000:g} s")
        carrier = None if one.name in away else await self._peers.seat(one.name, spec)
        seat = FailoverSeat(one.name, carrier, self._peers.seat, self._peers.changed, open_at)
        stack.callback(seat.release)
        return seat

    def _take(self, stack: AsyncExitStack, bot: SupervisedBot) -> StreamSeat:
        """A place of a kept bot, until the stack is closed. Raises BotStartError, NotConnectedError, NoPlaceError."""
        bot.check()
        seat = self._hub.seat(bot.name)
        seat.supervised = True
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
                return InProcessSeat(house(house_name))
            case HouseBot():
                kept = self._kept.get((group, name))
                if kept is None:
                    kept = self._kept[group, name] = SupervisedBot(self._launcher, source, name, group)
                try:
                    await kept.ready()
                except BotStartError:
                    self._kept.pop((group, name), None)
                    raise
                return kept
            case PathBot(path) if self._cages is not None:
                try:
                    program = await asyncio.to_thread(program_at, path)
                    bot = await stack.enter_async_context(caged(self._cages, self._hub, program, name))
                    return bot.seat()
                except LauncherError as error:
                    return AbsentSeat(End.BOT_ERROR, str(error))
            case PathBot():
                try:
                    process = await stack.enter_async_context(running(self._launcher, source, name, group))
                    seat = await self._launcher.seat(process)
                except BotStartError as error:
                    return AbsentSeat(End.BOT_ERROR, str(error))
                stack.callback(seat.release)
                stack.callback(asyncio.create_task(fail_when_dead(process, seat)).cancel)
                return seat


async def fail_when_dead(bot: BotProcess, seat: StreamSeat) -> None:
    """Fail the seat when the process ends: it does not come back, so the match need not wait for that."""
    seat.fail(End.BOT_ERROR, await bot.obituary("in the middle of the match"))
