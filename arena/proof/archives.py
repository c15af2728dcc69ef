"""A league that is over from the store into an archive, and the proof of an archive."""

import asyncio
import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import msgspec

from arena.league.errors import ArchiveError
from arena.league.plurals import pluralize
from arena.league.results import score_plan
from arena.league.values import Entrant, MatchOutcome, RoundPlan
from arena.organizer.entries import player_of
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

_FETCHED_AT_ONCE = 64
_CHUNK = 200
"""Replays that a process plays again at a time; fewer of them are not worth a second process."""


async def export(store: Store, name: str, path: Path) -> Archive:
    """Write a league that is over into a file, signed by this arena.

    Raises UnknownLeagueError, LeagueStateError, OSError.
    """
    league = await store.leagues.get(name)
    if league.secret is None:
        raise LeagueStateError(name, league.state, "only a league that is over, with its secret published, has a proof")
    spec = spec_of(league)
    entries = await store.leagues.entrants(league.name)
    owners = {entry.bot: entry.owner for entry in entries}
    with ArchiveWriter(path) as file:
        parts = {variant: await _part(store, name, variant, owners, file) for variant in spec.variants}
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


async def _part(store: Store, name: str, variant: str, owners: Mapping[str, str], file: ArchiveWriter) -> Part:
    """A division, whose replays are written on the way."""
    rounds = []
    for number, raw in (await store.leagues.plans(name, variant)).items():
        plan = msgspec.json.decode(raw, type=RoundPlan)
        results = await store.leagues.results(name, variant, number)
        named = [found for table in plan.tables for found, _ in table.named() if found in results]
        digests: list[str] = []
        for first in range(0, len(named), _FETCHED_AT_ONCE):
            ids = [f"{name}.{variant}.r{number}.{one}" for one in named[first : first + _FETCHED_AT_ONCE]]
            replays = await asyncio.gather(*(store.replays.get(id_) for id_ in ids))
            for id_, replay in zip(ids, replays, strict=True):
                file.add(replay_member(id_), replay)
                digests.append(sha256(replay).hexdigest())
        outcomes = tuple(msgspec.json.decode(results[one], type=MatchOutcome) for one in named)
        rounds.append(Round(plan, outcomes, tuple(digests)))
    participations = await store.leagues.participations(name, variant)
    entrants = (Entrant(bot, its.first_round, its.last_round, owners[bot]) for bot, its in participations.items())
    return Part(tuple(entrants), tuple(rounds))


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
        there = frozenset(file.members)
        matches = [match for match in archive.matches() if match.member in there]
        played = ((match, file.read(match.member)) for match in matches)
        faults = tuple(_played_again(played, min(processes, -(-len(matches) // _CHUNK))))
    what = f"{pluralize(len(matches), 'match', 'matches')} played again, each from its board's seed to its result"
    yield Check("replays", what, faults)


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


def _played_again(played: Iterator[_Played], processes: int) -> Iterator[str]:
    if processes < 2:
        yield from faults_of(played)
        return
    # Started anew, not forked: the caller may have threads.
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (os.getpid(),)) as pool:
        under_way: list[Future[Sequence[str]]] = []
        while chunk := list(islice(played, _CHUNK)):
            under_way.append(pool.submit(faults_of, chunk))
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


def _faults(match: PlayedMatch, raw: bytes) -> Iterator[str]:
    try:
        record = decode(raw)
    except ReplayError as error:
        yield str(error)
        return
    for what, found, expected in _claims(match, record):
        if found != expected:
            yield f"the replay's {what} {found}, not {expected}"
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
            found, expected = getattr(match.outcome, field), getattr(outcome, field)
            if found != expected:
                yield f"its result says {field} {found}, its replay {expected}"


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
