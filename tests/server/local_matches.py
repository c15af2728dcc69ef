"""Single matches without a store: they live, and are played, in this process."""

import asyncio
import logging
import time

import msgspec

from arena import wire
from arena.match.model import MatchSpec
from arena.match.play import play
from arena.rpc.errors import ApiError, Reason
from arena.services.matches import Matches, MatchRecord, Show
from arena.store.errors import InvalidCursorError, UnknownMatchError
from arena.stream.feeds import SpectatorFeeds
from arena.stream.hub import Hub

log = logging.getLogger(__name__)


class LocalMatches:
    """A book of matches that plays them at once between bots of the hub. `aclose` ends those under way."""

    def __init__(self, hub: Hub, gallery: SpectatorFeeds) -> None:
        self._hub = hub
        self._gallery = gallery
        self._records: dict[str, MatchRecord] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def create(self, spec: MatchSpec) -> MatchRecord:
        """Begin the match. Raises NotConnectedError, NoPlaceError."""
        match_id = spec.match_id
        public = msgspec.structs.replace(spec, seed=b"")
        record = MatchRecord(public, wire.seed_commitment(spec.seed), time.time_ns() // 1000)
        seats = [self._hub.seat(name) for name in spec.names]
        self._records[match_id] = record
        stage = self._gallery.open(match_id)

        async def run() -> None:
            try:
                result = await play(spec, seats, spectator=stage.show)
                self._records[match_id] = msgspec.structs.replace(record, status="over", result=result)
                self._gallery.close(stage, result)
            finally:
                self._gallery.close(stage)
                for seat in seats:
                    seat.release()

        task = asyncio.create_task(run(), name=f"match {match_id}")
        self._running.add(task)
        task.add_done_callback(self._finished)
        return record

    async def get(self, match_id: str) -> MatchRecord:
        """A match; UnknownMatchError."""
        try:
            return self._records[match_id]
        except KeyError:
            raise UnknownMatchError(match_id) from None

    async def list(self, after: str, limit: int) -> Matches:
        """Matches in the order of their creation; InvalidCursorError."""
        ids = list(self._records)
        if after and after not in self._records:
            raise InvalidCursorError(after)
        start = ids.index(after) + 1 if after else 0
        page = ids[start : start + limit]
        more = start + limit < len(ids)
        return Matches([self._records[id_] for id_ in page], page[-1] if more else "")

    async def show(self, match_id: str, show: Show) -> None:
        """Show a match under way to a spectator. Raises ApiError MATCH_PARKED when an error has ended it."""
        stage = await self._gallery.find(match_id)
        over = False
        if stage is not None:
            async for message in stage.watch():
                await show(message)
                over = message.HasField("match_end")
        if not over:
            raise ApiError(Reason.MATCH_PARKED, "the match came to no end")

    async def aclose(self) -> None:
        """End the matches under way."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s failed", task.get_name(), exc_info=error)
