"""The proof of a league that is over: every claim of its archive is computed again and compared.

What its replays prove needs the rules, and is not here.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from arena.league import beacon as beacons
from arena.league.boards import commitment, parse_secret
from arena.league.boards import entropy as entropy_of
from arena.league.errors import LeagueError
from arena.league.ladder_ratings import predecessor
from arena.league.nonces import check_nonces
from arena.league.plurals import pluralize
from arena.league.rounds import next_round
from arena.league.spec import Division, digest
from arena.league.tables import league_table
from arena.league.values import Finished, PlayedRound, RoundPlan
from arena.proof.documents import Archive, is_document
from arena.proof.signed import SIGNATURE

_CLOSE = 1e-9


class Check(msgspec.Struct, frozen=True):
    """A kind of claim: what was looked at, in words, and each thing that does not hold."""

    name: str
    what: str
    faults: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all of it holds."""
        return not self.faults


def prove(archive: Archive, members: Collection[str], documents: Mapping[str, bytes]) -> Iterator[Check]:
    """Check every claim but those of the replays.

    `members` are the names of everything that the archive's file holds, `documents` the JSON in it.
    """
    yield _contents(archive, members, documents)
    yield _file(archive)
    yield _secret(archive)
    yield _entropy(archive)
    yield _entrants(archive)
    rounds: dict[str, list[PlayedRound]] = {}
    faults: list[str] = []
    for division in archive.head.spec.divisions:
        rounds[division.variant], of_division = _rounds(archive, division)
        faults += of_division
    count = sum(len(round_.outcomes) for part in archive.parts.values() for round_ in part.rounds)
    yield Check(
        "results",
        f"{pluralize(count, 'match', 'matches')}, each with the one result that its round's plan asks for",
        tuple(faults),
    )
    yield _pairings(archive, rounds)
    yield _table(archive, rounds)


def _contents(archive: Archive, members: Collection[str], documents: Mapping[str, bytes]) -> Check:
    written = archive.documents()
    wanted = {*written, *(match.member for match in archive.matches())}
    faults = [f"{name} is missing" for name in sorted(wanted.difference(members))]
    faults += [
        f"{name!r} is not a member of such an archive" for name in sorted(set(members).difference(wanted, {SIGNATURE}))
    ]
    faults += [
        f"{name} is not in the arena's form: it has additional content, or is formatted differently"
        for name, document in written.items()
        if is_document(name) and documents.get(name, document) != document
    ]
    return Check("contents", f"{pluralize(len(wanted), 'file')}, none missing, none more", tuple(faults))


def _file(archive: Archive) -> Check:
    head = archive.head
    faults = []
    if (spec_digest := digest(head.spec)) != head.digest:
        faults.append(f"the SHA-256 of the league's file in its canonical form is {spec_digest}, not {head.digest}")
    if head.spec.name != head.name:
        faults.append(f"the league's file is that of {head.spec.name!r}, not of {head.name!r}")
    if head.test != head.spec.is_test:
        faults.append(f"its file says that it is {'a' if head.spec.is_test else 'no'} test, the league says otherwise")
    return Check("league file", f"SHA-256 {head.digest}", tuple(faults))


def _secret(archive: Archive) -> Check:
    head = archive.head
    faults = []
    if (computed := commitment(parse_secret(head.secret))) != head.commitment:
        faults.append(f"the secret's SHA-256 is {computed}, not the commitment {head.commitment}")
    if head.spec.secret is not None and head.spec.secret != head.secret:
        faults.append("the league's file fixes another secret")
    return Check("secret", f"SHA-256 {head.commitment}, the commitment published before entries opened", tuple(faults))


def _entropy(archive: Archive) -> Check:
    """What came to the secret at the start, and who could have chosen it."""
    head = archive.head
    nonces = {entry.name: entry.nonce for entry in head.entries if entry.nonce}
    commitments = {entry.name: entry.commitment for entry in head.entries if entry.commitment}
    faults = []
    # A league that was cancelled before its start has drawn none.
    if head.entropy or any(part.rounds for part in archive.parts.values()):
        try:
            if head.spec.beacon_round is not None:
                beacons.check_signature(head.spec.beacon_round, head.beacon)
                expected = beacons.entropy_of(head.spec.beacon_round, head.beacon)
            else:
                if head.beacon:
                    faults.append("it has a beacon's signature, and its file names no round of one")
                if nonces:
                    check_nonces(head.name, commitments, nonces)
                expected = entropy_of(nonces)
            if expected != head.entropy:
                faults.append(f"the entropy that follows is {expected}, not {head.entropy}")
        except LeagueError as error:
            faults.append(str(error))
    return Check("entropy", choice(archive), tuple(faults))


def choice(archive: Archive) -> str:
    """What came to the league's secret, and who could have chosen the cards by it, in words."""
    head = archive.head
    nonces = [entry for entry in head.entries if entry.nonce]
    if head.spec.beacon_round is not None:
        return f"from {beacons.described(head.spec.beacon_round)}: nobody could choose the cards before it was known"
    if not nonces:
        return "from no nonce: whoever drew the secret could choose the cards"
    if any(not entry.commitment for entry in nonces):
        count = pluralize(len(nonces), "nonce")
        return f"from {count}, given openly: whoever knew the secret and gave the last could choose the cards"
    count = pluralize(len(nonces), "nonce")
    owners = pluralize(len({entry.owner for entry in nonces}), "owner")
    return f"from {count} of {owners}, committed to before any was revealed: only all of them together could choose"


def _entrants(archive: Archive) -> Check:
    head = archive.head
    faults = [
        f"{name} is entered {times} times"
        for name, times in Counter(entry.name for entry in head.entries).items()
        if times > 1
    ]
    for variant, part in archive.parts.items():
        entered = {entry.name: entry.owner for entry in head.entries if variant in (entry.variants or (variant,))}
        listed = Counter(entrant.name for entrant in part.entrants)
        faults += [f"{variant}: {name} entered, but is missing" for name in sorted(entered.keys() - listed.keys())]
        faults += [f"{variant}: {name} is listed, but never entered" for name in sorted(listed.keys() - entered.keys())]
        faults += [f"{variant}: {name} is listed {times} times" for name, times in listed.items() if times > 1]
        faults += [
            f"{variant}: the owner of {entrant.name} is {entrant.owner!r}, "
            f"but {entered[entrant.name]!r} where it entered"
            for entrant in part.entrants
            if entrant.name in entered and entered[entrant.name] != entrant.owner
        ]
        allowed = {*listed, *(head.spec.ladder.start if head.spec.ladder is not None else ())}
        faults += [
            f"{variant}: {entrant.name} goes on from {before}, which nothing is known of"
            for entrant in part.entrants
            if (before := predecessor(entrant)) is not None and (before not in allowed or before == entrant.name)
        ]
    return Check(
        "entrants",
        f"{pluralize(len(head.entries), 'bot')} in {pluralize(len(archive.parts), 'division')}",
        tuple(faults),
    )


def _rounds(archive: Archive, division: Division) -> tuple[list[PlayedRound], list[str]]:
    """The complete rounds of a division, up to the first that cannot be one, and what is wrong."""
    variant, part = division.variant, archive.parts[division.variant]
    entrants = {entrant.name for entrant in part.entrants}
    closed: list[PlayedRound] = []
    for number, round_ in enumerate(part.rounds, start=1):
        plan = round_.plan
        where = f"{variant} round {number}"
        fault = _misshapen(plan, number, entrants, division)
        if fault:
            return closed, [f"{where}: {fault}"]
        if (
            archive.head.state == "cancelled"
            and number == len(part.rounds)
            and len(round_.outcomes) < len(plan.matches)
        ):
            planned = set(plan.matches)
            strange = [outcome.plan for outcome in round_.outcomes if outcome.plan not in planned]
            return closed, [f"{where}: a result of a match that was not planned: {match}" for match in strange]
        try:
            closed.append(plan.close(round_.outcomes))
        except LeagueError as error:
            return closed, [f"{variant}: {error}"]
    return closed, []


def _misshapen(plan: RoundPlan, number: int, entrants: Collection[str], division: Division) -> str:
    """Why a plan cannot be one of this division, so that nothing can be counted from it; empty when it can."""
    seated = [bot for table in plan.tables for bot in table.bots]
    unknown = {*seated, *plan.byes, *(bot for match in plan.matches for bot in match.seating)}.difference(entrants)
    if plan.number != number:
        return f"its plan is that of round {plan.number}"
    if not plan.tables:
        return "it has no table"
    if unknown:
        return f"{min(unknown)!r} is not a bot of this division"
    if len(set(seated)) != len(seated):
        return "a bot sits at two tables"
    if sorted(table.number for table in plan.tables) != [*range(1, len(plan.tables) + 1)]:
        return "its tables are not numbered from 1 on"
    boards = range(1, len(plan.tables) * division.boards + 1)
    for table in plan.tables:
        for match in table.matches:
            if (match.round, match.table) != (number, table.number) or match.board not in boards:
                return f"table {table.number} has a match of another round, table or board: {match}"
            if sorted(match.seating) != sorted(table.bots) or len(match.seating) not in division.sizes:
                return f"table {table.number} has a match between other bots: {match}"
        if len(set(table.matches)) < len(table.matches):
            return f"table {table.number} has a match twice"
        if len(table.matches) < division.boards:
            return f"table {table.number} has {len(table.matches)} matches, on {division.boards} boards"
    return ""


def _pairings(archive: Archive, rounds: Mapping[str, list[PlayedRound]]) -> Check:
    spec = archive.head.spec
    faults: list[str] = []
    for division in spec.divisions:
        part, closed = archive.parts[division.variant], rounds[division.variant]
        entrants = {entrant.name for entrant in part.entrants}
        for before in range(len(closed) + 1):
            where = f"{division.variant} round {before + 1}"
            # After the complete rounds comes one that was cut short, but paired as they were, or none.
            plan = part.rounds[before].plan if before < len(part.rounds) else None
            if plan is None and archive.head.state == "cancelled":
                break
            if plan is not None and _misshapen(plan, before + 1, entrants, division):
                break  # reported with the results
            try:
                expected = next_round(spec, division, part.entrants, closed[:before])
            except LeagueError as error:
                faults.append(f"{where}: {error}")
                break
            if isinstance(expected, Finished):
                faults += [f"{where} should not have been played: {expected.reason}"] if plan is not None else []
            elif plan is None:
                able = sum(entrant.plays(before + 1) for entrant in part.entrants)
                faults.append(
                    f"{division.variant}: round {before + 1} is missing, although {able} bots could have played it"
                )
            else:
                faults += _mismatches(where, plan, expected, "the results before it give")
    count = sum(len(part.rounds) for part in archive.parts.values())
    return Check("pairings", f"{pluralize(count, 'round')}, each from the results before it", tuple(faults))


def _table(archive: Archive, rounds: Mapping[str, list[PlayedRound]]) -> Check:
    head = archive.head
    try:
        expected = league_table(
            head.spec,
            {variant: (part.entrants, rounds[variant]) for variant, part in archive.parts.items()},
            {variant: part.luck for variant, part in archive.parts.items()},
        )
    except LeagueError as error:
        faults = [f"these results do not give a table: {error}"]
    else:
        faults = list(_mismatches("table", archive.table, expected, "the results give"))
    rows = sum(len(table.standings) for table in archive.table.divisions)
    return Check("table", f"{pluralize(rows, 'row')} of standings, ratings, and the all-round table", tuple(faults))


def _mismatches(where: str, claimed: object, expected: object, source: str) -> Iterator[str]:
    for path, difference, wanted in _differences("", msgspec.to_builtins(claimed), msgspec.to_builtins(expected)):
        yield f"{where}: {path} is {difference}; {source} {wanted}"


def _differences(path: str, claimed: Any, expected: Any) -> Iterator[tuple[str, str, str]]:
    """Yield where two documents differ, and what stands there; fractions may differ in their last places."""
    if isinstance(claimed, dict) and isinstance(expected, dict):
        for key in sorted({*claimed, *expected}):
            yield from _differences(
                f"{path}.{key}" if path else key, claimed.get(key, _NOTHING), expected.get(key, _NOTHING)
            )
    elif isinstance(claimed, list | tuple) and isinstance(expected, list | tuple):
        for place in range(max(len(claimed), len(expected))):
            claimed_item, expected_item = (
                values[place] if place < len(values) else _NOTHING for values in (claimed, expected)
            )
            yield from _differences(f"{path}[{place + 1}]", claimed_item, expected_item)
    elif isinstance(claimed, float) and isinstance(expected, float):
        if not math.isclose(claimed, expected, rel_tol=_CLOSE, abs_tol=_CLOSE):
            yield path, repr(claimed), repr(expected)
    elif claimed != expected:
        yield path, _short(claimed), _short(expected)


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."
