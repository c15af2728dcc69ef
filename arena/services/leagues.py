"""The leagues service."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from arena.launcher.errors import BotSourceError
from arena.launcher.sources import RegisteredBot, Source, SubmittedBot, parse_source
from arena.league.errors import NonceError
from arena.league.estimates import Interval
from arena.league.spec import Division, LuckValue
from arena.league.table_row import COLUMNS, sources
from arena.league.tables import DivisionTable, json_document
from arena.league.values import MatchOutcome, RoundPlan
from arena.names import is_season
from arena.organizer.entries import enter, player_of, reveal
from arena.organizer.errors import EntryError, NotPlayedError
from arena.organizer.known_luck import known_luck
from arena.organizer.steps import Tables, spec_of
from arena.organizer.versions import EnteredVersion, entered_versions
from arena.rpc.errors import ApiError, Reason, invalid
from arena.services.acting import acting_bot
from arena.services.moments import moment
from arena.services.requests import page_of, required
from arena.signatures import Signed, SigningKey, table_payload
from arena.store import DivisionState, EntryRecord, League, LeagueState, Scope, Store
from arena.store.errors import NotEnteredError, WithdrawnError
from arena.stream.hub import Hub
from hanafuda.arena.v1 import league_pb2, league_pb2_grpc, signature_pb2

_TIE_BREAKS = "tie_breaks."
_BOARD_SETS = {"mirror": league_pb2.BOARD_SETS_MIRROR, "field": league_pb2.BOARD_SETS_FIELD}


class LeagueServicer(league_pb2_grpc.LeagueServiceServicer):
    """What leagues there are, who enters, and how they stand."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._tables = Tables(store)

    async def GetLeague(self, request: league_pb2.GetLeagueRequest, context: object) -> league_pb2.GetLeagueResponse:
        """Return a league with its entrants. UNKNOWN_LEAGUE."""
        name = required("name", request.name)
        league = await league_message(self._store, await self._store.leagues.get(name))
        league.entrants.extend(await entrant_messages(self._store, await self._store.leagues.entrants(name)))
        return league_pb2.GetLeagueResponse(league=league)

    async def ListLeagues(
        self, request: league_pb2.ListLeaguesRequest, context: object
    ) -> league_pb2.ListLeaguesResponse:
        """List all leagues by name, without their entrants."""
        after, size = page_of(request)
        page = await self._store.leagues.list(after=after, limit=size)
        leagues = await asyncio.gather(*(league_message(self._store, league) for league in page.items))
        return league_pb2.ListLeaguesResponse(leagues=leagues, next_page_token=page.next)

    async def GetLeagueTable(
        self, request: league_pb2.GetLeagueTableRequest, context: object
    ) -> league_pb2.GetLeagueTableResponse:
        """Return a league's tables after its complete rounds. UNKNOWN_LEAGUE."""
        name = required("name", request.name)
        table = await self._tables.of(await self._store.leagues.get(name))
        versions = await entered_versions(self._store, await self._store.leagues.entrants(name))
        document = json_document(table)
        signature = SigningKey(await self._store.signing_secret()).sign(Signed.TABLE, table_payload(name, document))
        return league_pb2.GetLeagueTableResponse(
            divisions=[division_message(division, versions) for division in table.divisions],
            all_round=[
                league_pb2.AllRoundRow(
                    rank=row.rank,
                    bot=row.name,
                    points=row.points,
                    divisions=row.divisions,
                    rating=estimate(Interval.of_rating(table.ratings.get(row.name))),
                )
                for row in table.all_round
            ],
            document=document,
            signature=signature_pb2.Signature(key=signature.key, value=signature.value),
        )

    async def GetRoundLuck(
        self, request: league_pb2.GetRoundLuckRequest, context: object
    ) -> league_pb2.GetRoundLuckResponse:
        """Return the luck of a round's matches as far as it is known. UNKNOWN_LEAGUE, INVALID_REQUEST."""
        name, variant = required("league", request.league), required("variant", request.variant)
        spec = spec_of(await self._store.leagues.get(name))
        if variant not in spec.variants:
            raise invalid(variant=f"league {name!r} has no division of {variant!r}")
        value = spec.division(variant).luck_value
        if value is None:
            raise invalid(league=f"the division of {variant} has defined no value by which luck could be measured")
        raw = (await self._store.leagues.plans(name, variant)).get(request.round)
        if raw is None:
            raise invalid(round=f"there is no round {request.round}")
        plan = msgspec.json.decode(raw, type=RoundPlan)
        luck = await known_luck(self._store, name, variant, value, [plan])
        results = await self._store.leagues.results(name, variant, plan.number)
        response = league_pb2.GetRoundLuckResponse(missing=max(0, len(results) - len(luck)))
        for table in plan.tables:
            for match_name, match in table.named():
                if match in luck:
                    outcome = msgspec.json.decode(results[match_name], type=MatchOutcome)
                    response.matches.add(
                        match_id=f"{name}.{variant}.r{plan.number}.{match_name}",
                        bots=match.seating,
                        margins=[margin / outcome.parts for margin in outcome.margins],
                        luck=luck[match],
                    )
        return response

    async def EnterLeague(
        self, request: league_pb2.EnterLeagueRequest, context: object
    ) -> league_pb2.EnterLeagueResponse:
        """Enter the caller's bot under its own name; a submitted one with the named version, or its active one.

        UNKNOWN_LEAGUE, INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT, UNKNOWN_VERSION, VARIANT_NOT_PLAYED, ENTRY_REFUSED,
        ALREADY_ENTERED, LEAGUE_CLOSED.
        """
        if request.nonce:
            raise invalid(nonce="a nonce is committed to when a bot enters: give nonce_commitment")
        league = await self._store.leagues.get(required("league", request.league))
        bot = await acting_bot(self._store.bots, request.bot)
        connected = self._hub.find(bot)
        try:
            entrant, new = await enter(
                self._store,
                league,
                source_of(bot, request.version),
                bot,
                variants=request.variants,
                commitment=request.nonce_commitment,
                declared=None if connected is None else connected.variants,
            )
        except NotPlayedError as error:
            about = {"bot": bot, "variant": error.variant, "plays": ",".join(error.plays)}
            raise ApiError(Reason.VARIANT_NOT_PLAYED, str(error), metadata=about) from error
        except EntryError as error:
            raise ApiError(Reason.ENTRY_REFUSED, str(error)) from error
        [entered] = await entrant_messages(self._store, [entrant])
        return league_pb2.EnterLeagueResponse(entrant=entered, already_entered=not new, late=league.state != "open")

    async def RevealNonce(
        self, request: league_pb2.RevealNonceRequest, context: object
    ) -> league_pb2.RevealNonceResponse:
        """Keep the nonce to which the caller's bot committed; it is public from then on.

        UNKNOWN_LEAGUE, INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT, NOT_ENTERED, LEAGUE_CLOSED.
        """
        name, bot = required("league", request.league), await acting_bot(self._store.bots, request.bot)
        try:
            entrant = await reveal(self._store, name, bot, request.nonce)
        except NonceError as error:
            raise invalid(nonce=str(error)) from error
        [revealed] = await entrant_messages(self._store, [entrant])
        return league_pb2.RevealNonceResponse(entrant=revealed)

    async def WithdrawFromLeague(
        self, request: league_pb2.WithdrawFromLeagueRequest, context: object
    ) -> league_pb2.WithdrawFromLeagueResponse:
        """Withdraw all entries of the caller's bot, whatever their names.

        UNKNOWN_LEAGUE, NOT_YOUR_BOT, UNKNOWN_BOT, NOT_ENTERED, LEAGUE_CLOSED, ENTRY_REFUSED.
        """
        name, bot = required("league", request.league), await acting_bot(self._store.bots, request.bot)
        if is_season(name):
            raise ApiError(Reason.ENTRY_REFUSED, f"{name} is a season of a ladder: a bot leaves by LeaveLadder")
        entrants = await self._store.leagues.entrants(name)
        entered = [entrant for entrant in entrants if player_of(entrant).bot == bot]
        if not entered:
            await self._store.leagues.get(name)
            raise NotEnteredError(name, bot)
        withdrawn = []
        for entrant in entered:
            try:
                await self._store.leagues.withdraw(name, entrant.bot)
            except WithdrawnError:
                continue
            withdrawn.append(entrant)
        if not withdrawn:
            raise WithdrawnError(name, bot)
        return league_pb2.WithdrawFromLeagueResponse(entrants=await entrant_messages(self._store, withdrawn))


async def league_message(store: Store, league: League) -> league_pb2.League:
    """Return a league without its entrants."""
    spec = spec_of(league)
    return league_pb2.League(
        name=league.name,
        status=_status(league.state),
        divisions=[await _division(store, league, state, spec.division(state.variant)) for state in league.divisions],
        commitment=bytes.fromhex(league.commitment),
        secret=league.secret or b"",
        test=league.test,
        entropy=league.entropy,
        beacon_round=spec.beacon_round or 0,
        beacon_signature=league.beacon,
        entries_close_at=moment(league.closed_us) if league.closed_us else None,
    )


async def entrant_messages(store: Store, entries: Sequence[EntryRecord]) -> list[league_pb2.LeagueEntrant]:
    """Entrants of a league, with the versions that play."""
    versions = await entered_versions(store, entries)
    return [_entrant(entry, versions.get(entry.bot)) for entry in entries]


async def _division(
    store: Store, league: League, state: DivisionState, division: Division
) -> league_pb2.LeagueDivision:
    scope = Scope.league(league.name, state.variant)
    parked = await store.stalled.parked(scope)
    return league_pb2.LeagueDivision(
        variant=state.variant,
        status=_status(state.state),
        seats=division.seats,
        board_sets=_BOARD_SETS[division.board_sets],
        rounds=state.rounds,
        round=state.round,
        boards=division.boards,
        round_matches=state.matches,
        round_matches_left=state.outstanding,
        matches_played=state.played,
        matches_parked=len(parked.items),
        bracket=division.bracket or 0,
        waits_for=await store.stalled.waits_for(scope),
        luck_value=_luck_value(division.luck_value),
    )


def _luck_value(value: LuckValue | None) -> league_pb2.LuckValue | None:
    return None if value is None else league_pb2.LuckValue(name=value.name, sha256=value.sha256)


def _status(state: LeagueState) -> league_pb2.LeagueStatus.ValueType:
    return league_pb2.LeagueStatus.Value(f"LEAGUE_STATUS_{state.upper()}")


def source_of(bot: str, version: str) -> Source:
    """Return what enters of a bot: the named version of a submitted one, or the bot as it is. INVALID_REQUEST."""
    try:
        return parse_source(str(SubmittedBot(bot, version))) if version else RegisteredBot(bot)
    except BotSourceError as error:
        raise invalid(version=str(error)) from error


def _entrant(entrant: EntryRecord, played: EnteredVersion | None) -> league_pb2.LeagueEntrant:
    return league_pb2.LeagueEntrant(
        name=entrant.bot,
        variants=entrant.variants,
        version=played.version if played else "",
        reproducible=played.reproducible if played else False,
        nonce_commitment=entrant.commitment,
        nonce=entrant.nonce,
    )


def division_message(table: DivisionTable, versions: Mapping[str, EnteredVersion]) -> league_pb2.DivisionTable:
    """Return a table with the columns that have a place on the wire; `versions` are those of submitted bots."""
    message = league_pb2.DivisionTable(variant=table.variant, rounds_complete=table.rounds, parts=table.parts)
    if table.adjusted is not msgspec.UNSET:
        value, factor = _luck_value(table.adjusted.value), table.adjusted.factor
        about = league_pb2.AdjustedMargins(value=value, rounds=table.adjusted.rounds, factor=factor)
        message.adjusted.CopyFrom(about)
    for source in sources(table):
        row = message.rows.add(version=versions[source.bot].version if source.bot in versions else "")
        for column in COLUMNS:
            value = column.raw_value(source)
            if not column.wire or value is None:
                continue
            if column.wire.startswith(_TIE_BREAKS):
                row.tie_breaks[column.wire.removeprefix(_TIE_BREAKS)] = value
            elif isinstance(value, Interval):
                getattr(row, column.wire).CopyFrom(estimate(value))
            else:
                setattr(row, column.wire, value)
    return message


def estimate(interval: Interval | None) -> league_pb2.Estimate | None:
    """Return an estimate with its error bars, where there is one."""
    return None if interval is None else league_pb2.Estimate(**msgspec.structs.asdict(interval))
