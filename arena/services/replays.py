"""The replays service."""

from arena.replays import decode_summary
from arena.services.requests import page_of, required
from arena.store import ReplayInfo, Store
from arena.wire import END_TO_WIRE
from hanafuda.arena.v1 import replay_pb2, replay_pb2_grpc


class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """Replays of matches whose board is over."""

    def __init__(self, store: Store) -> None:
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
    )
