"""The ladders service."""

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from arena.league.estimates import Interval
from arena.organizer import ladders
from arena.organizer.errors import EntryError, NotPlayedError, UnreadableLadderError
from arena.organizer.ladder_table import LadderRow, LadderView, view_of
from arena.organizer.steps import Tables
from arena.rpc.errors import ApiError, Reason
from arena.services.acting import acting_bot
from arena.services.leagues import estimate, source_of
from arena.services.requests import required
from arena.store import Store
from hanafuda.arena.v1 import ladder_pb2, ladder_pb2_grpc


class LadderServicer(ladder_pb2_grpc.LadderServiceServicer):
    """What ladders there are, who is on them, and how they stand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables = Tables(store)

    async def GetLadder(self, request: ladder_pb2.GetLadderRequest, context: object) -> ladder_pb2.GetLadderResponse:
        """Return a ladder with its table. UNKNOWN_LADDER."""
        view = await view_of(self._store, required("name", request.name), self._tables)
        return ladder_pb2.GetLadderResponse(ladder=_message(view))

    async def ListLadders(
        self, request: ladder_pb2.ListLaddersRequest, context: object
    ) -> ladder_pb2.ListLaddersResponse:
        """List all ladders that can be read, by name."""
        response = ladder_pb2.ListLaddersResponse()
        for record in await self._store.ladders.list():
            try:
                response.ladders.append(_message(await view_of(self._store, record.name, self._tables)))
            except UnreadableLadderError:
                continue  # of another release; the log of the node that looks after it says so
        return response

    async def EnterLadder(
        self, request: ladder_pb2.EnterLadderRequest, context: object
    ) -> ladder_pb2.EnterLadderResponse:
        """Have the caller's bot on a ladder under its own name.

        UNKNOWN_LADDER, INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT, UNKNOWN_VERSION, VARIANT_NOT_PLAYED, ENTRY_REFUSED.
        """
        name, bot = required("ladder", request.ladder), await acting_bot(self._store.bots, request.bot)
        source = source_of(bot, request.version)
        try:
            new = await ladders.enter(self._store, name, source, bot, pinned=bool(request.version))
        except NotPlayedError as error:
            about = {"bot": bot, "variant": error.variant, "plays": ",".join(error.plays)}
            raise ApiError(Reason.VARIANT_NOT_PLAYED, str(error), metadata=about) from error
        except EntryError as error:
            raise ApiError(Reason.ENTRY_REFUSED, str(error)) from error
        return ladder_pb2.EnterLadderResponse(already_entered=not new)

    async def LeaveLadder(
        self, request: ladder_pb2.LeaveLadderRequest, context: object
    ) -> ladder_pb2.LeaveLadderResponse:
        """Take the caller's bot off a ladder. UNKNOWN_LADDER, NOT_YOUR_BOT, UNKNOWN_BOT, ENTRY_REFUSED."""
        name, bot = required("ladder", request.ladder), await acting_bot(self._store.bots, request.bot)
        try:
            has_left = await ladders.leave(self._store, name, bot, of=bot)
        except EntryError as error:
            raise ApiError(Reason.ENTRY_REFUSED, str(error)) from error
        return ladder_pb2.LeaveLadderResponse(already_left=not has_left)


def _message(view: LadderView) -> ladder_pb2.Ladder:
    return ladder_pb2.Ladder(
        name=view.name,
        variant=view.variant,
        status=ladder_pb2.LadderStatus.Value(f"LADDER_STATUS_{view.state.upper()}"),
        season=view.season,
        league=view.league,
        round=view.round,
        rounds=view.rounds,
        matches=view.matches,
        commitment=bytes.fromhex(view.commitment),
        rows=[_row(row) for row in view.rows],
    )


def _row(row: LadderRow) -> ladder_pb2.LadderRow:
    last = Timestamp()
    if row.last_played:
        last.FromDatetime(datetime.fromisoformat(row.last_played))
    return ladder_pb2.LadderRow(
        rank=row.rank,
        bot=row.bot,
        plays=row.plays,
        version=row.version,
        owner=row.owner,
        rating=estimate(row.interval),
        boards=row.boards,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        forfeits=row.forfeits,
        last_played_at=last if row.last_played else None,
        entry=row.entry,
    )


def view_in(message: ladder_pb2.Ladder) -> LadderView:
    """The ladder that a message tells of."""
    return LadderView(
        name=message.name,
        variant=message.variant,
        season=message.season,
        league=message.league,
        state=ladder_pb2.LadderStatus.Name(message.status).removeprefix("LADDER_STATUS_").lower(),
        round=message.round,
        rounds=message.rounds,
        matches=message.matches,
        commitment=message.commitment.hex(),
        rows=tuple(_row_in(row) for row in message.rows),
    )


def _row_in(row: ladder_pb2.LadderRow) -> LadderRow:
    rating = None
    if row.HasField("rating"):
        ends = (getattr(row.rating, end) if row.rating.HasField(end) else None for end in ("low", "high"))
        rating = Interval(row.rating.value, *ends)
    played = f"{row.last_played_at.ToDatetime():%Y-%m-%dT%H:%M:%SZ}" if row.HasField("last_played_at") else ""
    return LadderRow(
        rank=row.rank,
        bot=row.bot,
        plays=row.plays,
        version=row.version,
        owner=row.owner,
        rating=None if rating is None else rating.value,
        low=None if rating is None else rating.low,
        high=None if rating is None else rating.high,
        boards=row.boards,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        forfeits=row.forfeits,
        last_played=played,
        entry=row.entry,
    )
