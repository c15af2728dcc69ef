"""Connects the store with the pure functions of arena.league: creating, starting, pairing, tables."""

import asyncio
import logging
import random
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import msgspec

from arena.launcher.sources import is_isolated
from arena.league import beacon as beacons
from arena.league.boards import board_seed, entropy
from arena.league.errors import BeaconError, NonceError
from arena.league.methods.registry import method_of
from arena.league.nonces import check_nonces
from arena.league.plurals import pluralize
from arena.league.results import score_plan
from arena.league.rounds import next_round
from arena.league.spec import HOUSE, Division, LeagueSpec, canonical, digest
from arena.league.tables import LeagueTable, league_table
from arena.league.values import Entrant, Finished, MatchOutcome, MatchPlan, PlayedRound, RoundPlan
from arena.logs import event
from arena.match.model import MatchResult, MatchSpec, Policy, TimeControl
from arena.organizer.entries import Player, entrant_of, player_of
from arena.organizer.errors import FieldError
from arena.organizer.known_luck import luck_in, value_key
from arena.organizer.matches import MatchJob
from arena.store import EntryRecord, Job, JobQueue, League, MatchWork, Participation, Scope, StepWork, Store
from arena.store.errors import EntrantsChangedError
from arena.store.paging import all_pages

MAX_TABLES_CACHED = 256
"""How many leagues' tables a node keeps in memory."""
MAX_LINES_CACHED = 300_000
"""How many lines these tables and their cross-tables may have together."""
MAX_MATCHES_CACHED = 60_000
"""Of how many matches of complete rounds it keeps the outcomes: of a ladder's season each round is read once."""

log = logging.getLogger(__name__)


def spec_of(league: League) -> LeagueSpec:
    """The league as its owner described it."""
    return _spec(league.config)


@lru_cache(maxsize=32)  # a league of ten thousand bots is read anew for each look at it
def _spec(config: bytes) -> LeagueSpec:
    return msgspec.json.decode(config, type=LeagueSpec)


async def create(store: Store, spec: LeagueSpec, entrants: Sequence[EntryRecord]) -> League:
    """Store the league of a file with its entries; raises what `Leagues.create` raises."""
    await store.signing_secret()  # drawn now if it never was, so that nobody who shows the league's tables writes it
    return await store.leagues.create(
        spec.name,
        canonical(spec),
        digest=digest(spec),
        divisions={division.variant: division.rounds for division in spec.divisions},
        entrants=entrants,
        secret=bytes.fromhex(spec.secret) if spec.secret else None,
        closes_us=closes_us(spec),
    )


def closes_us(spec: LeagueSpec) -> int:
    """When a league's entries close by themselves, in microseconds since 1970: when its beacon's round is published."""
    return 0 if spec.beacon_round is None else beacons.time_of(spec.beacon_round) * 1_000_000


async def start(store: Store, name: str, beacon: str | None = None, *, without_nonces: bool = False) -> None:
    """Start a league with the bots that have entered; does nothing if it has started already.

    `beacon` is the signature, in hex, of the round that the league has named. Where bots have committed to nonces,
    entries have to be closed and all nonces revealed; with `without_nonces` a league that was not closed starts without
    them. Raises BeaconError, NonceError, FieldError when no division has enough bots, or one has more than its pairing
    method can take in its rounds, UnknownLeagueError, LeagueStateError.
    """
    spec = spec_of(league := await store.leagues.get(name))
    if league.state == "open":
        await asyncio.to_thread(_check_beacon, spec, beacon)

    def drawn(league: League, entries: Sequence[EntryRecord]) -> str:
        entered = Counter(variant for entry in entries for variant in entry.variants or spec.variants)
        sizes = {division.variant: min(division.sizes) for division in spec.divisions}
        if all(entered[variant] < needed for variant, needed in sizes.items()):
            counts = ", ".join(f"{variant} has {entered[variant]} of {needed}" for variant, needed in sizes.items())
            raise FieldError(f"league {name!r} cannot start: no division has enough bots for a table; {counts}")
        for division in spec.divisions:
            reason = method_of(division).field_fault(division, entered[division.variant])
            if reason is not None:
                raise FieldError(f"league {name!r} cannot start: {division.variant}: {reason}")
        if spec.beacon_round is not None and beacon is not None:
            return beacons.entropy_of(spec.beacon_round, beacon)
        nonces = {entry.bot: entry.nonce for entry in entries if entry.nonce}
        commitments = {entry.bot: entry.commitment for entry in entries if entry.commitment}
        if not commitments or (not league.closed_us and without_nonces):
            return entropy(nonces)
        if not league.closed_us:
            count = pluralize(len(commitments), "bot has", "bots have")
            raise NonceError(
                f"{count} committed to a nonce in league {name!r}: close its entries, so that they reveal them"
            )
        check_nonces(name, commitments, nonces)
        return entropy(nonces)

    await store.leagues.start(name, drawn, beacon=beacon or "")


def _check_beacon(spec: LeagueSpec, signature: str | None) -> None:
    """Check that the signature is the one of the league's round; BeaconError."""
    if spec.beacon_round is None:
        if signature is not None:
            raise BeaconError(f"the file of league {spec.name!r} names no beacon_round")
    elif signature is None:
        raise BeaconError(
            f"league {spec.name!r} starts with the signature of {beacons.described(spec.beacon_round)}: "
            f"{beacons.address(spec.beacon_round)}"
        )
    else:
        beacons.check_signature(spec.beacon_round, signature)


async def retry_parked(store: Store, league: League) -> int:
    """Queue the parked jobs of a league again; returns how many there were."""
    retried = 0
    for scope in (Scope.league(league.name, division.variant) for division in league.divisions):
        async for parked in all_pages(partial(store.stalled.parked, scope)):
            retried += await store.stalled.requeue(parked)
    return retried


class PlayedRounds:
    """The complete rounds of divisions that were read before; what was played does not change."""

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[str, int, str], Sequence[PlayedRound]] = OrderedDict()

    def of(self, league: League, variant: str) -> Sequence[PlayedRound]:
        """Return the first rounds of a division, as far as they are known."""
        return self._cached.get(self._key(league, variant), ())

    def keep(self, league: League, variant: str, rounds: Sequence[PlayedRound]) -> None:
        """Keep the complete rounds of a division, and forget those of others where that is too much."""
        key = self._key(league, variant)
        self._cached[key] = rounds
        self._cached.move_to_end(key)
        while (
            self._cached
            and sum(len(played.outcomes) for cached in self._cached.values() for played in cached) > MAX_MATCHES_CACHED
        ):
            self._cached.popitem(last=False)

    def forget(self, league: League, variant: str) -> None:
        """Forget the rounds of a division."""
        self._cached.pop(self._key(league, variant), None)

    def keep_only(self, leagues: Collection[str]) -> None:
        """Forget the rounds of all leagues but these."""
        for key in [key for key in self._cached if key[0] not in leagues]:
            del self._cached[key]

    def _key(self, league: League, variant: str) -> tuple[str, int, str]:
        return league.name, league.created_us, variant


async def table_of(store: Store, league: League, cache: PlayedRounds | None = None) -> LeagueTable:
    """Return the league's tables after each division's complete rounds; those in the `cache` are not read again."""
    spec = spec_of(league)
    if any(division.luck_value is not None for division in spec.divisions):
        cache = None  # it takes the plans of all rounds
    before = {variant: cache.of(league, variant) if cache else () for variant in spec.variants}
    read = {variant: await _read(store, league.name, variant, before[variant]) for variant in spec.variants}
    entries = await store.leagues.entrants(league.name)
    raw = {
        division.variant: await store.findings.luck(league.name, division.variant, value_key(division.luck_value))
        for division in spec.divisions
        if division.luck_value is not None
    }

    def count() -> tuple[LeagueTable, dict[str, list[PlayedRound]]]:
        luck = {variant: luck_in(raw_luck, read[variant].plans()) for variant, raw_luck in raw.items()}
        parts = {variant: (division.entrants(entries), division.rounds()) for variant, division in read.items()}
        return league_table(spec, parts, luck), {variant: rounds for variant, (_, rounds) in parts.items()}

    table, rounds = await asyncio.to_thread(count)
    if cache is not None:
        for variant in spec.variants:
            if league.state in ("running", "paused"):
                cache.keep(league, variant, rounds[variant])
            else:
                cache.forget(league, variant)  # there is no other round to come
    return table


class Tables:
    """A cache of league tables: each is computed once for each state of its league."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counted: OrderedDict[str, tuple[object, asyncio.Task[LeagueTable]]] = OrderedDict()
        self._played = PlayedRounds()

    async def of(self, league: League) -> LeagueTable:
        """Return the league's tables after the complete rounds of each division."""
        counts = [await self._luck_count(league.name, division) for division in spec_of(league).divisions]
        state = league.revision, [(division.round, division.outstanding == 0) for division in league.divisions], counts
        counted = self._counted.pop(league.name, None)
        if counted is None or counted[0] != state or (counted[1].done() and counted[1].exception()):
            counted = state, asyncio.create_task(table_of(self._store, league, self._played))
        self._counted[league.name] = counted
        while len(self._counted) > MAX_TABLES_CACHED or (len(self._counted) > 1 and self._lines() > MAX_LINES_CACHED):
            self._counted.popitem(last=False)
        return await asyncio.shield(counted[1])

    def _lines(self) -> int:
        counted = [task for _, task in self._counted.values() if task.done() and not task.cancelled()]
        return sum(lines_of(task.result()) for task in counted if task.exception() is None)

    async def _luck_count(self, league: str, division: Division) -> int:
        if division.luck_value is None:
            return 0
        return await self._store.findings.luck_count(league, division.variant, value_key(division.luck_value))


def lines_of(table: LeagueTable) -> int:
    """Return how many lines a league's tables have, and its cross-tables."""
    return sum(len(division.standings) + len(division.head_to_head) for division in table.divisions)


async def field_of(store: Store, name: str, variant: str) -> tuple[list[Entrant], list[PlayedRound]]:
    """The entrants of a league's division, and its complete rounds in order."""
    read = await _read(store, name, variant)
    entries = await store.leagues.entrants(name)
    return read.entrants(entries), await asyncio.to_thread(read.rounds)


async def step(store: Store, jobs: JobQueue, job: Job, cache: PlayedRounds | None = None) -> None:
    """Pair the round that the job asks for and queue its matches, or finish the division.

    Rounds in the `cache` are not read again.
    """
    cache = PlayedRounds() if cache is None else cache
    while True:
        try:
            await _step(store, jobs, job, cache)
        except EntrantsChangedError as error:
            log.info("%s", error)
        else:
            return


async def _step(store: Store, jobs: JobQueue, job: Job, cache: PlayedRounds) -> None:
    assert isinstance(job.work, StepWork)
    name, variant, before = job.scope.name, job.scope.part, job.work.round - 1
    # The league with its revision is read before its entrants: whatever changes from here on is noticed.
    league = await store.leagues.get(name)
    read = await _read(store, name, variant, cache.of(league, variant))
    entries = await store.leagues.entrants(name)
    secret = await store.leagues.secret(name)
    spec = spec_of(league)
    division = spec.division(variant)

    rounds = await asyncio.to_thread(read.rounds)
    cache.keep(league, variant, rounds)

    def pair() -> tuple[bytes, list[MatchWork], list[str]] | None:
        entrants = read.entrants(entries)
        plan = next_round(spec, division, entrants, rounds[:before])
        if isinstance(plan, Finished):
            return None
        players = {entry.bot: player_of(entry) for entry in entries}
        on_board = Counter(match.board for match in plan.matches)
        watched = open_boards(plan, players)
        works = []
        # The matches of a board follow one another, at whatever table: the less time is there to tell of its cards.
        named = (named_match for table in plan.tables for named_match in table.named())
        for match_name, match in sorted(named, key=lambda named_match: named_match[1].board):
            seated = [players[bot] for bot in match.seating]
            seed = board_seed(secret, name, variant, match.round, match.board, league.entropy)
            played = _match(spec, division, match, match_name, seed, seated)
            sources = tuple(player.source for player in seated)
            payload = msgspec.msgpack.encode(MatchJob(played, sources, match, match.board in watched))
            board = f"r{match.round}.b{match.board}"
            works.append(MatchWork(match_name, board, on_board[match.board], match.seating, payload))
        _shuffle_within_boards(works)
        needed = {players[bot].runtime for match in plan.matches for bot in match.seating}
        return msgspec.json.encode(plan), works, sorted(filter(None, needed))

    # A thread of its own, so that a large field does not hold up the matches of others.
    paired = await asyncio.to_thread(pair)
    title = f"league {name}, {variant}"
    if paired is None:
        await jobs.commit_finish(job, revision=league.revision)
        cache.forget(league, variant)
        cache.keep_only(await store.leagues.under_way())  # others are over that other nodes have ended
        over = pluralize(before, "round")
        event(log, logging.INFO, "division_over", "%s: over after %s", title, over, league=name, variant=variant)
    else:
        plan, works, runtimes = paired
        await jobs.commit_round(job, plan, works, revision=league.revision, runtimes=runtimes)
        matches = pluralize(len(works), "match", "matches")
        event(
            log,
            logging.INFO,
            "round",
            "%s: round %d of %d begins with %s",
            *(title, before + 1, division.rounds, matches),
            league=name,
            variant=variant,
            round=before + 1,
            matches=len(works),
        )


def _shuffle_within_boards(works: list[MatchWork]) -> None:
    """Have the matches of each board played in an order by chance: no bot can tell which of them it plays."""
    places: dict[str, list[int]] = {}
    for place, work in enumerate(works):
        places.setdefault(work.board, []).append(place)
    for of_board in places.values():
        shuffled = random.SystemRandom().sample(of_board, len(of_board))
        for place, work in zip(of_board, [works[board] for board in shuffled], strict=True):
            works[place] = work


def outcome_of(plan: MatchPlan, result: MatchResult) -> bytes:
    """A match's result as the league scores it, in JSON."""
    forfeiter = None if result.offender < 0 else result.offender
    return msgspec.json.encode(score_plan(plan, result.results, result.end.value, forfeiter))


@dataclass(frozen=True)
class _Read:
    """A division as stored: each bot's participation, each round's plan and results but of those that are known."""

    participations: Mapping[str, Participation]
    raw: Sequence[tuple[bytes, Sequence[bytes]]]
    played: Sequence[PlayedRound] = ()

    def entrants(self, entries: Iterable[EntryRecord]) -> list[Entrant]:
        """The division's bots, as pairing and tables take them; `entries` are all those of the league."""
        entry_of = {entry.bot: entry for entry in entries}
        return [entrant_of(entry_of[bot], stay) for bot, stay in self.participations.items() if bot in entry_of]

    def plans(self) -> list[RoundPlan]:
        """The plans of all rounds, in order, where none was known."""
        return [msgspec.json.decode(plan, type=RoundPlan) for plan, _ in self.raw]

    def rounds(self) -> list[PlayedRound]:
        """The rounds that are complete, in order."""
        rounds = list(self.played)
        for plan, results in self.raw:
            planned = msgspec.json.decode(plan, type=RoundPlan)
            if len(results) < len(planned.matches):
                break
            rounds.append(planned.close(tuple(msgspec.json.decode(result, type=MatchOutcome) for result in results)))
        return rounds


async def _read(store: Store, name: str, variant: str, cached: Sequence[PlayedRound] = ()) -> _Read:
    participations = await store.leagues.participations(name, variant)
    plans = await store.leagues.plans(name, variant, after=len(cached))
    results = [(await store.leagues.results(name, variant, round_)).values() for round_ in plans]
    raw = [(plan, tuple(outcomes)) for plan, outcomes in zip(plans.values(), results, strict=True)]
    return _Read(participations, raw, cached)


def _match(
    spec: LeagueSpec, division: Division, plan: MatchPlan, name: str, seed: bytes, players: Sequence[Player]
) -> MatchSpec:
    """A planned match, with its name in the round, as it is played."""
    return MatchSpec(
        match_id=f"{spec.name}.{division.variant}.r{plan.round}.{name}",
        variant=division.variant,
        seed=seed,
        names=plan.seating,
        options=division.options,
        versions=tuple(player.version for player in players),
        salts=tuple(player.salt for player in players),
        time=TimeControl(spec.per_decision_ms, spec.bank_ms),
        policy=Policy(spec.policy),
        reconnect_ms=spec.reconnect_ms,
        cover_ms=spec.cover_ms if any(not player.source.startswith(HOUSE) for player in players) else 0,
        shared=True,
    )


def open_boards(plan: RoundPlan, players: Mapping[str, Player]) -> frozenset[int]:
    """The boards that may be watched while they are played: those that only isolated bots play, at any table."""
    isolated = {name for name, player in players.items() if is_isolated(player.source)}
    closed = {match.board for match in plan.matches if not isolated.issuperset(match.seating)}
    return frozenset(match.board for match in plan.matches) - closed
