"""The step of a league, between the store and the league's pure functions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase

import msgspec

from arena.league.boards import board_seed, entropy
from arena.league.results import score_match
from arena.league.rounds import next_round
from arena.league.spec import Division, LeagueSpec
from arena.league.tables import DivisionTable, division_table
from arena.league.values import Entrant, Finished, MatchOutcome, MatchPlan, PlayedRound, RoundPlan, TablePlan
from arena.referee.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.store import Job, JobQueue, League, MatchWork, Scope, StepWork, Store
from arena.worker.entries import Player


class MatchJob(msgspec.Struct, frozen=True):
    """What a node needs to play one match: `bots` are as entries name them, `plan` is there for a league's match."""

    spec: MatchSpec
    bots: tuple[str, ...]
    plan: MatchPlan | None = None


def spec_of(league: League) -> LeagueSpec:
    """The league as its owner described it."""
    return msgspec.json.decode(league.config, type=LeagueSpec)


async def played_rounds(store: Store, name: str) -> list[PlayedRound]:
    """The rounds of a league that are complete, in order."""
    rounds = []
    for number, plan in (await store.leagues.plans(name)).items():
        planned = msgspec.json.decode(plan, type=RoundPlan)
        results = await store.leagues.results(name, number)
        if len(results) < len(planned.matches):
            break
        rounds.append(planned.close(tuple(msgspec.json.decode(one, type=MatchOutcome) for one in results.values())))
    return rounds


async def retry_parked(jobs: JobQueue, name: str) -> None:
    """Queue again the jobs of a league that were given up: whoever runs it again has looked at what was wrong."""
    after = ""
    while True:
        page = await jobs.parked(Scope.league(name), after=after)
        for parked in page.items:
            await jobs.requeue(parked)
        if not page.next:
            return
        after = page.next


async def table_of(store: Store, league: League) -> DivisionTable:
    """The league's table after its complete rounds."""
    spec = spec_of(league)
    entrants = [Entrant(one.bot) for one in await store.leagues.entrants(league.name)]
    return division_table(spec, spec.division(), entrants, await played_rounds(store, league.name))


async def step(store: Store, jobs: JobQueue, job: Job) -> None:
    """Pair the round that the job asks for and queue its matches, or finish the league."""
    assert isinstance(job.work, StepWork)
    name = job.scope.name
    league = await store.leagues.get(name)
    spec = spec_of(league)
    division = spec.division()
    entered = await store.leagues.entrants(name)
    entrants = [Entrant(one.bot) for one in entered]
    rounds = (await played_rounds(store, name))[: job.work.round - 1]
    plan = next_round(spec, division, entrants, rounds)
    if isinstance(plan, Finished):
        await jobs.commit_finish(job, msgspec.json.encode(division_table(spec, division, entrants, rounds)))
        return
    round_ = _Round(
        spec,
        division,
        await store.leagues.secret(name),
        league.entropy or entropy({one.bot: one.nonce for one in entered if one.nonce}),
        {one.bot: msgspec.msgpack.decode(one.payload, type=Player) for one in entered},
    )
    on_board = Counter(match.board for match in plan.matches)
    works = [
        round_.work(match, turn, on_board[match.board]) for table in plan.tables for turn, match in _with_turns(table)
    ]
    await jobs.commit_round(job, msgspec.json.encode(plan), works, entropy=round_.entropy)


def outcome_of(plan: MatchPlan, result: MatchResult) -> bytes:
    """A match's result as the league counts it."""
    forfeiter = None if result.offender < 0 else result.offender
    score = score_match(result.results, forfeiter)
    return msgspec.json.encode(
        MatchOutcome(
            round=plan.round,
            table=plan.table,
            board=plan.board,
            seating=plan.seating,
            half_points=score.half_points,
            margins=score.margins,
            end=result.end.value,
            forfeiter=None if forfeiter is None else plan.seating[forfeiter],
        )
    )


def _with_turns(table: TablePlan) -> Iterator[tuple[str, MatchPlan]]:
    """The matches of a table, each with its place in its board set as a letter."""
    turns: Counter[int] = Counter()
    for plan in table.matches:
        yield ascii_lowercase[turns[plan.board]], plan
        turns[plan.board] += 1


@dataclass(frozen=True)
class _Round:
    """What turns a planned match into a job."""

    spec: LeagueSpec
    division: Division
    secret: bytes
    entropy: str
    players: dict[str, Player]

    def work(self, plan: MatchPlan, turn: str, board_matches: int) -> MatchWork:
        spec, division = self.spec, self.division
        players = [self.players[name] for name in plan.seating]
        name = f"t{plan.table}.b{plan.board}.{turn}"
        match = MatchSpec(
            match_id=f"{spec.name}.r{plan.round}.{name}",
            variant=division.variant,
            seed=board_seed(self.secret, spec.name, division.variant, plan.round, plan.board, self.entropy),
            names=plan.seating,
            options=division.options,
            salts=tuple(player.salt for player in players),
            time=TimeControl(spec.per_decision_ms, spec.bank_ms),
            policy=Policy(spec.policy),
        )
        return MatchWork(
            name=name,
            board=f"r{plan.round}.b{plan.board}",
            board_matches=board_matches,
            bots=plan.seating,
            payload=msgspec.msgpack.encode(MatchJob(match, tuple(player.bot for player in players), plan)),
        )
