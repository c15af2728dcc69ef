"""The matches service: challenges, and what became of them."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import grpc
from msgspec import Struct

from arena import wire
from arena.match.model import LONGEST_MS, MatchResult, MatchSpec, Policy, TimeControl
from arena.rpc.errors import ApiError, Reason, invalid
from arena.rpc.identity import caller
from arena.services.bots import moment
from arena.services.paging import page_of
from arena.stream.hub import BotLocator
from core_ext import VARIANTS, State, variant_info
from core_ext.errors import CoreError
from hanafuda.arena.v1 import match_pb2, match_pb2_grpc

_LEFT_OUT = TimeControl()

WatchContext: TypeAlias = "grpc.aio.ServicerContext[match_pb2.WatchMatchRequest, match_pb2.WatchMatchResponse]"

Show = Callable[[match_pb2.WatchMatchResponse], Awaitable[object]]
"""Shows one message to a spectator; done when it is on its way."""


class MatchRecord(Struct, frozen=True):
    """A single match as everybody may know it: the seed of `spec` is left empty, `commitment` is its SHA-256.

    `result` is there when the match is over.
    """

    spec: MatchSpec
    commitment: bytes
    created_us: int
    status: str = "running"
    """`waiting`, `running`, `over` or `parked`."""
    result: MatchResult | None = None
    replay_id: str = ""


class Matches(NamedTuple):
    """A part of the list of matches; `next` is the cursor of the following part, "" at the end."""

    items: Sequence[MatchRecord]
    next: str


class MatchBook(Protocol):
    """Who keeps single matches and sees to it that they are played. Errors are the store's."""

    async def create(self, spec: MatchSpec) -> MatchRecord:
        """Have a match played."""

    async def get(self, match_id: str) -> MatchRecord:
        """A match; UnknownMatchError."""

    async def list(self, after: str, limit: int) -> Matches:
        """Matches in the order of their creation; InvalidCursorError."""


class Screens(Protocol):
    """Where spectators see single matches that run."""

    async def show(self, match_id: str, show: Show) -> None:
        """Show a match that is not over, from its beginning to its end. Raises ApiError MATCH_PARKED, SHUTTING_DOWN."""


class MatchServicer(match_pb2_grpc.MatchServiceServicer):
    """Matches outside leagues."""

    def __init__(self, hub: BotLocator, book: MatchBook, screens: Screens) -> None:
        self._hub = hub
        self._book = book
        self._screens = screens

    async def CreateMatch(  # noqa: N802
        self, request: match_pb2.CreateMatchRequest, context: object
    ) -> match_pb2.CreateMatchResponse:
        """A challenge. INVALID_REQUEST, NOT_YOUR_MATCH, BOT_NOT_CONNECTED, VARIANT_NOT_PLAYED, BOT_BUSY."""
        spec = spec_of(request)
        if caller.get().name not in spec.names:
            raise ApiError(Reason.NOT_YOUR_MATCH, "the caller's own bot has to be among the bots")
        for name in dict.fromkeys(spec.names):
            self._check_bot(name, spec)
        record = await self._book.create(spec)
        return match_pb2.CreateMatchResponse(match=message_of(record))

    async def GetMatch(  # noqa: N802
        self, request: match_pb2.GetMatchRequest, context: object
    ) -> match_pb2.GetMatchResponse:
        """A match. UNKNOWN_MATCH."""
        return match_pb2.GetMatchResponse(match=message_of(await self._book.get(_id(request.match_id))))

    async def ListMatches(  # noqa: N802
        self, request: match_pb2.ListMatchesRequest, context: object
    ) -> match_pb2.ListMatchesResponse:
        """All single matches, oldest first."""
        matches = await self._book.list(*page_of(request))
        return match_pb2.ListMatchesResponse(
            matches=[message_of(record) for record in matches.items], next_page_token=matches.next
        )

    async def WatchMatch(  # type: ignore[override]  # noqa: N802  # it writes, it is no iterator
        self, request: match_pb2.WatchMatchRequest, context: WatchContext
    ) -> None:
        """Public events of a match from its beginning to its end; of one that is over, its end.

        UNKNOWN_MATCH, MATCH_PARKED, SHUTTING_DOWN. A match of a league is no single match, and so unknown here.
        """
        match_id = _id(request.match_id)
        record = await self._book.get(match_id)
        if record.result is None:
            await self._screens.show(match_id, context.write)
        else:
            end = wire.match_end(match_id, record.result)
            await context.write(match_pb2.WatchMatchResponse(match_end=end))

    def _check_bot(self, name: str, spec: MatchSpec) -> None:
        about = {"bot": name}
        if not self._hub.connected(name):
            raise ApiError(Reason.BOT_NOT_CONNECTED, f"bot {name} is not connected", metadata=about)
        if not self._hub.plays(name, spec.variant):
            raise ApiError(Reason.VARIANT_NOT_PLAYED, f"bot {name} does not play {spec.variant}", metadata=about)
        if self._hub.places(name) < spec.names.count(name):
            raise ApiError(Reason.BOT_BUSY, f"bot {name} takes no more matches now", metadata=about)


def spec_of(request: match_pb2.CreateMatchRequest) -> MatchSpec:
    """A challenge as a match to be played, its seed drawn here. Raises ApiError INVALID_REQUEST, naming the field."""
    if request.variant not in VARIANTS:
        raise invalid(variant=f"no variant {request.variant!r}; this arena plays {', '.join(VARIANTS)}")
    least, most, _ = variant_info(request.variant).seats
    if not least <= len(request.bots) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise invalid(bots=f"{wanted} bots are wanted, not {len(request.bots)}")
    try:
        options = wire.options_from_wire(request.options)
    except wire.WireError as error:
        raise invalid(options=str(error)) from error
    if request.policy not in (match_pb2.POLICY_UNSPECIFIED, *wire.POLICY_FROM_WIRE):
        raise invalid(policy=f"{request.policy} is none")
    spec = MatchSpec(
        match_id=secrets.token_hex(8),
        variant=request.variant,
        seed=secrets.token_bytes(32),
        names=tuple(request.bots),
        options=options,
        time=_time_of(request),
        policy=wire.POLICY_FROM_WIRE.get(request.policy, Policy.STRICT),
    )
    try:
        State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    except CoreError as error:
        raise invalid(options=str(error)) from error
    return spec


def _time_of(request: match_pb2.CreateMatchRequest) -> TimeControl:
    if not request.HasField("time_control"):
        return _LEFT_OUT
    wanted = request.time_control
    for field in ("per_decision_ms", "bank_ms"):
        if getattr(wanted, field) > LONGEST_MS:
            raise ApiError(
                Reason.INVALID_REQUEST,
                f"time_control.{field} is above {LONGEST_MS}",
                fields={f"time_control.{field}": f"at most {LONGEST_MS}"},
            )
    try:
        return wire.time_from_wire(wanted)
    except ValueError as error:
        raise invalid(time_control=str(error)) from error


_STATUS = {
    "waiting": match_pb2.MATCH_STATUS_WAITING,
    "running": match_pb2.MATCH_STATUS_RUNNING,
    "over": match_pb2.MATCH_STATUS_OVER,
    "parked": match_pb2.MATCH_STATUS_PARKED,
}


def message_of(record: MatchRecord) -> match_pb2.Match:
    """What everybody may know of a match: not its seed."""
    spec = record.spec
    return match_pb2.Match(
        match_id=spec.match_id,
        variant=spec.variant,
        options=wire.options_to_wire(spec.variant, spec.options),
        bots=spec.names,
        time_control=wire.time_to_wire(spec.time),
        policy=wire.POLICY_TO_WIRE[spec.policy],
        status=_STATUS[record.status],
        seed_commitment=record.commitment,
        created_at=moment(record.created_us),
        end=None if record.result is None else wire.match_end(spec.match_id, record.result),
        replay_id=record.replay_id,
    )


def _id(match_id: str) -> str:
    if not match_id:
        raise invalid(match_id="a match's id is wanted")
    return match_id


def register(servicer: MatchServicer, server: grpc.aio.Server) -> str:
    """Add the service to a server; returns its name."""
    match_pb2_grpc.add_MatchServiceServicer_to_server(servicer, server)
    return match_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name
