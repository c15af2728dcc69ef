"""What commands show of an arena, as plain values, made of the messages of its services.

A store's own services answer with the messages that a node would send, so both are shown the same.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from arena import wire
from arena.match.model import End
from arena.remote.errors import ForeignAnswerError
from hanafuda.arena.v1 import bot_pb2, league_pb2, match_pb2, owner_pb2, replay_pb2

if TYPE_CHECKING:
    from arena.league.tables import LeagueTable
    from arena.remote.client import Client
    from arena.store import Store


def minute(since_1970: float) -> str:
    """Return a moment in UTC, to the minute, for people."""
    return datetime.fromtimestamp(since_1970, UTC).strftime("%Y-%m-%d %H:%M")


def second(since_1970: int) -> str:
    """A time in ISO 8601, of seconds since 1970."""
    return datetime.fromtimestamp(since_1970, UTC).isoformat()


def state_of(status: "league_pb2.LeagueStatus.ValueType") -> str:
    """The state of a league or a division as people read it."""
    return league_pb2.LeagueStatus.Name(status).removeprefix("LEAGUE_STATUS_").lower()


def variants_of(league: league_pb2.League) -> tuple[str, ...]:
    """The variants of a league's divisions, in their order."""
    return tuple(division.variant for division in league.divisions)


def division_of(league: league_pb2.League, variant: str) -> league_pb2.LeagueDivision:
    """The division of a variant; KeyError."""
    return {division.variant: division for division in league.divisions}[variant]


def matches_played(league: league_pb2.League) -> int:
    """How many matches were played in all divisions."""
    return sum(division.matches_played for division in league.divisions)


def versions_of(league: league_pb2.League) -> list[league_pb2.LeagueEntrant]:
    """The entrants that are versions of submitted bots; a list of leagues gives none."""
    return [entrant for entrant in league.entrants if entrant.version]


async def league_of(client: "Client", name: str) -> league_pb2.League:
    """A league, with the versions that play. Raises RemoteError, StoreError."""
    request = league_pb2.GetLeagueRequest(name=name)
    return (await client.call(client.leagues.GetLeague, request)).league


_MOMENT_S = 0.5
"""How long is waited to see whether a round goes on of which no match is under way."""


class Troubles(NamedTuple):
    """What keeps the divisions of a league from going on, by variant."""

    faults: Mapping[str, str] = {}
    """What was wrong with the first job that was given up."""
    idle: Collection[str] = ()
    """Those on which nobody works."""


async def troubles_of(store: "Store", league: league_pb2.League) -> Troubles:
    """What keeps a league from going on."""
    from arena.store import Scope

    scopes = {variant: Scope.league(league.name, variant) for variant in variants_of(league)}
    parked = {variant: await store.stalled.parked(scope, limit=1) for variant, scope in scopes.items()}
    faults = {variant: page.items[0].error for variant, page in parked.items() if page.items}
    idle = [variant for variant, scope in scopes.items() if await store.stalled.is_idle(scope)]
    if idle:  # or a node was between two matches: then they are other ones in a moment
        before = await store.leagues.get(league.name)
        await asyncio.sleep(_MOMENT_S)
        changed = await store.leagues.get(league.name)
        idle = [
            variant
            for variant in idle
            if before.division(variant) == changed.division(variant) and await store.stalled.is_idle(scopes[variant])
        ]
    return Troubles(faults, idle)


async def table_of(client: "Client", name: str) -> "LeagueTable":
    """A league's tables after the complete rounds of each division. Raises RemoteError, StoreError."""
    from arena.league.tables import LeagueTable

    request = league_pb2.GetLeagueTableRequest(name=name)
    document = (await client.call(client.leagues.GetLeagueTable, request)).document
    try:
        return msgspec.json.decode(document, type=LeagueTable)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ForeignAnswerError(f"a table of another form ({error})") from error


def league_document(league: league_pb2.League) -> dict[str, Any]:
    """What a document says of a league as a whole."""
    return {
        "league": league.name,
        "state": state_of(league.status),
        "test": league.test,
        "commitment": league.commitment.hex(),
        "secret": league.secret.hex() or None,
        "entropy": league.entropy or None,
        "beacon_round": league.beacon_round or None,
        "beacon_signature": league.beacon_signature or None,
        "entries_close_at": second(league.entries_close_at.seconds) if league.HasField("entries_close_at") else None,
        "matches": matches_played(league),
    }


def division_document(division: league_pb2.LeagueDivision) -> dict[str, Any]:
    """What a document says of a division, but for its table."""
    return {
        "variant": division.variant,
        "state": state_of(division.status),
        "round": division.round,
        "rounds": division.rounds,
        "matches": division.matches_played,
        "waits_for": list(division.waits_for),
    }


def tables_document(league: league_pb2.League, table: "LeagueTable", shown: Sequence[str]) -> dict[str, Any]:
    """What a document says of a league with its tables, of the divisions of these variants."""
    tables = {division.variant: division for division in table.divisions}
    return league_document(league) | {
        "versions": {entrant.name: entrant.version for entrant in versions_of(league)},
        "reproducible": [entrant.name for entrant in versions_of(league) if entrant.reproducible],
        "divisions": [
            division_document(division) | {"table": tables[division.variant]}
            for division in league.divisions
            if division.variant in shown
        ],
        "all_round": table.all_round,
        "ratings": table.ratings,
    }


def end_of(reason: "match_pb2.MatchEndReason.ValueType") -> End:
    """How a match ended. Raises ForeignAnswerError."""
    if reason not in wire.END_FROM_WIRE:
        raise ForeignAnswerError(f"the end {reason} of a match")
    return wire.END_FROM_WIRE[reason]


def match_document(match: match_pb2.Match) -> dict[str, Any]:
    """What a document says of a single match."""
    over = match.HasField("end")
    return {
        "match": match.match_id,
        "variant": match.variant,
        "options": dict(match.options),
        "bots": list(match.bots),
        "status": match_pb2.MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower(),
        "seed_commitment": match.seed_commitment.hex(),
        "end": end_of(match.end.reason) if over else None,
        "offender": match.end.offender if over else -1,
        "text": match.end.text,
        "results": list(match.end.results),
        "placing": list(match.end.placing),
        "replay": match.replay_id or None,
    }


def bot_document(bot: bot_pb2.Bot, *, is_called: bool) -> dict[str, Any]:
    """Return what a document says of a bot; whether it is connected is known to an arena that `is_called` alone."""
    return {
        "name": bot.name,
        "owner": bot.owner,
        "active": next((version.version for version in bot.versions if version.active), None),
        "connected": bot.connected if is_called else None,
        "challenges": bot_pb2.Challenges.Name(bot.challenges).removeprefix("CHALLENGES_").lower(),
    }


def version_document(version: bot_pb2.BotVersion) -> dict[str, Any]:
    """What a document says of a version."""
    given_up = "" if version.HasField("reproducible") else version.note
    return {
        "version": version.version,
        "created_at": second(version.created_at.seconds),
        "status": status_text(version.status),
        "active": version.active,
        "reproducible": version.reproducible,
        "parent": version.parent or None,
        "about": version.about,
        "failure": version.failure.fault or given_up or None,
    }


def output_document(output: bot_pb2.BotOutput) -> dict[str, Any]:
    """What a document says of what a bot wrote in a match, or, without one, in its qualification."""
    return {
        "version": output.version,
        "match": output.match_id or None,
        "ended_at": second(output.ended_at.seconds),
        "lines": [
            {"written_at": output_time(line.written_at.ToMicroseconds()), "text": line.text} for line in output.lines
        ],
        "left_out": output.left_out,
    }


def output_time(micros: int) -> str:
    """A time in microseconds, to the millisecond."""
    return datetime.fromtimestamp(micros / 1e6, UTC).isoformat(timespec="milliseconds")


def status_text(status: "bot_pb2.VersionStatus.ValueType") -> str:
    """The status of a version as people read it."""
    return bot_pb2.VersionStatus.Name(status).removeprefix("VERSION_STATUS_").lower().replace("_", " ")


def owner_document(owner: owner_pb2.Owner, *, ended: bool = False) -> dict[str, Any]:
    """What a document says of an owner, and of what it has where that is known."""
    limits, usage = owner.limits, owner.usage
    document = {
        "name": owner.name,
        "created_at": second(owner.created_at.seconds),
        "ended": ended,
        "limits": {
            "bots": limits.bots,
            "versions": limits.versions,
            "packed_bytes": limits.packed_bytes,
            "submissions": limits.submissions_per_hour,
        },
    }
    if owner.HasField("usage"):
        document["usage"] = {
            "bots": usage.bots,
            "packed_bytes": usage.packed_bytes,
            "submissions": usage.submissions_last_hour,
        }
    return document


async def replay_of(client: "Client", replay_id: str) -> bytes:
    """A replay's bytes. Raises RemoteError, StoreError."""
    request = replay_pb2.GetReplayRequest(replay_id=replay_id)
    return (await client.call(client.replays.GetReplay, request)).replay.SerializeToString(deterministic=True)
