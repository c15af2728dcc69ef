"""Leagues: made from their file, entered, started, paused, read. Nodes play them through jobs.py."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.store import paging
from arena.store.client import Section, Value
from arena.store.directories import announce
from arena.store.errors import (
    DivisionOverError,
    EntryChangedError,
    LeagueChangedError,
    LeagueStateError,
    NotEnteredError,
    OwnersBotsError,
    UnknownDivisionError,
    UnknownLeagueError,
    WithdrawnError,
)
from arena.store.keys import LADDER_WORK, LEAGUES, WORK, Scope
from arena.store.records import (
    DivisionState,
    EntryRecord,
    League,
    LeagueState,
    MatchWork,
    Page,
    Participation,
    from_hash,
    read_work,
)

SECRET_BYTES = 32
_LEASES = 3
"""For how many leases a node may play a cancelled match on: it stops within one."""


class Leagues(Section):
    """All leagues of a store."""

    async def create(
        self,
        name: str,
        config: bytes,
        *,
        digest: str,
        divisions: Mapping[str, int],
        entrants: Sequence[EntryRecord] = (),
        secret: bytes | None = None,
        closes_us: int = 0,
    ) -> League:
        """Make a league with its first entrants, open for more; nothing happens when its file made it before.

        `digest` identifies the file. `divisions` are its variants with the number of their rounds, in the order in
        which they are shown. A `secret` of 32 bytes fixed beforehand marks the league as a test. From `closes_us` to
        the start nobody enters or leaves. Raises LeagueChangedError, UnknownDivisionError, InvalidNameError.
        """
        if secret is not None and len(secret) != SECRET_BYTES:
            raise ValueError(f"a league's secret has {SECRET_BYTES} bytes, not {len(secret)}")
        Scope.league(name)
        cards = secret if secret is not None else secrets.token_bytes(SECRET_BYTES)
        head: dict[str, Value] = {
            "config": config,
            "secret": cards,
            "commitment": hashlib.sha256(cards).hexdigest(),
            "test": int(secret is not None),
            "divisions": " ".join(divisions),
            "closed_us": closes_us,
        }
        await self._client.call("ZADD", LEAGUES, 0, name)
        stored = await self._write(name, head, digest, divisions, entrants)
        if stored != digest:
            raise LeagueChangedError(name, stored, digest)
        return await self.get(name)

    async def replace(
        self,
        league: League,
        config: bytes,
        *,
        digest: str,
        divisions: Mapping[str, int],
        entrants: Sequence[EntryRecord] = (),
        closes_us: int = 0,
    ) -> bool:
        """Give an open league another file and other entrants; its secret and its commitment stay.

        False when the league has changed since it was read as `league`, in which case nothing is done. Raises
        UnknownDivisionError.
        """
        head: dict[str, Value] = {"config": config, "divisions": " ".join(divisions), "closed_us": closes_us}
        return await self._write(league.name, head, digest, divisions, entrants, league) == digest

    async def _write(
        self,
        name: str,
        head: Mapping[str, Value],
        digest: str,
        divisions: Mapping[str, int],
        entrants: Sequence[EntryRecord],
        replaced: League | None = None,
    ) -> str:
        """Write a league that is not there, or one over `replaced`; the digest of the one that is there afterwards."""
        scope = Scope.league(name)
        revision = "" if replaced is None else replaced.revision
        before = () if replaced is None else (division.variant for division in replaced.divisions)
        args: list[Value] = [digest, self._lease_ms, len(head), len(entrants), len(divisions), revision]
        args += divisions.values()
        args += [item for pair in head.items() for item in pair]
        for entrant in entrants:
            flags = "".join(_flags(name, list(divisions), entrant))
            args += [entrant.bot, msgspec.msgpack.encode(entrant), flags]
        keys = [scope.head, scope.entrants, scope.withdrawn]
        for variant in (*divisions, *before):
            part = Scope.league(name, variant)
            keys += [part.head, part.jobs, part.participations]
        stored: bytes = await self._client.script("create_league", keys, args)
        return stored.decode() or digest

    async def get(self, name: str) -> League:
        """Return a league with its counts; UnknownLeagueError."""
        league = await self._read(name)
        if league is None:
            raise UnknownLeagueError(name)
        return league

    async def list(self, *, after: str = "", limit: int = 100) -> Page[League]:
        """List leagues by name."""
        names, cursor = await paging.names(self._client, LEAGUES, after, limit)
        leagues = await asyncio.gather(*(self._read(name) for name in names))
        return Page(tuple(league for league in leagues if league is not None), cursor)

    async def secret(self, name: str) -> bytes:
        """Return the secret, whatever the state: only for the node that plays the league. UnknownLeagueError."""
        secret: bytes | None = await self._client.call("HGET", Scope.league(name).head, "secret")
        if secret is None:
            raise UnknownLeagueError(name)
        return secret

    # -- states -----------------------------------------------------------------------------------------------

    async def start(
        self, name: str, entropy: Callable[[League, Sequence[EntryRecord]], str] = lambda *_: "", *, beacon: str = ""
    ) -> None:
        """Fix the entropy of the entrants and let the nodes pair round 1; nothing happens when it has started before.

        `entropy` gets the league and its entrants; what it raises is raised. `beacon` is kept with it. Also raises
        UnknownLeagueError, LeagueStateError.
        """
        while True:
            league = await self.get(name)
            if league.state != "open":
                state: bytes = league.state.encode()
                break
            drawn = entropy(league, await self.entrants(name))
            parts = _parts(league)
            # Announced before as well: a division that starts and is known to no node would wait for ever.
            await self._announce(parts)
            keys = [Scope.league(name).head, *(key for part in parts for key in (part.head, part.jobs))]
            state = await self._client.script("start_league", keys, [league.revision, drawn, beacon])
            if state != b"changed":
                await self._announce(parts)
                break
        if state not in (b"open", b"running", b"paused", b"finished"):
            raise LeagueStateError(name, state.decode(), "only an open league can be started")

    async def close(self, name: str) -> None:
        """Have nobody enter or leave an open league until it starts; UnknownLeagueError, LeagueStateError.

        Nothing happens to one that was closed before.
        """
        await self.get(name)
        state = await self._client.script("close_league", [Scope.league(name).head])
        if state != b"open":
            raise LeagueStateError(name, state.decode(), "only an open league can be closed")

    async def reveal(self, name: str, bot: str, nonce: str) -> None:
        """Keep the nonce to which a bot committed, of a league that is closed; it may come twice.

        Raises UnknownLeagueError, NotEnteredError, EntryChangedError where another was revealed, LeagueStateError.
        """
        await self.get(name)
        scope = Scope.league(name)
        raw: bytes | None = await self._client.call("HGET", scope.entrants, bot)
        if raw is None:
            raise NotEnteredError(name, bot)
        entry = msgspec.msgpack.decode(raw, type=EntryRecord)
        changed = EntryChangedError(f"another nonce of {bot!r} was revealed in league {name!r} before")
        if entry.nonce not in ("", nonce):
            raise changed
        revealed = msgspec.msgpack.encode(msgspec.structs.replace(entry, nonce=nonce))
        status, state = await self._client.script("reveal_nonce", [scope.head, scope.entrants], [bot, raw, revealed])
        match status:
            case b"open":
                raise LeagueStateError(name, "open", "nonces are revealed when entries are closed")
            case b"closed":
                raise LeagueStateError(name, state.decode(), "nonces are revealed before a league starts")
            case b"changed":
                raise changed

    async def pause(self, name: str) -> None:
        """Hand out no further job; matches under way end and are committed. UnknownLeagueError, LeagueStateError."""
        await self._change_state(name, "running", "paused", "only a league that runs can be paused")

    async def resume(self, name: str) -> None:
        """Let a paused league go on; UnknownLeagueError, LeagueStateError."""
        await self._change_state(name, "paused", "running", "only a paused league can be resumed")

    async def cancel(self, name: str, *, only_open: bool = False) -> None:
        """End a league before its time: jobs are dropped, commits under way are lost, the secret is published.

        The secret of one that has started, and the replays of open boards, are published `_LEASES` leases later, when
        its matches cannot be played any more. With `only_open` nothing happens to one that has started.
        Raises UnknownLeagueError, LeagueStateError.
        """
        parts = _parts(await self.get(name))
        keys = [Scope.league(name).head]
        for part in parts:
            keys += [part.head, part.backlog, part.stage, part.claims, part.parked]
        state = await self._client.script("cancel_league", keys, [int(only_open), 1_000 * _LEASES * self._lease_ms])
        if state == b"finished" and not only_open:
            raise LeagueStateError(name, "finished", "there is nothing left to cancel")
        if state in (b"open", b"cancelled") or not only_open:
            for part in parts:
                await self._forget_jobs(part)
        await self._announce(parts)

    async def _forget_jobs(self, part: Scope) -> None:
        """Drop the jobs that a cancelled division had handed out, and the journals of their matches."""
        jobs = [
            read_work(*item)
            for _, fields in await self._client.call("XRANGE", part.jobs, "-", "+")
            for item in fields.items()
        ]
        for work in jobs:
            if isinstance(work, MatchWork):
                await self._client.call("UNLINK", part.journal(work.key))
        await self._client.call("UNLINK", part.jobs)

    async def _change_state(self, name: str, before: LeagueState, after: LeagueState, rule: str) -> None:
        parts = _parts(await self.get(name))
        keys = [Scope.league(name).head, *(part.head for part in parts)]
        state = await self._client.script("change_state", keys, [before, after])
        if state.decode() not in (before, after):
            raise LeagueStateError(name, state.decode(), rule)
        await self._announce(parts)

    async def _announce(self, parts: Sequence[Scope]) -> None:
        for part in parts:
            await announce(self._client, part)

    # -- entrants ---------------------------------------------------------------------------------------------

    async def enter(
        self,
        name: str,
        entrant: EntryRecord,
        *,
        last_rounds: Mapping[str, int] | None = None,
        bots_per_owner: int | None = None,
    ) -> bool:
        """Enter a bot; once the league has started it plays in each division from the next round on.

        `last_rounds` are the last rounds in which a bot may begin, by variant, where it is not the division's last. An
        owner has at most `bots_per_owner` bots there. The same entry may be given again; the answer is False then.
        Raises UnknownLeagueError, UnknownDivisionError, LeagueStateError, DivisionOverError, EntryChangedError,
        WithdrawnError, OwnersBotsError.
        """
        variants = await self._variants(name)
        late = msgspec.structs.replace(entrant, nonce="", commitment="")
        ends = last_rounds or {}
        status = b"moved"
        while status == b"moved":
            revision: int | str = "" if bots_per_owner is None else await self._has_room(name, entrant, bots_per_owner)
            status, state, division = await self._client.script(
                "enter",
                _entry_keys(name, variants),
                [
                    *(entrant.bot, msgspec.msgpack.encode(entrant), msgspec.msgpack.encode(late)),
                    *_flags(name, variants, entrant),
                    *(ends.get(variant, "") for variant in variants),
                    revision,
                ],
            )
        match status:
            case b"closed":
                raise LeagueStateError(
                    name, state.decode(), "bots can enter only a league that is open, running or paused"
                )
            case b"over":
                raise DivisionOverError(name, variants[division - 1])
            case b"shut":
                raise LeagueStateError(name, "closed", "entries are closed until it starts")
            case b"changed":
                if await self._has_revealed(name, entrant):
                    return False
                raise EntryChangedError(f"{entrant.bot!r} has already entered league {name!r} with a different entry")
            case b"withdrawn":
                raise WithdrawnError(name, entrant.bot)
        return bool(status == b"entered")

    async def _has_room(self, name: str, entrant: EntryRecord, limit: int) -> int:
        """Return the revision of the league in which the bot's owner has fewer bots than so many; OwnersBotsError."""
        revision = (await self.get(name)).revision
        owners = {present.bot: present.owner for present in await self.entrants(name)}
        if entrant.owner and entrant.bot not in owners and [*owners.values()].count(entrant.owner) >= limit:
            raise OwnersBotsError(name, entrant.owner, limit)
        return revision

    async def _has_revealed(self, name: str, entrant: EntryRecord) -> bool:
        """Tell whether a bot is there with this entry, and has revealed its nonce since."""
        raw: bytes | None = await self._client.call("HGET", Scope.league(name).entrants, entrant.bot)
        if raw is None:
            return False
        return msgspec.structs.replace(msgspec.msgpack.decode(raw, type=EntryRecord), nonce="") == entrant

    async def withdraw(self, name: str, bot: str) -> None:
        """Withdraw a bot: an open league drops its entry; in one that has started it plays no further round.

        Raises UnknownLeagueError, NotEnteredError, WithdrawnError, LeagueStateError.
        """
        status, state = await self._client.script(
            "withdraw",
            _entry_keys(name, await self._variants(name)),
            # The call's name distinguishes the retry of a call whose answer was lost from a second call.
            [bot, secrets.token_hex(8)],
        )
        match status:
            case b"unknown":
                raise NotEnteredError(name, bot)
            case b"before":
                raise WithdrawnError(name, bot)
            case b"shut":
                raise LeagueStateError(name, "closed", "nobody leaves it until it starts")
            case b"closed":
                raise LeagueStateError(name, state.decode(), "there is nothing left to withdraw from")

    async def entrants(self, name: str) -> tuple[EntryRecord, ...]:
        """Return all entrants by the name of their bot, those too that have left since the start."""
        raw = await self._client.call("HVALS", Scope.league(name).entrants)
        entrants = [msgspec.msgpack.decode(entry, type=EntryRecord) for entry in raw]
        return tuple(sorted(entrants, key=lambda entrant: entrant.bot))

    async def participations(self, name: str, variant: str) -> dict[str, Participation]:
        """Return in which rounds of a division each of its bots takes part, by the names of the bots."""
        raw = await self._client.call("HGETALL", Scope.league(name, variant).participations)
        return {bot.decode(): _participation(rounds.decode()) for bot, rounds in sorted(raw.items())}

    async def under_way(self) -> tuple[str, ...]:
        """Return the leagues that have started and are not over, by name."""
        names = [await self._client.call("ZRANGE", directory, 0, -1) for directory in (WORK, LADDER_WORK)]
        return tuple(sorted({Scope.parse(division.decode()).name for divisions in names for division in divisions}))

    async def entrant_count(self, name: str) -> int:
        """Return how many entrants a league has, those too that have left since the start."""
        return int(await self._client.call("HLEN", Scope.league(name).entrants))

    async def has_left(self, name: str, entrant: str) -> bool:
        """Return whether an entrant has left a league."""
        return bool(await self._client.call("HEXISTS", Scope.league(name).withdrawn, entrant))

    # -- rounds -----------------------------------------------------------------------------------------------

    async def plans(self, name: str, variant: str, after: int = 0) -> dict[int, bytes]:
        """Return the plan of every paired round of a division after this one, in order."""
        rounds = Scope.league(name, variant).rounds
        numbers = sorted(number for key in await self._client.call("HKEYS", rounds) if (number := int(key)) > after)
        plans = await self._client.call("HMGET", rounds, *numbers) if numbers else ()
        return dict(zip(numbers, plans, strict=True))

    async def plan(self, name: str, variant: str, round_: int) -> bytes | None:
        """Return the plan of a round of a division, None where it is not paired."""
        plan: bytes | None = await self._client.call("HGET", Scope.league(name, variant).rounds, round_)
        return plan

    async def results(self, name: str, variant: str, round_: int) -> dict[str, bytes]:
        """Return the results of a division's round so far, by the name that each match has in the round's plan."""
        raw = await self._client.call("HGETALL", Scope.league(name, variant).results(round_))
        return {key.decode().partition(".")[2]: result for key, result in sorted(raw.items())}

    # -- reading ----------------------------------------------------------------------------------------------

    async def _variants(self, name: str) -> Sequence[str]:
        raw: bytes | None = await self._client.call("HGET", Scope.league(name).head, "divisions")
        if raw is None:
            raise UnknownLeagueError(name)
        return raw.decode().split()

    async def _read(self, name: str) -> League | None:
        # The league's own head first: what it says is over is over in the divisions that are read after it.
        head = await self._client.call("HGETALL", Scope.league(name).head)
        if b"state" not in head:
            return None
        variants = head[b"divisions"].decode().split()
        divisions = await asyncio.gather(*(self._division(name, variant) for variant in variants))
        secret = head.get(b"published_secret")
        if int(head.get(b"secret_from_us", 0)) > time.time_ns() // 1000:
            secret = None
        return from_hash(League, head, name=name, secret=secret, divisions=tuple(divisions))

    async def _division(self, name: str, variant: str) -> DivisionState:
        head = await self._client.call("HGETALL", Scope.league(name, variant).head)
        return from_hash(DivisionState, head, variant=variant)


def _parts(league: League) -> Sequence[Scope]:
    return [Scope.league(league.name, division.variant) for division in league.divisions]


def _entry_keys(league: str, variants: Sequence[str]) -> Sequence[str]:
    """Return what entering and withdrawing change."""
    scope = Scope.league(league)
    keys = [scope.head, scope.entrants, scope.withdrawn]
    for variant in variants:
        division = Scope.league(league, variant)
        keys += [division.head, division.participations]
    return keys


def _flags(league: str, variants: Sequence[str], entrant: EntryRecord) -> Sequence[str]:
    """For each division of a league "1" where the entrant plays in it, else "0"; UnknownDivisionError."""
    for variant in entrant.variants:
        if variant not in variants:
            raise UnknownDivisionError(
                f"league {league!r} has no division of {variant!r}; it has {', '.join(variants)}"
            )
    return ["1" if variant in (entrant.variants or variants) else "0" for variant in variants]


def _participation(text: str) -> Participation:
    first, _, last = text.partition(":")
    return Participation(int(first), int(last) if last else None)
