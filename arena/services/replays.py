"""The replays service."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from arena.export.filters import MatchFilter
from arena.export.sources import StoredReplay, StoreSource
from arena.replays import decode_summary
from arena.rpc.list_turns import REST_FACTOR
from arena.services.moments import moment
from arena.services.requests import page_of, required
from arena.store import ReplayInfo, Store
from arena.wire import END_TO_WIRE
from hanafuda.arena.v1 import replay_pb2, replay_pb2_grpc

if TYPE_CHECKING:
    import grpc

Context: TypeAlias = "grpc.aio.ServicerContext[replay_pb2.DownloadReplaysRequest, replay_pb2.DownloadReplaysResponse]"

_TOGETHER = 64
"""Replays of a message: about as many KiB."""


class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """Replays of matches whose board is over."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._replays = store.replays

    async def GetReplay(self, request: replay_pb2.GetReplayRequest, context: object) -> replay_pb2.GetReplayResponse:
        """Return a replay. UNKNOWN_REPLAY, BOARD_OPEN."""
        data = await self._replays.get(required("replay_id", request.replay_id))
        return replay_pb2.GetReplayResponse(replay=replay_pb2.Replay.FromString(data))

    async def ListReplays(
        self, request: replay_pb2.ListReplaysRequest, context: object
    ) -> replay_pb2.ListReplaysResponse:
        """List the replays that can be read; a page may hold fewer than were asked for without being the last."""
        after, size = page_of(request)
        page = await self._replays.list(league=request.league or None, bot=request.bot or None, after=after, limit=size)
        readable = [info for info in page.items if info.readable]
        return replay_pb2.ListReplaysResponse(replays=[_summary(info) for info in readable], next_page_token=page.next)

    async def DownloadReplays(  # type: ignore[override]  # it writes, it is no iterator
        self, request: replay_pb2.DownloadReplaysRequest, context: Context
    ) -> None:
        """Stream whole replays, as lists do giving way to play."""
        source = StoreSource(self._store)
        wanted = MatchFilter(league=request.league or None, bot=request.bot or None)
        loop = asyncio.get_running_loop()
        batch: list[StoredReplay] = []
        began = loop.time()
        async for replay in source.replays(wanted):
            batch.append(replay)
            if len(batch) == _TOGETHER:
                await context.write(_downloaded(batch, source))
                batch.clear()
                await asyncio.sleep(REST_FACTOR * (loop.time() - began))
                began = loop.time()
        await context.write(_downloaded(batch, source))


def _downloaded(batch: Sequence[StoredReplay], source: StoreSource) -> replay_pb2.DownloadReplaysResponse:
    message = replay_pb2.DownloadReplaysResponse(closed=source.closed)
    source.closed = 0
    for replay in batch:
        in_league = bool(replay.league)
        message.replays.add(
            replay_id=replay.info.id,
            replay=replay_pb2.Replay.FromString(replay.raw),
            league=replay.league,
            round=replay.info.round if in_league else 0,
            board=replay.info.board if in_league else "",
            created_at=moment(round(replay.time * 1e6)),
            owners=replay.owners,
        )
    return message


def _summary(info: ReplayInfo) -> replay_pb2.ReplaySummary:
    summary = decode_summary(info.about)
    return replay_pb2.ReplaySummary(
        replay_id=info.id,
        league=info.scope.name if info.scope.kind == "league" else "",
        variant=summary.variant,
        bots=info.bots,
        results=summary.results,
        end=END_TO_WIRE[summary.end],
        offender=summary.offender,
        stored_at=moment(info.time_us) if info.time_us else None,
    )
