"""What the services of a node read and write: single matches and leagues, as the store keeps them."""

import msgspec

from arena import wire
from arena.referee.model import MatchResult, MatchSpec
from arena.server.leagues import Leagues
from arena.server.matches import Matches, MatchRecord
from arena.store import JobQueue, League, Match, Scope, Store
from arena.worker.league import MatchJob, spec_of, table_of
from hanafuda.arena.v1 import league_pb2

_STATUS = {
    "open": league_pb2.LEAGUE_STATUS_OPEN,
    "running": league_pb2.LEAGUE_STATUS_RUNNING,
    "finished": league_pb2.LEAGUE_STATUS_FINISHED,
}
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

    def __init__(self, store: Store, jobs: JobQueue) -> None:
        self._store = store
        self._jobs = jobs

    async def get(self, name: str) -> league_pb2.League:
        """A league; UnknownLeagueError."""
        return await self._message(await self._store.leagues.get(name))

    async def list(self, after: str, limit: int) -> Leagues:
        """Leagues by name; InvalidCursorError."""
        page = await self._store.leagues.list(after=after, limit=limit)
        return Leagues([await self._message(league) for league in page.items], page.next)

    async def table(self, name: str) -> league_pb2.GetLeagueTableResponse:
        """The table after the complete rounds; UnknownLeagueError."""
        table = await table_of(self._store, await self._store.leagues.get(name))
        response = league_pb2.GetLeagueTableResponse(rounds_complete=table.rounds)
        for row in table.standings:
            margin = table.margins.get(row.name)
            response.rows.add(
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
                mean_margin=margin.mean if margin is not None else None,
                margin_low=margin.low if margin is not None else None,
                margin_high=margin.high if margin is not None else None,
                matches=row.played,
                forfeits=row.forfeits,
                byes=row.byes,
            )
        return response

    async def _message(self, league: League) -> league_pb2.League:
        spec = spec_of(league)
        division = spec.division()
        parked = await self._jobs.parked(Scope.league(league.name))
        return league_pb2.League(
            name=league.name,
            variant=division.variant,
            status=_STATUS[league.state],
            rounds=division.rounds,
            round=league.round,
            boards=division.boards,
            entrants=[entrant.bot for entrant in await self._store.leagues.entrants(league.name)],
            commitment=bytes.fromhex(league.commitment),
            secret=league.secret or b"",
            test=league.test,
            matches_played=league.played,
            matches_parked=len(parked.items),
        )
