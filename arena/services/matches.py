"""The matches service: challenges and their results."""

import asyncio
import secrets

import msgspec
from grpc.aio import ServicerContext

from arena import wire
from arena.challenges import Challenges
from arena.launcher.errors import BotSourceError
from arena.launcher.sources import HOUSE, HouseBot, RegisteredBot, Source, SubmittedBot, names_a_path, parse_source
from arena.match.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.organizer.entries import check_plays, record_of, resolve
from arena.organizer.errors import EntryError, NotPlayedError
from arena.organizer.league_places import LeaguePlaces
from arena.organizer.limits import ChallengeLimits
from arena.organizer.matches import queue_match
from arena.packs.manifest import Manifest
from arena.rpc.errors import ApiError, Reason, invalid
from arena.rpc.identity import BotIdentity, Operator, caller
from arena.services.acting import acting_bot, is_callers
from arena.services.moments import moment
from arena.services.requests import page_of, required
from arena.services.watching import Spectators
from arena.store import Match, Scope, Store
from arena.stream.hub import BotLocator
from core_ext import VARIANTS, State, variant_info
from core_ext.errors import CoreError
from hanafuda.arena.v1 import match_pb2, match_pb2_grpc

_DEFAULT_TIME = TimeControl()
_PLACE_RETRY_S = 5.0
_LEAGUE_RETRY_S = 60.0
_MAX_COVER_MS = 10_000

WatchContext = ServicerContext[match_pb2.WatchMatchRequest, match_pb2.WatchMatchResponse]


class MatchServicer(match_pb2_grpc.MatchServiceServicer):
    """Matches outside leagues."""

    def __init__(
        self,
        store: Store,
        locator: BotLocator,
        spectators: Spectators,
        limits: ChallengeLimits,
    ) -> None:
        self._limits = limits
        self._store = store
        self._league_places = LeaguePlaces(store)
        self._locator = locator
        self._spectators = spectators

    async def CreateMatch(
        self, request: match_pb2.CreateMatchRequest, context: object
    ) -> match_pb2.CreateMatchResponse:
        """Create a challenge.

        INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT, NOT_YOUR_MATCH, BOT_NOT_CONNECTED, VARIANT_NOT_PLAYED,
        CHALLENGE_REFUSED, BOT_BUSY, CHALLENGE_LIMIT.
        """
        spec = spec_of(request, self._limits)
        callers_bot = await acting_bot(self._store.bots, request.bot)
        if callers_bot not in spec.names:
            raise ApiError(Reason.NOT_YOUR_MATCH, "one of the bots has to be your own")
        sources = [await self._source(text) for text in request.bots]
        versions = tuple(source.version if isinstance(source, SubmittedBot) else "" for source in sources)
        spec = msgspec.structs.replace(spec, versions=versions if any(versions) else ())
        submitted = [source for source in sources if isinstance(source, SubmittedBot)]
        manifests: dict[Source, Manifest] = {
            source: (await record_of(self._store, source)).manifest for source in submitted
        }
        places = {}
        for name, source in zip(spec.names, sources, strict=True):
            if source in manifests:
                places[name] = await self._places_of_version(name, callers_bot, spec, manifests[source])
            elif not isinstance(source, HouseBot):
                places[name] = await self._places(name, callers_bot, spec)
        bots = tuple(
            str(played) if played in manifests else name for name, played in zip(spec.names, sources, strict=True)
        )
        # Shielded, in case the caller does not wait: a match that is half made would keep its places.
        match = await asyncio.shield(
            queue_match(
                self._store,
                spec,
                wire.seed_commitment(spec.seed),
                bots=bots,
                owner=caller.get().share,
                limits=self._limits,
                places=places,
                runtimes={manifest.runtime for manifest in manifests.values()},
            )
        )
        return match_pb2.CreateMatchResponse(match=await match_message(self._store, match))

    async def DeleteMatch(
        self, request: match_pb2.DeleteMatchRequest, context: object
    ) -> match_pb2.DeleteMatchResponse:
        """Delete a match that the caller's owner asked for. UNKNOWN_MATCH, NOT_YOUR_MATCH, MATCH_RUNNING."""
        match = await self._store.matches.get(required("match_id", request.match_id))
        if not (isinstance(caller.get(), Operator) or match.owner == caller.get().share):
            raise ApiError(Reason.NOT_YOUR_MATCH, "a match is deleted by the owner who asked for it")
        await asyncio.shield(self._store.matches.delete(match.id))
        return match_pb2.DeleteMatchResponse()

    async def GetMatch(self, request: match_pb2.GetMatchRequest, context: object) -> match_pb2.GetMatchResponse:
        """Return a match. UNKNOWN_MATCH."""
        match = await self._store.matches.get(required("match_id", request.match_id))
        return match_pb2.GetMatchResponse(match=await match_message(self._store, match))

    async def ListMatches(
        self, request: match_pb2.ListMatchesRequest, context: object
    ) -> match_pb2.ListMatchesResponse:
        """List all single matches, the oldest first."""
        after, size = page_of(request)
        page = await self._store.matches.list(after=after, limit=size)
        matches = await asyncio.gather(*(match_message(self._store, match) for match in page.items))
        return match_pb2.ListMatchesResponse(matches=matches, next_page_token=page.next)

    async def WatchMatch(  # type: ignore[override]  # it writes, it is no iterator
        self, request: match_pb2.WatchMatchRequest, context: WatchContext
    ) -> None:
        """Stream the public events of a match from its beginning to its end; of one that is over, its end alone.

        UNKNOWN_MATCH, MATCH_PARKED, SHUTTING_DOWN. Matches of leagues are no single matches, and unknown here.
        """
        match = await self._store.matches.get(required("match_id", request.match_id))
        result = _result(match)
        if result is None:
            await self._spectators.show(match.id, context.write)
        else:
            await context.write(match_pb2.WatchMatchResponse(match_end=wire.match_end(match.id, result)))

    async def _source(self, text: str) -> Source:
        """Return the bot that a challenge names: of a submitted one that is not connected, a version.

        Raises ApiError INVALID_REQUEST and CHALLENGE_REFUSED, UnknownBotError, UnknownVersionError.
        """
        source = parse_source(text)
        if isinstance(source, SubmittedBot) and not is_callers(await self._store.bots.get(source.name)):
            text = f"bot {source.name} is challenged by its name alone: which version of it plays is up to its owner"
            raise ApiError(Reason.CHALLENGE_REFUSED, text, metadata={"bot": source.name})
        if isinstance(source, RegisteredBot) and self._locator.find(source.name) is not None:
            return source
        try:
            return await resolve(self._store, source)
        except EntryError as error:
            raise invalid(bots=str(error)) from error

    async def _places_of_version(self, name: str, callers_bot: str, spec: MatchSpec, manifest: Manifest) -> int:
        """Return how many matches at once a submitted bot may play: each has a process of its own."""
        try:
            check_plays(name, [spec.variant], manifest.variants)
        except NotPlayedError as error:
            raise ApiError(Reason.VARIANT_NOT_PLAYED, str(error), metadata={"bot": name}) from error
        if name != callers_bot:
            await self._check_consent(name, callers_bot)
        return self._limits.open

    async def _places(self, name: str, callers_bot: str, spec: MatchSpec) -> int:
        """Return how many single matches at once a bot of the challenge may play.

        Raises ApiError where it may play none.

        While it plays in a league, one of its places is kept for that.
        """
        bot, about = self._locator.find(name), {"bot": name}
        if bot is None:
            text = f"bot {name} is not connected, and has no active version that the arena could start"
            raise ApiError(Reason.BOT_NOT_CONNECTED, text, metadata=about)
        if not bot.plays(spec.variant):
            raise ApiError(Reason.VARIANT_NOT_PLAYED, f"bot {name} does not play {spec.variant}", metadata=about)
        if not bot.places:
            text = f"bot {name} plays as many matches as it takes; try again when one of them is over"
            raise ApiError(Reason.BOT_BUSY, text, metadata=about, retry_s=_PLACE_RETRY_S)
        if name != callers_bot:
            await self._check_consent(name, callers_bot)
        league = await self._league_places.league_of(name)
        places = bot.max_matches - bool(league)
        if places < 1:
            text = f"bot {name} takes one match at once, and plays in league {league}, which comes first"
            raise ApiError(Reason.BOT_BUSY, text, metadata=about, retry_s=_LEAGUE_RETRY_S)
        return places

    async def _check_consent(self, name: str, callers_bot: str) -> None:
        """Check that the bot takes challenges of the `callers_bot`. Raises ApiError CHALLENGE_REFUSED."""
        challenges = await self._store.bots.challenges(name)
        if challenges is Challenges.ANYONE:
            return
        owner = (await self._store.bots.get(name)).owner
        if challenges is Challenges.NONE or BotIdentity(name, owner).share != caller.get().share:
            whose = "none" if challenges is Challenges.NONE else "those of its owner's bots only"
            text = f"bot {name} takes no challenge of {callers_bot}: it takes {whose}"
            raise ApiError(Reason.CHALLENGE_REFUSED, text, metadata={"bot": name, "challenges": challenges})


async def match_message(store: Store, match: Match) -> match_pb2.Match:
    """Return what everybody may know of a match: not its seed."""
    spec, result = msgspec.msgpack.decode(match.about, type=MatchSpec), _result(match)
    if result is not None:
        status = match_pb2.MATCH_STATUS_OVER
    elif (await store.stalled.parked(Scope.match(match.id), limit=1)).items:
        status = match_pb2.MATCH_STATUS_PARKED
    else:
        status = match_pb2.MATCH_STATUS_RUNNING
    return match_pb2.Match(
        match_id=spec.match_id,
        variant=spec.variant,
        options=wire.options_to_wire(spec.variant, spec.options),
        bots=spec.names,
        time_control=wire.time_to_wire(spec.time),
        policy=wire.POLICY_TO_WIRE[spec.policy],
        status=status,
        seed_commitment=bytes.fromhex(match.commitment),
        created_at=moment(match.created_us),
        end=None if result is None else wire.match_end(spec.match_id, result),
        replay_id="" if result is None else match.id,
    )


def spec_of(request: match_pb2.CreateMatchRequest, limits: ChallengeLimits) -> MatchSpec:
    """Return a challenge as a match to be played, its seed drawn here.

    Raises ApiError INVALID_REQUEST, naming the field.
    """
    if request.variant not in VARIANTS:
        raise invalid(variant=f"no variant {request.variant!r}; this arena plays {', '.join(VARIANTS)}")
    least, highest, _ = variant_info(request.variant).seats
    if not least <= len(request.bots) <= highest:
        wanted = str(least) if least == highest else f"{least} to {highest}"
        raise invalid(bots=f"{request.variant} is played by {wanted} bots, not {len(request.bots)}")
    for name in request.bots:
        _check_name(name)
    names = tuple(name.partition("@")[0] for name in request.bots)
    if len(set(names)) < len(names):
        raise invalid(bots="a bot has one seat in a match: it would see its own other hand")
    try:
        options = wire.options_from_wire(request.options)
    except wire.WireError as error:
        raise invalid(options=str(error)) from error
    if request.policy not in (match_pb2.POLICY_UNSPECIFIED, *wire.POLICY_FROM_WIRE):
        raise invalid(policy=f"no policy {request.policy}")
    if request.cover_ms > _MAX_COVER_MS:
        raise invalid(cover_ms=f"at most {_MAX_COVER_MS} ms, not {request.cover_ms}")
    spec = MatchSpec(
        match_id=secrets.token_hex(8),
        variant=request.variant,
        seed=secrets.token_bytes(32),
        names=names,
        options=options,
        time=_time_of(request, limits),
        policy=wire.POLICY_FROM_WIRE.get(request.policy, Policy.STRICT),
        cover_ms=request.cover_ms,
        declinable=True,
    )
    try:
        State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    except CoreError as error:
        raise invalid(options=str(error)) from error
    return spec


def _check_name(name: str) -> None:
    """Whether a bot may be named so: a registered one, a version, or a house bot. Raises ApiError INVALID_REQUEST."""
    if names_a_path(name) and not name.startswith(HOUSE):
        raise invalid(bots=f"{name!r} cannot be challenged: a name of this form is read as a path")
    try:
        parse_source(name)
    except BotSourceError as error:
        raise invalid(bots=str(error)) from error


def _time_of(request: match_pb2.CreateMatchRequest, limits: ChallengeLimits) -> TimeControl:
    if not request.HasField("time_control"):
        return TimeControl(
            min(_DEFAULT_TIME.per_decision_ms, limits.clock_ms), min(_DEFAULT_TIME.bank_ms, limits.bank_ms)
        )
    wanted = request.time_control
    for field, longest in (("per_decision_ms", limits.clock_ms), ("bank_ms", limits.bank_ms)):
        if getattr(wanted, field) > longest:
            raise ApiError(
                Reason.INVALID_REQUEST,
                f"time_control.{field} is above {longest}, the most that this arena gives a challenge",
                fields={f"time_control.{field}": f"at most {longest}"},
            )
    try:
        return wire.time_from_wire(wanted)
    except ValueError as error:
        raise invalid(time_control=str(error)) from error


def _result(match: Match) -> MatchResult | None:
    return None if match.result is None else msgspec.json.decode(match.result, type=MatchResult)
