"""Single matches as spectators see them from any node, whichever node plays them."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import msgspec

from arena import wire
from arena.cluster.peers import Peers
from arena.match.live import LiveMatches
from arena.match.model import MatchResult
from arena.replays import decode
from arena.replays.verify import start
from arena.rpc.errors import ApiError, Reason
from arena.seats.errors import LinkError
from arena.store import Match, Scope, Store
from arena.stream.feeds import event_message, watch
from core_ext import SPECTATOR
from hanafuda.arena.v1 import match_pb2

Show = Callable[[match_pb2.WatchMatchResponse], Awaitable[object]]
"""Shows one message to a spectator; done when it is on its way."""
_POLL_S = 1.0
"""How long a match that nobody plays now is left alone before it is looked for again."""

log = logging.getLogger(__name__)


class Spectators:
    """Follows matches from node to node for the spectators of this one.

    What is shown is the same at every node: public events follow from the seed and the journal, and none is shown
    before the journal has it. So a spectator of a match that goes on elsewhere is shown what it has not seen yet.
    """

    def __init__(self, store: Store, live: LiveMatches, peers: Peers | None = None) -> None:
        self._store = store
        self._live = live
        self._peers = peers
        self._watching: set[asyncio.Timeout] = set()
        self._is_leaving = False

    async def show(self, match_id: str, show: Show) -> None:
        """Show a match to its end, waiting for whoever plays it. Raises ApiError MATCH_PARKED, SHUTTING_DOWN."""
        if self._is_leaving:
            raise _leaving()
        try:
            async with asyncio.timeout(None) as watching:
                self._watching.add(watching)
                try:
                    await self._follow(match_id, show)
                finally:
                    self._watching.discard(watching)
        except TimeoutError:
            if watching.expired():
                raise _leaving() from None
            raise

    def leave(self) -> None:
        """End all streams with SHUTTING_DOWN, as this node stops: the spectators go on at another."""
        self._is_leaving = True
        for watching in self._watching:
            watching.reschedule(0)

    async def _follow(self, match_id: str, show: Show) -> None:
        seen = 0
        fault = ""
        while True:
            before = seen
            try:
                messages = await self._shown_now(match_id, seen)
                if messages is not None:
                    async with aclosing(messages):
                        async for message in messages:
                            await show(message)
                            if message.HasField("match_end"):
                                return
                            seen += 1
            except LinkError as error:
                if fault != str(error):
                    fault = str(error)
                    log.warning("match %s cannot be followed now: %s", match_id, fault)
            match = await self._store.matches.get(match_id)
            if match.result is not None:
                for message in await self._missed(match, match.result, seen):
                    await show(message)
                return
            if (await self._store.stalled.parked(Scope.match(match_id), limit=1)).items:
                raise ApiError(
                    Reason.MATCH_PARKED, "the match was tried too often without an end, and is not played now"
                )
            if seen == before:
                await self._live.wait_for(match_id, _POLL_S)

    async def _shown_now(self, match_id: str, seen: int) -> AsyncGenerator[match_pb2.WatchMatchResponse, None] | None:
        """Yield what is to be seen of the match beyond that, where it is played now."""
        live = self._live.find(match_id)
        if live is not None:
            return watch(live, seen)
        if self._peers is None:
            return None
        return self._peers.watch(await self._store.matches.player(match_id), match_id, seen)

    async def _missed(self, match: Match, result: bytes, seen: int) -> list[match_pb2.WatchMatchResponse]:
        """Return what a spectator has missed of a match that ended out of its sight."""
        record = decode(await self._store.replays.get(match.id))
        state = start(record)
        state.apply_packed(record.packed, record.decisions)
        end = wire.match_end(match.id, msgspec.json.decode(result, type=MatchResult))
        missed = map(event_message, state.events(SPECTATOR)[seen:])
        return [*missed, match_pb2.WatchMatchResponse(match_end=end)]


def _leaving() -> ApiError:
    return ApiError(Reason.SHUTTING_DOWN, "the node goes down; watch the match at another")
