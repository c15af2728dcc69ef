"""A league that is over from the store into an archive, and the proof of an archive."""

import asyncio
import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import msgspec

from arena.league.errors import ArchiveError, LuckValueError
from arena.league.plurals import pluralize
from arena.league.results import score_plan
from arena.league.spec import Division, LeagueSpec
from arena.league.values import MatchOutcome, RoundPlan
from arena.organizer.entries import entrant_of, player_of
from arena.organizer.known_luck import luck_in, value_key
from arena.organizer.luck import check_value, match_luck, work_out, worker_pool
from arena.organizer.steps import spec_of, table_of
from arena.processes import die_with_parent
from arena.proof.archive_file import ArchiveReader, ArchiveWriter
from arena.proof.checks import Check, prove
from arena.proof.documents import FORMAT, Archive, Entry, Head, Part, PlayedMatch, Round, read, replay_member
from arena.proof.signed import SIGNATURE, archive_signer, sign_archive
from arena.replays import ReplayError, ReplayRecord, UnknownVersionError, decode, must_be_known, verify
from arena.signatures import SigningKey, key_text
from arena.store import EntryRecord, League, Store
from arena.store.errors import LeagueStateError
from arena.wire import options_to_wire
from core_ext.errors import CoreError

_FETCHED_AT_ONCE = 64
_CHUNK, _LUCK_CHUNK = 200, 10
"""Replays that a process plays again at a time, or whose luck it works out; fewer are not worth a second process."""


async def export(store: Store, name: str, path: Path) -> Archive:
    """Write a league that is over into a file, signed by this arena.

    Raises UnknownLeagueError, LeagueStateError, LuckValueError, OSError.
    """
    league = await store.leagues.get(name)
    if league.secret is None:
        raise LeagueStateError(name, league.state, "only a league that is over, with its secret published, has a proof")
    spec = spec_of(league)
    entries = await store.leagues.entrants(league.name)
    with ArchiveWriter(path) as file:
        await _work_out_luck(store, league, spec)
        entry_of = {entry.bot: entry for entry in entries}
        parts = {division.variant: await _part(store, name, division, entry_of, file) for division in spec.divisions}
        archive = Archive(_head(league, league.secret, entries), parts, await table_of(store, league))
        for member, document in archive.documents().items():
            file.add(member, document)
        file.add(SIGNATURE, sign_archive(file.digests, SigningKey(await store.signing_secret())))
    return archive


def _head(league: League, secret: bytes, entries: Sequence[EntryRecord]) -> Head:
    spec = spec_of(league)
    return Head(
        format=FORMAT,
        name=league.name,
        state="cancelled" if league.state == "cancelled" else "finished",
        test=league.test,
        commitment=league.commitment,
        secret=secret.hex(),
        entropy=league.entropy,
        digest=league.digest,
        spec=spec,
        entries=tuple(
            Entry(
                entry.bot,
                entry.nonce,
                entry.owner,
                entry.variants or spec.variants,
                player_of(entry).version,
                entry.commitment,
            )
            for entry in entries
        ),
        beacon=league.beacon,
    )


async def _work_out_luck(store: Store, league: League, spec: LeagueSpec) -> None:
    """Have the luck of all matches that the league measures."""
    if any(division.luck_value is not None for division in spec.divisions):
        with worker_pool() as pool:
            await work_out(store, league, pool)


async def _part(
    store: Store, name: str, division: Division, entries: Mapping[str, EntryRecord], file: ArchiveWriter
) -> Part:
    """A division, whose replays are written on the way."""
    rounds = []
    variant = division.variant
    value = division.luck_value
    lucks = {} if value is None else await store.findings.luck(name, variant, value_key(value))
    for number, raw in (await store.leagues.plans(name, variant)).items():
        plan = msgspec.json.decode(raw, type=RoundPlan)
        results = await store.leagues.results(name, variant, number)
        named = [named_plan for table in plan.tables for named_plan, _ in table.named() if named_plan in results]
        digests: list[str] = []
        for first in range(0, len(named), _FETCHED_AT_ONCE):
            ids = [f"{name}.{variant}.r{number}.{match}" for match in named[first : first + _FETCHED_AT_ONCE]]
            replays = await asyncio.gather(*(store.replays.get(id_) for id_ in ids))
            for id_, replay in zip(ids, replays, strict=True):
                file.add(replay_member(id_), replay)
                digests.append(sha256(replay).hexdigest())
        outcomes = tuple(msgspec.json.decode(results[match], type=MatchOutcome) for match in named)
        if value is None:
            rounds.append(Round(plan, outcomes, tuple(digests)))
            continue
        luck = luck_in(lucks, [plan])
        if any(outcome.plan not in luck for outcome in outcomes):
            raise LuckValueError(f"{name}: the luck of round {number} of {variant} is not known: its replays are gone")
        rounds.append(Round(plan, outcomes, tuple(digests), tuple(luck[outcome.plan] for outcome in outcomes)))
    participations = await store.leagues.participations(name, variant)
    return Part(tuple(entrant_of(entries[bot], stay) for bot, stay in participations.items()), tuple(rounds))


def proof(path: Path, processes: int | None = None, *, key: bytes | None = None) -> tuple[Archive, Iterator[Check]]:
    """The league in an archive, and each check of it as it is made. Replays are played again by several processes.

    With `key`, a public key, only an archive that it signed holds.

    Raises ArchiveError, now and while the checks are made, and OSError.
    """
    with ArchiveReader(path) as file:
        documents = file.documents()
        archive = read(documents)
        _must_be_of_this_version(archive, file)
    return archive, _checks(path, archive, documents, processes or os.cpu_count() or 1, key)


def _must_be_of_this_version(archive: Archive, file: ArchiveReader) -> None:
    """Raises ArchiveError where a division has rules, or replays of a format, that this program cannot judge."""
    seen: set[str] = set()
    for match in archive.matches():
        variant = match.division.variant
        if variant in seen or match.member not in file.members:
            continue
        seen.add(variant)
        try:
            must_be_known(decode(file.read(match.member)))
        except UnknownVersionError as error:
            raise ArchiveError(str(error)) from error
        except ReplayError:
            continue  # a fault of its own, which the checks name


def _checks(
    path: Path, archive: Archive, documents: dict[str, bytes], processes: int, key: bytes | None
) -> Iterator[Check]:
    with ArchiveReader(path) as file:
        yield _signature(documents.get(SIGNATURE), file, key)
        yield from prove(archive, tuple(file.members), documents)
        members = frozenset(file.members)
        matches = [match for match in archive.matches() if match.member in members]
        played = ((match, file.read(match.member)) for match in matches)
        faults = tuple(_faults_in(faults_of, played, min(processes, -(-len(matches) // _CHUNK)), _CHUNK))
        what = f"{pluralize(len(matches), 'match', 'matches')} played again, each from its board's seed to its result"
        yield Check("replays", what, faults)
        yield from _luck(archive, [match for match in matches if match.luck], file, processes)


def _luck(archive: Archive, matches: Sequence[PlayedMatch], file: ArchiveReader, processes: int) -> Iterator[Check]:
    """The luck of all matches, worked out again by the value that the league has defined."""
    values = {
        division.variant: division.luck_value
        for division in archive.head.spec.divisions
        if division.luck_value is not None
    }
    if not values:
        return
    faults: list[str] = []
    for variant, value in values.items():
        try:
            check_value(variant, value)
        except LuckValueError as error:
            faults.append(str(error))
    if not faults:
        played = ((match, file.read(match.member)) for match in matches)
        faults += _faults_in(luck_faults_of, played, min(processes, -(-len(matches) // _LUCK_CHUNK)), _LUCK_CHUNK)
    of = ", ".join(f"{variant} by {value}" for variant, value in values.items())
    yield Check("luck", f"of {pluralize(len(matches), 'match', 'matches')}, worked out again: {of}", tuple(faults))


def _signature(document: bytes | None, file: ArchiveReader, key: bytes | None) -> Check:
    """Whose archive it is."""
    if document is None:
        faults = () if key is None else (f"it is not signed; expected a signature by {key_text(key)}",)
        return Check("signature", "none: the archive is not signed", faults)
    try:
        signer = archive_signer(document, file.digests())
    except ArchiveError as error:
        return Check("signature", "it does not hold", (str(error),))
    faults = () if key in (None, signer) else (f"it is signed by {key_text(signer)}, not by {key_text(key)}",)
    return Check("signature", f"by {key_text(signer)}", faults)


_Played = tuple[PlayedMatch, bytes]


def _faults_in(
    look: Callable[[Iterable[_Played]], Sequence[str]], played: Iterator[_Played], processes: int, chunk_size: int
) -> Iterator[str]:
    if processes < 2:
        yield from look(played)
        return
    # Started anew, not forked: the caller may have threads.
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (os.getpid(),)) as pool:
        under_way: list[Future[Sequence[str]]] = []
        while chunk := list(islice(played, chunk_size)):
            under_way.append(pool.submit(look, chunk))
            if len(under_way) > 2 * processes:
                yield from under_way.pop(0).result()
        for future in under_way:
            yield from future.result()


def _begin(parent: int) -> None:
    """A process of the pool lives as long as the one that uses its work, which alone handles Ctrl-C."""
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def faults_of(played: Iterable[_Played]) -> list[str]:
    """What does not hold of these matches and their replays."""
    return [f"{match.match_id}: {fault}" for match, raw in played for fault in _faults(match, raw)]


def luck_faults_of(played: Iterable[_Played]) -> list[str]:
    """The matches whose luck is not what their replays give."""
    faults = []
    for match, raw in played:
        try:
            luck = match_luck(raw)
        except (ReplayError, CoreError):
            continue  # a replay that does not hold is a fault of its own
        if len(luck) != len(match.luck) or not all(map(_is_close, luck, match.luck)):
            faults.append(f"{match.match_id}: its luck is said to be {match.luck}, and is {luck}")
    return faults


def _is_close(value: float, expected: float) -> bool:
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-9)


def _faults(match: PlayedMatch, raw: bytes) -> Iterator[str]:
    try:
        record = decode(raw)
    except ReplayError as error:
        yield str(error)
        return
    for what, claimed, expected in _claims(match, record):
        if claimed != expected:
            yield f"the replay's {what} {claimed}, not {expected}"
    if (digest := sha256(raw).hexdigest()) != match.digest:
        yield f"the replay's SHA-256 is {digest}, not {match.digest}"
    try:
        yield from verify(record)
    except ReplayError as error:
        yield str(error)
    if len(record.names) == len(match.plan.seating):
        forfeiter = None if record.offender < 0 else record.offender
        outcome = score_plan(match.plan, record.results, record.end.value, forfeiter)
        for field in ("half_points", "margins", "end", "forfeiter"):
            claimed, expected = getattr(match.outcome, field), getattr(outcome, field)
            if claimed != expected:
                yield f"its result says {field} {claimed}, its replay {expected}"


def _claims(match: PlayedMatch, record: ReplayRecord) -> Iterator[tuple[str, object, object]]:
    """What a replay must say, whatever was played in it."""
    yield "match is", record.match_id, match.match_id
    yield "variant is", record.variant, match.division.variant
    yield "seating is", record.names, match.plan.seating
    yield "versions are", record.versions, match.versions
    yield "seed is", record.seed.hex(), match.seed.hex()
    yield "options are", _plain(record, record.options), _plain(record, match.division.options)


def _plain(record: ReplayRecord, options: Mapping[str, object]) -> str:
    """What differs from the defaults of the replay's variant, as text that is equal where that is."""
    return msgspec.json.encode(options_to_wire(record.variant, options), order="sorted").decode()
