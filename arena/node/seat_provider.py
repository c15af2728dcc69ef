"""From the bots that a match names to seats that the referee can ask."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import TypeGuard

from arena.cluster.peers import Peers
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.runtimes import offered
from arena.launcher.errors import BotStartError
from arena.launcher.house_workers import HouseWorkers
from arena.launcher.path_bots import Confinement, PathBots
from arena.launcher.processes import Launcher
from arena.launcher.sources import HouseBot, PathBot, RegisteredBot, Source, SubmittedBot
from arena.launcher.supervised import SupervisedBot
from arena.match.clock import clock
from arena.match.model import End, MatchSpec
from arena.match.recess import Recess
from arena.match.seat import Seat
from arena.node.boards import CagedBoards
from arena.packs.errors import VersionTakenOutError
from arena.seats.absent import AbsentSeat
from arena.seats.errors import LinkError, NoPlaceError, NotConnectedError
from arena.seats.failover import FailoverSeat
from arena.seats.house import HouseSeat
from arena.seats.in_process import InProcessSeat
from arena.seats.stream import ConnectedSeat, StreamSeat
from arena.stream.hub import Hub
from arena.submissions.starter import VersionStarter
from bots import HOUSE_PROGRAMS, house

_MIN_POLL_S = 0.05
_MAX_POLL_S = 1.0

FRESH_AT_ONCE = 4
"""How many matches with bots that are started for them run at once: each is a process, and a start costs."""
IN_RECESS = 8
"""How many times as many there may be while some are in recess: their bots are frozen, and take memory alone."""
_MEMORY_BYTES = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


Participant = StreamSeat | InProcessSeat | HouseSeat | AbsentSeat | RegisteredBot | SupervisedBot


class _FreshPlaces:
    """Places for so many matches with bots that are started for them, and for one of each group at least.

    So a group whose bots sleep, or think long, leaves to each other group what it needs to go on. A match in recess
    leaves its place to another, while there are not more than `IN_RECESS` times as many, and the machine has the memory
    that all their bots may take, `bytes_a_bot` each; it goes on when it likes. An owner's single matches have one
    place, beside all others. Caged matches of the same bots on one board have one place between them: no bot may hear
    from itself what its opponent holds.
    """

    def __init__(self, limit: int, bytes_a_bot: int = CageLimits().memory_bytes, *, apart: bool = True) -> None:
        self._limit = limit
        self._max_bots = _MEMORY_BYTES // bytes_a_bot
        self._bots = 0
        """How many bots were started for the matches that have begun."""
        self._begun: Counter[str] = Counter()
        self._playing = 0
        """How many of those that have begun are not in recess."""
        self._singles: Counter[str] = Counter()
        """Of the single matches that have begun, how many each owner has."""
        self._boards = CagedBoards(self._wake, apart=apart)
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def place(self, group: str, bots: int, caged: MatchSpec | None, recess: Recess) -> AsyncIterator[None]:
        """Yield a place for a match with so many `bots` to start while the body runs; `caged` has bots in cages."""
        async with self._board(caged, lambda: self._begun[group] and self._full(bots)):
            self._begun[group] += 1
            self._playing += 1
            self._bots += bots
            try:
                with recess.notifying(self._recess):
                    yield
            finally:
                self._begun[group] -= 1
                self._playing -= 1
                self._bots -= bots

    @asynccontextmanager
    async def single(self, owner: str, caged: MatchSpec | None) -> AsyncIterator[None]:
        """Yield the place of this owner's single matches."""
        async with self._board(caged, lambda: self._singles[owner]):
            self._singles[owner] += 1
            try:
                yield
            finally:
                self._singles[owner] -= 1

    @asynccontextmanager
    async def _board(self, caged: MatchSpec | None, full: Callable[[], object]) -> AsyncIterator[None]:
        while (caged is not None and self._boards.keep(caged)) or full():
            await self._freed.wait()
        try:
            with nullcontext() if caged is None else self._boards.played(caged):
                yield
        finally:
            self._wake()

    async def close(self) -> None:
        """No more matches are played."""
        await self._boards.close()

    def _full(self, bots: int) -> bool:
        begun = self._begun.total()
        too_many = begun >= IN_RECESS * self._limit or self._bots + bots > self._max_bots
        return self._playing >= self._limit or (begun >= self._limit and too_many)

    def _recess(self, begins: bool) -> None:
        self._playing += -1 if begins else 1
        if begins:
            self._wake()

    def _wake(self) -> None:
        self._freed.set()  # wakes those who wait now, in their order
        self._freed.clear()


@dataclass(eq=False)
class SeatProvider:
    """Finds, or starts, the bots of matches.

    A house bot that answers at once is called in this process, the others think in `house_workers`. A bot by path is
    started for the match and ended after it. A registered bot may be connected to this node or to one of its peers, and
    has the time to reconnect to come. With `house_programs`, house bots are programs that connect as others do, one for
    each group (a league) and name, to measure what connections cost. A submitted version is started by `starter`, which
    a node that cannot cage does not have; a bot by path by `path_bots`. With `waits_for_cage`, neither is played before
    there is a starter. `apart`, a board pauses between its caged matches (`CagedBoards`).
    """

    hub: Hub
    launcher: Launcher
    path_bots: PathBots
    peers: Peers | None = None
    fresh_at_once: int = FRESH_AT_ONCE
    house_programs: bool = False
    waits_for_cage: bool = False
    apart: bool = True
    starter: VersionStarter | None = None

    def __post_init__(self) -> None:
        self._connected = self.hub.connected if self.peers is None else self.peers.connected
        self._fresh_places = _FreshPlaces(self.fresh_at_once, apart=self.apart)
        self._supervised: dict[tuple[str, str], SupervisedBot] = {}
        self._house_workers = HouseWorkers(partial(self.launcher.output, "house"))

    @asynccontextmanager
    async def seats(
        self,
        group: str,
        bots: Sequence[tuple[str, Source]],
        spec: MatchSpec | None = None,
        *,
        open_at: int | None = None,
        owner: str | None = None,
        recess: Recess | None = None,
    ) -> AsyncIterator[list[Seat]]:
        """Yield seats for a match of these bots (name, bot), in this order; they are free again afterwards.

        Waits until every bot has a place free. `owner` is there for a single match: who asked for it. While a match of
        a league is in `recess` others get its place. A registered bot that is away for longer than the `reconnect_ms`
        of `spec` (which such a bot needs) gets a seat that fails with DISCONNECTED; in a match that resumes after
        `open_at` actions, a seat that waits for it.

        Raises BotStartError when a house bot cannot be started, and what keeps this node from starting a submitted
        version: LauncherError, SubmissionError, StoreError, OSError.
        """
        async with AsyncExitStack() as stack:
            if started := sum(isinstance(source, PathBot | SubmittedBot) for _, source in bots):
                caged = spec if self.cages(source for _, source in bots) else None
                if owner is None:
                    place = self._fresh_places.place(group, started, caged, recess or Recess())
                else:
                    place = self._fresh_places.single(owner, caged)
                await stack.enter_async_context(place)
            single = owner is not None
            match_id = "" if spec is None else spec.match_id
            participants = [
                await self._find(stack, group, name, source, match_id, aside=single) for name, source in bots
            ]
            yield await self._take_all(stack, participants, spec, open_at=open_at)

    def cages(self, sources: Iterable[Source]) -> bool:
        """Tell whether one of these bots runs in a cage here."""
        uncaged = self.path_bots.confinement is Confinement.UNCAGED
        return any(
            isinstance(source, SubmittedBot) or (isinstance(source, PathBot) and not uncaged) for source in sources
        )

    @property
    def runtimes(self) -> frozenset[str]:
        """The runtimes of submitted bots, and bots by path, that this node plays now."""
        return offered() if self.starter is not None or not self.waits_for_cage else frozenset()

    async def try_start(self, group: str, name: str, source: Source) -> None:
        """Check that a bot that the arena starts can be started. Raises BotStartError."""
        async with AsyncExitStack() as stack:
            if isinstance(source, PathBot):
                await self.path_bots.seat(stack, source, name, group)
            else:
                await self._find(stack, group, name, source)

    async def close(self) -> None:
        """End the house bots."""
        await self._fresh_places.close()
        await self._house_workers.close()
        await asyncio.gather(*(bot.end() for bot in self._supervised.values()))

    async def _take_all(
        self, stack: AsyncExitStack, participants: Sequence[Participant], spec: MatchSpec | None, *, open_at: int | None
    ) -> list[Seat]:
        """Seats of all, taken at once: matches that each hold one seat and wait for another's would wait for ever.

        A bot's absence counts from when it was last seen, however long the match has waited for a free place by then.
        """
        pause = _MIN_POLL_S
        registered = [participant.name for participant in participants if isinstance(participant, RegisteredBot)]
        reconnect_s = 0.0 if spec is None else spec.reconnect_ms / 1000
        with clock.held():
            last_seen = dict.fromkeys(registered, clock.now())
            while True:
                away = {name for name in last_seen if not self._connected(name)}
                last_seen.update(dict.fromkeys(last_seen.keys() - away, clock.now()))
                late = all(clock.read_until() - last_seen[name] > reconnect_s for name in away)
                if (late or open_at is not None) and self._has_places(participants, spec):
                    with suppress(NotConnectedError, NoPlaceError, LinkError):
                        async with AsyncExitStack() as taken:
                            seats: dict[int, Seat] = {}
                            # Another node may refuse a seat, so those there come first.
                            for number, participant in sorted(
                                enumerate(participants), key=lambda pair: self._is_here(pair[1])
                            ):
                                seats[number] = await self._try(taken, participant, away, spec, open_at=open_at)
                            stack.push_async_callback(taken.pop_all().aclose)
                            return [seat for _, seat in sorted(seats.items(), key=itemgetter(0))]
                await self.hub.changed(pause)
                pause = min(2 * pause, _MAX_POLL_S)

    def _has_places(self, participants: Sequence[Participant], spec: MatchSpec | None) -> bool:
        """Whether the bots that are here have places free: seats that are given back wake all matches that wait."""
        match_id = "" if spec is None else spec.match_id
        wanted = Counter(participant.name for participant in participants if self._is_here(participant))
        return all(self.hub.places(name, match_id) >= count for name, count in wanted.items())

    def _is_here(self, participant: Participant) -> TypeGuard[RegisteredBot | SupervisedBot]:
        """Return whether the participant plays over a connection to this node."""
        if isinstance(participant, SupervisedBot):
            return not participant.given_up
        return isinstance(participant, RegisteredBot) and self.hub.connected(participant.name)

    async def _try(
        self,
        stack: AsyncExitStack,
        participant: Participant,
        away: set[str],
        spec: MatchSpec | None,
        *,
        open_at: int | None,
    ) -> Seat:
        """Return the participant's seat, until the stack is closed.

        Raises BotStartError, NotConnectedError, NoPlaceError, LinkError.
        """
        if isinstance(participant, SupervisedBot):
            return self._take(stack, participant)
        if not isinstance(participant, RegisteredBot):
            return participant
        assert spec is not None
        if participant.name in away and open_at is None:
            return AbsentSeat(End.DISCONNECTED, f"not connected within {spec.reconnect_ms / 1000:g} s")
        find = partial(self._seat, participant.name, spec)
        carrier = None if participant.name in away else await find()
        seat = FailoverSeat(spec.match_id, carrier, find, self.hub.changed, open_at)
        stack.callback(seat.release)
        return seat

    async def _seat(self, name: str, spec: MatchSpec) -> ConnectedSeat:
        """Return a seat of a registered bot, wherever it is. Raises NotConnectedError, NoPlaceError, LinkError."""
        return self.hub.seat(name, spec.match_id) if self.peers is None else await self.peers.seat(name, spec)

    def _take(self, stack: AsyncExitStack, bot: SupervisedBot) -> StreamSeat:
        """A seat of a supervised bot, until the stack is closed; BotStartError, NotConnectedError, NoPlaceError."""
        bot.check()
        seat = self.hub.seat(bot.name)
        seat.supervised = True
        bot.seats.add(seat)
        stack.callback(bot.seats.discard, seat)
        stack.callback(seat.release)
        return seat

    async def _find(
        self, stack: AsyncExitStack, group: str, name: str, source: Source, match_id: str = "", *, aside: bool = False
    ) -> Participant:
        """Return the participant: its seat already, where the bot is started for this match alone."""
        match source:
            case RegisteredBot():
                return source
            case HouseBot(house_name) if not self.house_programs:
                if HOUSE_PROGRAMS[house_name].quick:
                    return InProcessSeat(house(house_name), time.thread_time)
                return HouseSeat(house_name, self._house_workers)
            case HouseBot():
                supervised = self._supervised.get((group, name))
                if supervised is None:
                    supervised = self._supervised[group, name] = SupervisedBot(self.launcher, source, name, group)
                try:
                    await supervised.ready()
                except BotStartError:
                    self._supervised.pop((group, name), None)
                    raise
                return supervised
            case SubmittedBot():
                if self.starter is None:
                    raise NoCageError(f"this node starts no submitted bots, and so not {source}")
                try:
                    starting = self.starter.start(self.hub, source, name, match_id, aside=aside)
                    return (await stack.enter_async_context(starting)).seat()
                except (BotStartError, VersionTakenOutError) as error:
                    return AbsentSeat(End.BOT_ERROR, str(error))
            case PathBot():
                try:
                    return await self.path_bots.seat(stack, source, name, group)
                except BotStartError as error:
                    return AbsentSeat(End.BOT_ERROR, str(error))
