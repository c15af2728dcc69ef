"""What the services of a node read and write: single matches and leagues, as the store keeps them."""

from collections.abc import Sequence

import msgspec

from arena import wire
from arena.launcher.sources import RegisteredBot
from arena.league.ratings import Rating
from arena.league.spec import Division
from arena.league.tables import DivisionTable, table_document
from arena.match.model import MatchResult, MatchSpec
from arena.organizer.entries import Player, enter
from arena.organizer.errors import EntryError, NotPlayedError
from arena.organizer.steps import MatchJob, Tables, spec_of
from arena.rpc.errors import ApiError, Reason
from arena.services.leagues import Leagues
from arena.services.matches import Matches, MatchRecord
from arena.signatures import Signed, SigningKey, table_payload
from arena.store import DivisionState, EntryRecord, JobQueue, League, Match, Scope, Store
from arena.store.errors import NotEnteredError, WithdrawnError
from arena.stream.hub import Hub
from hanafuda.arena.v1 import league_pb2, signature_pb2

_STATUS = {
    "open": league_pb2.LEAGUE_STATUS_OPEN,
    "running": league_pb2.LEAGUE_STATUS_RUNNING,
    "paused": league_pb2.LEAGUE_STATUS_PAUSED,
    "cancelled": league_pb2.LEAGUE_STATUS_CANCELLED,
    "finished": league_pb2.LEAGUE_STATUS_FINISHED,
}
_BOARD_SETS = {"mirror": league_pb2.BOARD_SETS_MIRROR, "field": league_pb2.BOARD_SETS_FIELD}
_UNPUBLISHED = b""


class StoredMatches:
    """Single matches in the store: queued for the workers, and what became of them. A `MatchBook`."""

    def __init__(self, store: Store, jobs: JobQueue) -> None:
        self._store = store
        self._jobs = jobs

    async def create(self, spec: MatchSpec) -> MatchRecord:
        """Have a match of registered bots played. The seed goes to the worker alone."""
        job = MatchJob(spec, spec.names)
        public = msgspec.structs.replace(spec, seed=_UNPUBLISHED)
        match = await self._store.matches.create(
            spec.match_id,
            bots=spec.names,
            payload=msgspec.msgpack.encode(job),
            commitment=wire.seed_commitment(spec.seed).hex(),
            about=msgspec.msgpack.encode(public),
        )
        return await self._record(match)

    async def get(self, match_id: str) -> MatchRecord:
        """A match; UnknownMatchError."""
        return await self._record(await self._store.matches.get(match_id))

    async def list(self, after: str, limit: int) -> Matches:
        """Matches in the order of their creation; InvalidCursorError."""
        page = await self._store.matches.list(after=after, limit=limit)
        return Matches([await self._record(match) for match in page.items], page.next)

    async def _record(self, match: Match) -> MatchRecord:
        over = match.result is not None
        return MatchRecord(
            spec=msgspec.msgpack.decode(match.about, type=MatchSpec),
            commitment=bytes.fromhex(match.commitment),
            created_us=match.created_us,
            status="over" if over else "parked" if await self._is_parked(match) else "running",
            result=msgspec.json.decode(match.result, type=MatchResult) if match.result is not None else None,
            replay_id=match.id if over else "",
        )

    async def _is_parked(self, match: Match) -> bool:
        return bool((await self._jobs.parked(Scope.match(match.id), limit=1)).items)


class StoredLeagues:
    """Leagues in the store, as messages. A `LeagueBook`."""

    def __init__(self, store: Store, jobs: JobQueue, hub: Hub, signing_key: SigningKey) -> None:
        self._store = store
        self._jobs = jobs
        self._hub = hub
        self._signing_key = signing_key
        self._tables = Tables(store)

    async def get(self, name: str) -> league_pb2.League:
        """A league with its entrants; UnknownLeagueError."""
        message = await self._message(await self._store.leagues.get(name))
        message.entrants.extend(_entrant(one) for one in await self._store.leagues.entrants(name))
        return message

    async def list(self, after: str, limit: int) -> Leagues:
        """Leagues by name, without their entrants; InvalidCursorError."""
        page = await self._store.leagues.list(after=after, limit=limit)
        return Leagues([await self._message(league) for league in page.items], page.next)

    async def table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        """The tables after the complete rounds; UnknownLeagueError."""
        table = await self._tables.of(await self._store.leagues.get(name))
        document = table_document(table)
        signature = self._signing_key.sign(Signed.TABLE, table_payload(name, document))
        return league_pb2.GetLeagueTableResponse(
            divisions=[_division_table(division) for division in table.divisions],
            all_round=[
                league_pb2.AllRoundRow(
                    rank=row.rank,
                    bot=row.name,
                    points=row.points,
                    divisions=row.divisions,
                    rating=_rating(table.ratings.get(row.name)),
                )
                for row in table.all_round
            ],
            document=document,
            signature=signature_pb2.Signature(key=signature.key, value=signature.value),
        )

    async def enter(self, name: str, bot: str, variants: Sequence[str], nonce: str) -> league_pb2.LeagueEntrant:
        """A registered bot enters under its own name; ApiError, and what the store raises."""
        league = await self._store.leagues.get(name)
        said = self._hub.about(bot)[1] if self._hub.connected(bot) else None
        source = RegisteredBot(bot)
        try:
            entrant, _ = await enter(self._store, league, source, bot, variants=variants, nonce=nonce, said=said)
        except NotPlayedError as error:
            about = {"bot": bot, "variant": error.variant, "plays": ",".join(error.plays)}
            raise ApiError(Reason.VARIANT_NOT_PLAYED, str(error), metadata=about) from error
        except EntryError as error:
            raise ApiError(Reason.ENTRY_REFUSED, str(error)) from error
        return _entrant(entrant)

    async def withdraw(self, name: str, bot: str) -> Sequence[league_pb2.LeagueEntrant]:
        """All entries of a registered bot leave, under whatever name; what the store raises."""
        entrants = await self._store.leagues.entrants(name)
        own = [one for one in entrants if msgspec.msgpack.decode(one.payload, type=Player).bot == bot]
        if not own:
            await self._store.leagues.get(name)
            raise NotEnteredError(name, bot)
        withdrawn = []
        for one in own:
            try:
                await self._store.leagues.withdraw(name, one.bot)
            except WithdrawnError:
                continue
            withdrawn.append(_entrant(one))
        if not withdrawn:
            raise WithdrawnError(name, bot)
        return withdrawn

    async def _message(self, league: League) -> league_pb2.League:
        spec = spec_of(league)
        return league_pb2.League(
            name=league.name,
            status=_STATUS[league.state],
            divisions=[await self._division(league, state, spec.division(state.variant)) for state in league.divisions],
            commitment=bytes.fromhex(league.commitment),
            secret=league.secret or b"",
            test=league.test,
        )

    async def _division(self, league: League, state: DivisionState, division: Division) -> league_pb2.LeagueDivision:
        parked = await self._jobs.parked(Scope.league(league.name, state.variant))
        return league_pb2.LeagueDivision(
            variant=state.variant,
            status=_STATUS[state.state],
            seats=division.seats,
            board_sets=_BOARD_SETS[division.board_sets],
            rounds=state.rounds,
            round=state.round,
            boards=division.boards,
            round_matches=state.matches,
            round_matches_left=state.outstanding,
            matches_played=state.played,
            matches_parked=len(parked.items),
        )


def _entrant(entrant: EntryRecord) -> league_pb2.LeagueEntrant:
    return league_pb2.LeagueEntrant(name=entrant.bot, variants=entrant.variants)


def _division_table(table: DivisionTable) -> league_pb2.DivisionTable:
    message = league_pb2.DivisionTable(variant=table.variant, rounds_complete=table.rounds, parts=table.parts)
    for row in table.standings:
        margin = table.margins.get(row.name)
        message.rows.add(
            rank=row.rank,
            bot=row.name,
            match_points=row.match_points,
            game_points=row.game_points,
            tie_breaks={
                "buchholz_cut_1": row.buchholz_cut_1,
                "buchholz": row.buchholz,
                "sonneborn_berger": row.sonneborn_berger,
                "direct_encounter": row.direct_encounter,
                "margin": row.margin,
            },
            margin=None if margin is None else league_pb2.Estimate(value=margin.mean, low=margin.low, high=margin.high),
            matches=row.played,
            forfeits=row.forfeits,
            byes=row.byes,
            rating=_rating(table.ratings.get(row.name)),
        )
    return message


def _rating(rating: Rating | None) -> league_pb2.Estimate | None:
    return None if rating is None else league_pb2.Estimate(value=rating.mu, low=rating.low, high=rating.high)
