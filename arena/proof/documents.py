"""A league that is over, as plain documents: everything that its proof needs, for people and for any JSON reader.

| member | holds |
| --- | --- |
| `league.json` | `Head`: what the owner wrote, the secret and what was published beforehand, the entries |
| `VARIANT/entrants.json` | the bots of a division, with the rounds they were there for |
| `VARIANT/round-N.json` | `Round`: a round's plan and the outcome of each of its matches |
| `table.json` | the tables |
| `signature.json` | the arena's signature of all the others (`arena.proof.signed`) |
| `replays/ID.hreplay` | the replay of a match, `ID` being `LEAGUE.VARIANT.rROUND.tTABLE.bBOARD.LETTER` |
"""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeVar

import msgspec

from arena.league.boards import board_seed, parse_secret
from arena.league.errors import ArchiveError, BoardError
from arena.league.spec import Division, LeagueSpec
from arena.league.tables import LeagueTable, json_document
from arena.league.values import Entrant, MatchOutcome, MatchPlan, RoundPlan
from core_ext import VARIANTS, variant_info

FORMAT: Literal["hanafuda-arena/league/1"] = "hanafuda-arena/league/1"
HEAD = "league.json"
TABLE = "table.json"

T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot of the league: its part in the entropy, whose it is, the divisions that it entered, and what played.

    `version` is the digest of a submitted bot's version, "" of any other bot. `commitment` is what the bot committed to
    before its nonce was revealed, "" of one that gave none, or gave it openly.
    """

    name: str
    nonce: str
    owner: str
    variants: tuple[str, ...]
    version: str = ""
    commitment: str = ""


class Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """A league without its rounds. `digest` is that of `spec`; `beacon` the signature of its beacon's round, in hex."""

    format: Literal["hanafuda-arena/league/1"]
    name: str
    state: Literal["finished", "cancelled"]
    test: bool
    commitment: str
    secret: str
    entropy: str
    digest: str
    spec: LeagueSpec
    entries: tuple[Entry, ...]
    beacon: str = ""


class Round(msgspec.Struct, frozen=True):
    """A round as it was paired, and how its matches ended, in the plan's order; some lack where it was cut short.

    `replays` are the SHA-256 of the outcomes' replays. `luck` is theirs by seat, where the division has defined a value
    that measures it.
    """

    plan: RoundPlan
    outcomes: tuple[MatchOutcome, ...]
    replays: tuple[str, ...]
    luck: tuple[tuple[float, ...], ...] | msgspec.UnsetType = msgspec.UNSET


class Part(msgspec.Struct, frozen=True):
    """A division."""

    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...]

    @property
    def luck(self) -> dict[MatchPlan, tuple[float, ...]]:
        """The luck of the division's matches, where it is there."""
        return {
            outcome.plan: luck
            for round_ in self.rounds
            if round_.luck is not msgspec.UNSET
            for outcome, luck in zip(round_.outcomes, round_.luck, strict=True)
        }


class Archive(msgspec.Struct, frozen=True):
    """A league that is over; `parts` are its divisions by variant."""

    head: Head
    parts: dict[str, Part]
    table: LeagueTable

    def documents(self) -> dict[str, bytes]:
        """The documents by the names of their members, always in the same bytes."""
        members: dict[str, bytes] = {HEAD: json_document(self.head)}
        for variant, part in self.parts.items():
            members[_entrants(variant)] = json_document(part.entrants)
            for number, round_ in enumerate(part.rounds, start=1):
                members[_round(variant, number)] = json_document(round_)
        members[TABLE] = json_document(self.table)
        return members

    def matches(self) -> "Iterator[PlayedMatch]":
        """Every match that was played, by division, round, table and board."""
        secret = parse_secret(self.head.secret)
        versions = {entry.name: entry.version for entry in self.head.entries}
        for division in self.head.spec.divisions:
            luck = self.parts[division.variant].luck
            for round_ in self.parts[division.variant].rounds:
                outcomes = {
                    outcome.plan: (outcome, replay)
                    for outcome, replay in zip(round_.outcomes, round_.replays, strict=True)
                }
                for name, plan in (named for table in round_.plan.tables for named in table.named()):
                    if plan in outcomes:
                        yield PlayedMatch(
                            match_id=f"{self.head.name}.{division.variant}.r{plan.round}.{name}",
                            division=division,
                            seed=board_seed(
                                secret, self.head.name, division.variant, plan.round, plan.board, self.head.entropy
                            ),
                            outcome=outcomes[plan][0],
                            digest=outcomes[plan][1],
                            luck=luck.get(plan, ()),
                            versions=tuple(versions.get(name, "") for name in plan.seating),
                        )


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match as its replay, of this SHA-256, must have it; `versions` and `luck` are by seat."""

    match_id: str
    division: Division
    seed: bytes
    outcome: MatchOutcome
    digest: str
    versions: tuple[str, ...]
    luck: tuple[float, ...] = ()
    """Nothing where the division has defined no value that measures it."""

    @property
    def plan(self) -> MatchPlan:
        """The match as it was planned."""
        return self.outcome.plan

    @property
    def member(self) -> str:
        """The member that holds its replay."""
        return replay_member(self.match_id)


def read(members: Mapping[str, bytes]) -> Archive:
    """The league in the documents of an archive, by their members; other members are not looked at.

    Raises ArchiveError where a document is missing, or is not what it should be.
    """
    head = _read(members, HEAD, Head)
    _check(head)
    parts = {}
    for variant in head.spec.variants:
        entrants = _read(members, _entrants(variant), tuple[Entrant, ...])
        if any(entrant.first_round < 1 for entrant in entrants):
            raise ArchiveError(f"{_entrants(variant)}: rounds count from 1")
        rounds: list[Round] = []
        while (name := _round(variant, len(rounds) + 1)) in members:
            rounds.append(_read(members, name, Round))
            if len(rounds[-1].replays) != len(rounds[-1].outcomes):
                raise ArchiveError(f"{name}: each outcome has one replay")
            _check_luck(name, rounds[-1], head.spec.division(variant))
            if any(match.round < 1 or match.board < 1 for match in rounds[-1].plan.matches):
                raise ArchiveError(f"{name}: rounds and boards count from 1")
        parts[variant] = Part(entrants, tuple(rounds))
    return Archive(head, parts, _read(members, TABLE, LeagueTable))


def replay_member(match_id: str) -> str:
    """The member that holds the replay of a match."""
    return f"replays/{match_id}.hreplay"


def is_document(member: str) -> bool:
    """Whether a member holds a document, not a replay."""
    return member.endswith(".json")


def _entrants(variant: str) -> str:
    return f"{variant}/entrants.json"


def _round(variant: str, number: int) -> str:
    return f"{variant}/round-{number}.json"


def _read(members: Mapping[str, bytes], name: str, type_: type[T]) -> T:
    if name not in members:
        raise ArchiveError(f"{name} is missing")
    try:
        return msgspec.json.decode(members[name], type=type_)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{name}: {error}") from error


def _check_luck(name: str, round_: Round, division: Division) -> None:
    if (round_.luck is msgspec.UNSET) == (division.luck_value is not None):
        raise ArchiveError(
            f"{name}: luck stands there where the league's file has a value that measures it, only there"
        )
    if round_.luck is not msgspec.UNSET:
        if len(round_.luck) != len(round_.outcomes):
            raise ArchiveError(f"{name}: each outcome has its luck")
        if any(len(luck) != len(of.seating) for luck, of in zip(round_.luck, round_.outcomes, strict=True)):
            raise ArchiveError(f"{name}: each seat has its luck")


def _check(head: Head) -> None:
    """What the league's file was held against when it was read."""
    variants = head.spec.variants
    if not variants or list(variants) != [variant for variant in VARIANTS if variant in variants]:
        raise ArchiveError(f"{HEAD}: a league cannot have the divisions {', '.join(variants)}")
    for division in head.spec.divisions:
        least, highest, _ = variant_info(division.variant).seats
        if not least <= division.seats <= highest:
            raise ArchiveError(f"{HEAD}: {division.variant} is not played by {division.seats}")
        if division.board_sets == "field" and division.boards % division.seats:
            raise ArchiveError(f"{HEAD}: {division.seats} bots cannot share {division.boards} field boards evenly")
    try:
        parse_secret(head.secret)
        board_seed(bytes(32), head.name, variants[0], 1, 1, head.entropy)
    except BoardError as error:
        raise ArchiveError(f"{HEAD}: {error}") from error
